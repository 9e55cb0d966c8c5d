//! Runs a game file on cases through the library and compares with expected answers.

#![allow(unreachable_pub, missing_docs)]

use crate::crews::crews;
use grundy::answer::{Answer, GrundyValue, MoveAnswer, MoveList};
use grundy::engines as solve;
use grundy::engines::{Choice, Parts};
use grundy::input::data::NoFiles;
use grundy::input::entry::adapt;
use grundy::input::json::{from_json, to_json};
use grundy::model::kind::Type;
use grundy::model::{Program, Question};
use grundy::source::diagnostic::Diagnostic;
use grundy::source::text::{SourceId, Sources};
use grundy::syntax::parse_file;
use grundy::typing::Loader;
use grundy::typing::check;
use grundy::value::limits::Limits;
use grundy::value::{Halt, Position, Run, Value};
use grundy::vm::context::{Context, Policy};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// A case: inputs and what is expected.
pub struct Case {
    pub input: Json,
    pub expected: Json,
}

impl Case {
    pub fn new(json: &Json) -> Case {
        Case { input: json["input"].clone(), expected: json.clone() }
    }
}

/// With which fast paths the engine runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Usual,
    Exhaustive,
    /// No packed words, masks or tables.
    Plain,
    /// Every int a value.
    Wide,
    /// Native code and tables at once, no search before.
    Tables,
    /// Every position taken apart that may be.
    Split,
    /// No position taken apart, and no sum depth first.
    Whole,
    /// Heaps of every size answered by the code that their rules are, if they are one.
    Heaps,
    /// Only who wins and which moves win, by native code at once, or by values.
    Early,
    EarlyPlain,
}

struct Folder(PathBuf);

impl Loader for Folder {
    fn load(&mut self, name: &str, _: SourceId, sources: &mut Sources) -> Option<Result<SourceId, Diagnostic>> {
        for folder in [self.0.as_path(), Path::new("games")] {
            if let Ok(text) = std::fs::read_to_string(folder.join(format!("{name}.game"))) {
                return Some(Ok(sources.add(name, text)));
            }
        }
        None
    }
}

/// The checked program of a file.
pub fn program(file: &Path) -> Program {
    let mut sources = Sources::default();
    let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let id = sources.add(file.display().to_string(), text);
    let shown = |errors: &[Diagnostic], sources: &Sources| grundy::source::diagnostic::render(errors, sources, false);
    let tree = parse_file(&sources, id).unwrap_or_else(|e| panic!("{}", shown(&e, &sources)));
    let mut loader = Folder(file.parent().expect("a folder").to_path_buf());
    check(&tree, id, &mut sources, &mut loader).unwrap_or_else(|e| panic!("{}", shown(&e, &sources)))
}

/// Answers every case and tells which are wrong.
pub fn run_cases(file: &Path, cases: &[Case], form: Form) -> Vec<String> {
    let program = Arc::new(program(file));
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
    let early = matches!(form, Form::Early | Form::EarlyPlain);
    ctx.options.plain = matches!(form, Form::Plain | Form::EarlyPlain);
    if matches!(form, Form::Tables | Form::Early) {
        ctx.options.trial = 0;
    }
    ctx.options.heaps = if form == Form::Heaps { Policy::Always } else { Policy::Large };
    ctx.code.wide = form == Form::Wide;
    ctx.options.deep = form != Form::Whole;
    ctx.options.parts = form != Form::Whole;
    ctx.options.split = match form {
        Form::Usual | Form::Exhaustive | Form::Heaps => Policy::Large,
        Form::Split => Policy::Always,
        Form::Early | Form::EarlyPlain | Form::Plain | Form::Wide | Form::Tables | Form::Whole => Policy::Never,
    };
    let choice = Choice { exhaustive: form != Form::Usual, moves: usize::MAX, remoteness: !early, outcome: early };
    let how = format!("{} {form:?}", file.display());
    let solve = |ctx: &mut Context, position: &Position| solve::solve(ctx, position, choice);
    let answers = cases.iter().map(|case| asked(&mut ctx, &program, &case.input, solve));
    (0..).zip(answers.zip(cases)).filter_map(|(i, (answer, case))| wrong(&how, i, answer, case, early)).collect()
}

/// The same by so many processes, which work together on all that they can: in blocks of 16 positions, on whole boxes or, `spread`, on
/// what is met of them. How many tables they have made comes with it.
pub fn run_cases_together(file: &Path, cases: &[Case], count: usize, spread: bool) -> (Vec<String>, u32) {
    let program = Arc::new(program(file));
    let how = format!("{} by {count}, {spread}", file.display());
    let choice = Choice { exhaustive: true, moves: usize::MAX, remoteness: true, outcome: false };
    let mut found = (Vec::new(), 0);
    thread::scope(|scope| {
        let mut first = Some(&mut found);
        for crew in crews(count) {
            let (first, program, how) = (first.take_if(|_| crew.leads()), program.clone(), &how);
            scope.spawn(move || {
                let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
                (ctx.options.trial, ctx.options.block_bits, ctx.options.several) = (0, 4, 0);
                (ctx.options.split, ctx.options.parts) = (Policy::Never, false);
                ctx.options.spread = if spread { Policy::Always } else { Policy::Never };
                ctx.session.crew = Some(crew.clone());
                let mut parts = Parts::default();
                let Some((differences, tables)) = first else {
                    for case in cases {
                        let serve =
                            |ctx: &mut Context, position: &Position| solve::serve(ctx, position, &crew, &mut parts);
                        // What goes wrong the first one tells.
                        let _ = asked(&mut ctx, &program, &case.input, serve);
                    }
                    return crew.leave();
                };
                for (i, case) in (0..).zip(cases) {
                    let answer = asked(&mut ctx, &program, &case.input, |ctx: &mut Context, position: &Position| {
                        let answer = solve::solve(ctx, position, choice);
                        if !matches!(answer, Err(Halt::Deopt(_))) {
                            solve::dismiss(&crew).expect("the others hear it");
                        }
                        answer
                    });
                    differences.extend(wrong(how, i, answer, case, false));
                }
                *tables = crew.next_job();
                crew.leave();
            });
        }
    });
    found
}

