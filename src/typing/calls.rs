//! Calls and positions, `f(x)`, `Place[g](x, y = 2)`: arguments find their parameters (rule 16), and defs are checked for each use.

use crate::model::kind::{Kind, Type};
use crate::model::{Field, GameId, Gather, Place, PlaceParams, Term, TermKind};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;
use crate::syntax::tree;
use crate::syntax::tree::{Arg, Args, Clause, Expr, Item, Name, Pattern, Rule};
use crate::typing::checker::{Checker, DefKey, TermContext};
use crate::typing::expr::term;
use crate::typing::names::Function;

impl<'a> Checker<'a> {
    /// `f(...)`.
    pub(crate) fn call(&mut self, cx: &mut TermContext, name: &'a Name, args: &'a Args, span: Span) -> Option<Term> {
        match self.function(cx, name) {
            Some(Function::Builtin(word)) => self.builtin(cx, word, name, args, span),
            Some(Function::Def(game, unit, index)) => self.call_def(cx, (game, unit, index), name, args, span),
            None => {
                // The arguments may have errors of their own.
                match args {
                    Args::Plain(args) => args.iter().for_each(|a| {
                        self.expr(cx, &a.value);
                    }),
                    Args::Comprehension { value, clauses } => {
                        self.comprehension(cx, crate::model::Gather::List, value, clauses, span);
                    }
                }
                None
            }
        }
    }

    pub(crate) fn def_tree(&self, (game, unit, index): DefKey) -> Option<&'a tree::Def> {
        match game {
            Some(game) => match &self.games[game.0].tree.rules[index] {
                Rule::Def(def) => Some(def),
                _ => None,
            },
            None => match &self.units[unit].file.items[index] {
                Item::Def(def) => Some(def),
                _ => None,
            },
        }
    }

    fn call_def(
        &mut self,
        cx: &mut TermContext,
        key: DefKey,
        name: &'a Name,
        args: &'a Args,
        span: Span,
    ) -> Option<Term> {
        let def = self.def_tree(key)?;
        let names: Vec<String> = def.params.iter().map(param_name).collect();
        let refs: Vec<&str> = names.iter().map(String::as_str).collect();
        let whole = format!("`{}`", name.text);
        let given = self.arguments(&whole, &refs, args, span)?;
        let optional = |index: usize| def.params[index].default.is_some();
        let terms = self.fill(cx, &whole, &refs, optional, given, span, |_, _, term| Some(term))?;
        let types: Vec<Option<Type>> = terms.iter().map(|t| t.as_ref().map(|t| t.ty.clone())).collect();
        let id = self.instance(key, def, &types, span)?;
        let checked = &self.program.defs[id.0];
        let kinds: Vec<Kind> = checked.params.iter().map(|p| p.kind.clone()).collect();
        let ty = checked.ty.clone();
        let mut entered = Vec::new();
        for ((term, kind), name) in terms.into_iter().zip(&kinds).zip(&names) {
            entered.push(match term {
                Some(term) => Some(self.enter(term, kind, &format!("`{name}` of {whole}"))?),
                None => None,
            });
        }
        Some(term(TermKind::Call(id, entered), ty, span))
    }
}

/// The name of a parameter, `%` for a pattern.
pub(crate) fn param_name(param: &tree::Param) -> String {
    match &param.pattern {
        Pattern::Name(name) => name.text.clone(),
        Pattern::Tuple(..) => "%".into(),
    }
}

/// An argument as written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Argument<'a> {
    /// An expression.
    Plain(&'a Expr),
    /// `f(E for CLAUSES)` is `f([E for CLAUSES])`.
    Comprehension(&'a Expr, &'a [Clause]),
}