/// What is wrong with an answer.
fn wrong(how: &str, i: usize, answer: Result<Answer, Box<Diagnostic>>, case: &Case, early: bool) -> Option<String> {
    let what = match answer {
        Ok(answer) => {
            let mut expected = case.expected.clone();
            if let Some(map) = expected.as_object_mut().filter(|_| early && answer.grundy.is_none()) {
                map.retain(|key, _| !["grundy", "loopy"].contains(&key.as_str()));
            }
            compare(&answer, &expected).join("; ")
        }
        Err(error) => format!("{} {}", error.code, error.message),
    };
    (!what.is_empty()).then(|| format!("{how} {i} {}: {what}", case.input))
}

/// What is said of the position of the first `solve` line with these inputs.
fn asked<T>(
    ctx: &mut Context,
    program: &Program,
    input: &Json,
    mut ask: impl FnMut(&mut Context, &Position) -> Run<T>,
) -> Result<T, Box<Diagnostic>> {
    let mut given = vec![None; program.inputs.len()];
    for (key, value) in input.as_object().expect("inputs are an object") {
        let at = program
            .inputs
            .iter()
            .position(|i| i.name == *key)
            .or_else(|| program.inputs.iter().position(|i| i.name.eq_ignore_ascii_case(key)));
        let at = at.unwrap_or_else(|| panic!("no input {key}"));
        let value = from_json(&value.to_string(), &program.inputs[at].kind, key)
            .map_err(|f| Diagnostic::bare(f.code, f.message))?;
        given[at] = Some(value);
    }
    ctx.give(given);
    let Some(Question::Solve { body, .. }) = program.questions.iter().find(|q| matches!(q, Question::Solve { .. }))
    else {
        panic!("no solve line");
    };
    ctx.with_recovery(|ctx| {
        let value = ctx.eval(&body.frame, &body.term)?;
        let Value::Position(position) = adapt(value, &Type::Position)? else { panic!("a position") };
        ask(ctx, &position)
    })
}

fn move_json(mv: &MoveAnswer) -> Json {
    let binders = |pairs: &[(String, Value)]| -> Json {
        Json::Object(pairs.iter().map(|(n, v)| (n.clone(), plain(v))).collect())
    };
    match &mv.parts {
        None => json!({"name": mv.name, "binders": binders(&mv.binders), "component": mv.component}),
        Some(parts) => {
            let parts: Vec<Json> = parts
                .iter()
                .map(|p| json!({"component": p.component, "name": p.name, "binders": binders(&p.binders)}))
                .collect();
            json!({"component": null, "parts": parts})
        }
    }
}

/// Edges as the cases write them.
fn plain(value: &Value) -> Json {
    match value {
        Value::Edge(edge) => json!(format!("{}-{}", edge.u, edge.v)),
        other => to_json(other),
    }
}

fn canonical(json: &Json) -> String {
    match json {
        Json::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort();
            let parts: Vec<String> = keys.iter().map(|k| format!("{k}:{}", canonical(&map[*k]))).collect();
            format!("{{{}}}", parts.join(","))
        }
        Json::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

fn moves(list: &[Json]) -> Vec<String> {
    let mut all: Vec<String> = list
        .iter()
        .map(|m| {
            let mut m = m.clone();
            if let Some(map) = m.as_object_mut() {
                map.remove("edge");
                if let Some(Json::Object(binders)) = map.get_mut("binders") {
                    for value in binders.values_mut() {
                        if let Json::String(text) = value
                            && let Some(at) = text.find('#')
                        {
                            text.truncate(at);
                        }
                    }
                }
            }
            canonical(&m)
        })
        .collect();
    all.sort();
    all
}

fn compare(answer: &Answer, expected: &Json) -> Vec<String> {
    let mut differences = Vec::new();
    let mut differ = |what: &str, found: Json| {
        if let Some(wanted) = expected.get(what)
            && canonical(wanted) != canonical(&found)
        {
            differences.push(format!("{what}: expected {wanted}, found {found}"));
        }
    };
    let grundy = match &answer.grundy {
        None => Json::Null,
        Some(GrundyValue::Nimber(g)) => json!(g),
        Some(GrundyValue::Large(g)) => json!(g.to_string()),
        Some(GrundyValue::Loop(options)) => json!({ "loop": options }),
    };
    differ("outcome", json!(solve::outcome_word(answer.outcome)));
    differ("grundy", grundy.clone());
    differ("loopy", grundy);
    if answer.remoteness.is_some() {
        differ("remoteness", json!(answer.remoteness));
    }
    differ("score", answer.score.clone().map_or(Json::Null, |score| to_json(&score.into())));
    differ("winning_move_count", json!(answer.winning.count));
    if let Some(drawing) = &answer.drawing {
        differ("drawing_move_count", json!(drawing.count));
    }
    let mut differ_moves = |what: &str, list: &MoveList| {
        if let Some(Json::Array(wanted)) = expected.get(what) {
            let found: Vec<Json> = list.listed.iter().map(move_json).collect();
            if moves(wanted) != moves(&found) {
                differences.push(format!("{what}: expected {}, found {}", json!(wanted), json!(found)));
            }
        }
    };
    differ_moves("winning_moves", &answer.winning);
    if let Some(drawing) = &answer.drawing {
        differ_moves("drawing_moves", drawing);
    }
    differences
}