impl<'a> Checker<'a> {
    /// The arguments by position; `None` where nothing is given. `whole` is what takes them ("`Nim`").
    pub(crate) fn arguments(
        &mut self,
        whole: &str,
        params: &[&str],
        args: &'a Args,
        span: Span,
    ) -> Option<Vec<Option<Argument<'a>>>> {
        match args {
            Args::Plain(args) => self.plain_arguments(whole, params, args, span),
            Args::Comprehension { value, clauses } => {
                if params.is_empty() {
                    return self.too_many(whole, params, 1, value.span);
                }
                let mut all = vec![None; params.len()];
                all[0] = Some(Argument::Comprehension(value, clauses));
                Some(all)
            }
        }
    }

    /// The same for a written list of arguments.
    pub(crate) fn plain_arguments(
        &mut self,
        whole: &str,
        params: &[&str],
        args: &'a [Arg],
        span: Span,
    ) -> Option<Vec<Option<Argument<'a>>>> {
        let mut all: Vec<Option<Argument<'a>>> = vec![None; params.len()];
        let mut named = false;
        for (index, arg) in args.iter().enumerate() {
            let place = match &arg.name {
                None if named => {
                    return self.fail(
                        Diagnostic::new(
                            Code::E05,
                            arg.value.span,
                            "an argument without a name stands after one with a name",
                        )
                        .hint("first those by position, then `name = value`"),
                    );
                }
                None if index >= params.len() => return self.too_many(whole, params, args.len(), arg.value.span),
                None => index,
                Some(name) => {
                    named = true;
                    let Some(place) = params.iter().position(|p| *p == name.text) else {
                        let mut error =
                            Diagnostic::new(Code::E05, name.span, format!("{whole} has no `{}`", name.text));
                        error.hint = self.meant(&name.text, || params.iter().copied()).or_else(|| Some(has(params)));
                        return self.fail(error);
                    };
                    if all[place].is_some() {
                        return self.fail(Diagnostic::new(Code::E05, span, format!("`{}` is given twice", name.text)));
                    }
                    place
                }
            };
            all[place] = Some(Argument::Plain(&arg.value));
        }
        Some(all)
    }

    fn too_many<T>(&mut self, whole: &str, params: &[&str], given: usize, span: Span) -> Option<T> {
        let count = match params.len() {
            0 => "no arguments".to_owned(),
            1 => "1 argument".to_owned(),
            n => format!("{n} arguments"),
        };
        self.fail(Diagnostic::new(Code::E05, span, format!("{whole} takes {count}, not {given}")).hint(has(params)))
    }

    /// An argument's term.
    pub(crate) fn given(&mut self, cx: &mut TermContext, given: Argument<'a>) -> Option<Term> {
        match given {
            Argument::Plain(expr) => self.expr(cx, expr),
            Argument::Comprehension(value, clauses) => self.comprehension(cx, Gather::List, value, clauses, value.span),
        }
    }
}

fn has(params: &[&str]) -> String {
    if params.is_empty() {
        return "write it without arguments".into();
    }
    let names: Vec<String> = params.iter().map(|p| format!("`{p}`")).collect();
    format!("it takes {}", names.join(", "))
}

/// E05: an argument that is not there.
pub(crate) fn missing(whole: &str, param: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::E05, span, format!("{whole} needs `{param}`"))
}

/// What is needed of a parameter or field to fill it: name, kind, whether there is a default.
type Hole = (String, Kind, bool);

impl<'a> Checker<'a> {
    /// A position.
    pub(crate) fn place(
        &mut self,
        cx: &mut TermContext,
        name: &'a Name,
        rules: Option<&'a [Arg]>,
        state: Option<&'a Args>,
        span: Span,
    ) -> Option<Term> {
        let Some(game) = self.game_id(cx.unit, name) else {
            self.only_look(cx, rules, state);
            return None;
        };
        if self.head(game, name.span).is_none() {
            self.only_look(cx, rules, state);
            return None;
        }
        let entry = &self.games[game.0];
        let holes = |fields: &[Field]| -> Vec<Hole> {
            fields.iter().map(|f| (f.name.clone(), f.kind.clone(), f.default.is_some())).collect()
        };
        let (params, fields) = (holes(&entry.params), holes(&entry.fields));
        let whole = format!("`{}`", name.text);
        let params = self.place_rules(cx, game, &whole, &params, name, rules);
        let fields = self.place_state(cx, &whole, &fields, state, span);
        let place = Place { game, params: params?, fields: fields? };
        Some(term(TermKind::Place(Box::new(place)), Type::Position, span))
    }

    /// Looks at the arguments of something unknown, for the errors in them.
    fn only_look(&mut self, cx: &mut TermContext, rules: Option<&'a [Arg]>, state: Option<&'a Args>) {
        for arg in rules.unwrap_or_default() {
            self.expr(cx, &arg.value);
        }
        match state {
            Some(Args::Plain(args)) => {
                for arg in args {
                    self.expr(cx, &arg.value);
                }
            }
            Some(Args::Comprehension { value, clauses }) => {
                self.given(cx, Argument::Comprehension(value, clauses));
            }
            None => {}
        }
    }

    fn place_rules(
        &mut self,
        cx: &mut TermContext,
        game: GameId,
        whole: &str,
        params: &[Hole],
        name: &Name,
        rules: Option<&'a [Arg]>,
    ) -> Option<PlaceParams> {
        let names: Vec<&str> = params.iter().map(|p| &*p.0).collect();
        match rules {
            None if cx.game == Some(game) => Some(PlaceParams::Own),
            None if params.iter().all(|p| p.2) => Some(PlaceParams::Given(vec![None; params.len()])),
            None => {
                self.fail(
                    Diagnostic::new(Code::E06, name.span, format!("{whole} needs its rule parameters here"))
                        .hint(format!("write `{}[{}](..)`", name.text, names.join(", "))),
                )
            }
            Some(args) if params.is_empty() => {
                for arg in args {
                    self.expr(cx, &arg.value);
                }
                self.fail(
                    Diagnostic::new(Code::E05, name.span, format!("{whole} has no rule parameters"))
                        .hint("its state stands in round brackets"),
                )
            }
            Some(args) => {
                let given = self.plain_arguments(whole, &names, args, name.span)?;
                Some(PlaceParams::Given(self.fill_fields(cx, whole, params, given, name.span)?))
            }
        }
    }

    fn place_state(
        &mut self,
        cx: &mut TermContext,
        whole: &str,
        fields: &[Hole],
        state: Option<&'a Args>,
        span: Span,
    ) -> Option<Vec<Option<Term>>> {
        let names: Vec<&str> = fields.iter().map(|p| &*p.0).collect();
        let given = match state {
            None => Some(vec![None; fields.len()]),
            Some(args) => self.arguments(whole, &names, args, span),
        };
        let Some(given) = given else {
            self.only_look(cx, None, state);
            return None;
        };
        self.fill_fields(cx, whole, fields, given, span)
    }

    fn fill_fields(
        &mut self,
        cx: &mut TermContext,
        whole: &str,
        fields: &[Hole],
        given: Vec<Option<Argument<'a>>>,
        span: Span,
    ) -> Option<Vec<Option<Term>>> {
        let names: Vec<&str> = fields.iter().map(|f| &*f.0).collect();
        let optional = |index: usize| fields[index].2;
        self.fill(cx, whole, &names, optional, given, span, |this, index, term| {
            this.enter(term, &fields[index].1, &format!("`{}` of {whole}", names[index]))
        })
    }

    /// The terms of arguments, each made to fit its parameter; `None` where an optional one is left out.
    #[allow(clippy::too_many_arguments)] // what a call is made of
    pub(crate) fn fill(
        &mut self,
        cx: &mut TermContext,
        whole: &str,
        params: &[&str],
        optional: impl Fn(usize) -> bool,
        given: Vec<Option<Argument<'a>>>,
        span: Span,
        mut fit: impl FnMut(&mut Self, usize, Term) -> Option<Term>,
    ) -> Option<Vec<Option<Term>>> {
        let mut terms = Some(Vec::new());
        for (index, given) in given.into_iter().enumerate() {
            let term = match given {
                None if optional(index) => None,
                None => {
                    self.error(missing(whole, params[index], span));
                    terms = None;
                    continue;
                }
                Some(given) => {
                    let Some(term) = self.given(cx, given).and_then(|term| fit(self, index, term)) else {
                        terms = None;
                        continue;
                    };
                    Some(term)
                }
            };
            if let Some(terms) = &mut terms {
                terms.push(term);
            }
        }
        terms
    }
}
