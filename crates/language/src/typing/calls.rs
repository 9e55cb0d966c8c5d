//! Calls and positions, `f(x)`, `Place[g](x, y = 2)`: arguments find their parameters (rule 16). Definitions, checked for each
//! combination of argument types they are used with.

use crate::model::{Def, DefId, Field, Frame, GameId, Gather, Kind, Place, PlaceParams, Term, TermKind, Type};
use crate::source::{Code, Span};
use crate::syntax::tree::{self, Arg, Args, Clause, Expr, ExprKind, Item, Name, Pattern, Rule};
use crate::typing::checker::{Checker, DefKey, Local, Progress, TermContext, hides, optional};
use crate::typing::names::Function;
use crate::typing::statements::padding;
use crate::typing::types::holds_never;

impl<'a> Checker<'a> {
    pub(crate) fn call(&mut self, name: &'a Name, args: &'a Args, span: Span) -> Option<Term> {
        match self.function(name) {
            Some(Function::Builtin(word)) => self.builtin(word, name, args, span),
            Some(Function::Def(game, unit, index)) => self.call_def((game, unit, index), name, args, span),
            None => {
                // The arguments may have errors of their own.
                self.only_look(None, Some(args));
                None
            }
        }
    }

    fn def_tree(&self, (game, unit, index): DefKey) -> Option<&'a tree::Def> {
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

    fn call_def(&mut self, key: DefKey, name: &'a Name, args: &'a Args, span: Span) -> Option<Term> {
        let def = self.def_tree(key)?;
        let names: Vec<String> = def.params.iter().map(param_name).collect();
        let refs: Vec<&str> = names.iter().map(String::as_str).collect();
        let whole = format!("`{}`", name.text);
        let given = self.arguments(&whole, &refs, args, span)?;
        let optional = |index: usize| def.params[index].default.is_some();
        let terms = self.fill(&whole, &refs, optional, given, span, |_, _, term| Some(term))?;
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
        Some(Term::new(TermKind::Call(id, entered), ty, span))
    }

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

    fn plain_arguments(
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
                    let message = "an argument without a name stands after one with a name";
                    let hint = "first those by position, then `name = value`";
                    return self.refuse(Code::E05, arg.value.span, message, hint);
                }
                None if index >= params.len() => return self.too_many(whole, params, args.len(), arg.value.span),
                None => index,
                Some(name) => {
                    named = true;
                    let Some(place) = params.iter().position(|p| *p == name.text) else {
                        let hint = self.meant(&name.text, || params.iter().copied()).or_else(|| Some(has(params)));
                        return self.deny(Code::E05, name.span, format!("{whole} has no `{}`", name.text), hint);
                    };
                    if all[place].is_some() {
                        return self.deny(Code::E05, span, format!("`{}` is given twice", name.text), None);
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
        self.refuse(Code::E05, span, format!("{whole} takes {count}, not {given}"), has(params))
    }

    pub(crate) fn given(&mut self, given: Argument<'a>) -> Option<Term> {
        match given {
            Argument::Plain(expr) => self.expr(expr),
            Argument::Comprehension(value, clauses) => self.comprehension(Gather::List, value, clauses, value.span),
        }
    }

    pub(crate) fn place(
        &mut self,
        name: &'a Name,
        rules: Option<&'a [Arg]>,
        state: Option<&'a Args>,
        span: Span,
    ) -> Option<Term> {
        let Some(game) = self.game_id(self.cx.unit, name, rules.is_none() && state.is_none()) else {
            self.only_look(rules, state);
            return None;
        };
        if self.head(game, name.span).is_none() {
            self.only_look(rules, state);
            return None;
        }
        let entry = &self.games[game.0];
        let (params, fields) = (entry.params.clone(), entry.fields.clone());
        let whole = format!("`{}`", name.text);
        let params = self.place_rules(game, &whole, &params, name, rules);
        let fields = self.place_state(&whole, &fields, state, span);
        let place = Place { game, params: params?, fields: fields? };
        Some(Term::new(TermKind::Place(Box::new(place)), Type::Position, span))
    }

    /// Looks at the arguments of something unknown, for the errors in them.
    fn only_look(&mut self, rules: Option<&'a [Arg]>, state: Option<&'a Args>) {
        let mut plain = rules.unwrap_or_default().iter().collect::<Vec<_>>();
        match state {
            Some(Args::Plain(args)) => plain.extend(args),
            Some(Args::Comprehension { value, clauses }) => {
                self.given(Argument::Comprehension(value, clauses));
            }
            None => {}
        }
        for arg in plain {
            self.expr(&arg.value);
        }
    }

    fn place_rules(
        &mut self,
        game: GameId,
        whole: &str,
        params: &[Field],
        name: &Name,
        rules: Option<&'a [Arg]>,
    ) -> Option<PlaceParams> {
        let names: Vec<&str> = params.iter().map(|p| &*p.name).collect();
        match rules {
            None if self.cx.game == Some(game) => Some(PlaceParams::Own),
            None if params.iter().all(|p| p.default.is_some()) => Some(PlaceParams::Given(vec![None; params.len()])),
            None => {
                let message = format!("{whole} needs its rule parameters here");
                self.refuse(Code::E06, name.span, message, format!("write `{}[{}](..)`", name.text, names.join(", ")))
            }
            Some(args) if params.is_empty() => {
                self.only_look(Some(args), None);
                let message = format!("{whole} has no rule parameters");
                self.refuse(Code::E05, name.span, message, "its state stands in round brackets")
            }
            Some(args) => {
                let given = self.plain_arguments(whole, &names, args, name.span)?;
                Some(PlaceParams::Given(self.fill_fields(whole, params, given, name.span)?))
            }
        }
    }

    fn place_state(
        &mut self,
        whole: &str,
        fields: &[Field],
        state: Option<&'a Args>,
        span: Span,
    ) -> Option<Vec<Option<Term>>> {
        let names: Vec<&str> = fields.iter().map(|p| &*p.name).collect();
        let given = match state {
            None => Some(vec![None; fields.len()]),
            Some(args) => self.arguments(whole, &names, args, span),
        };
        let Some(given) = given else {
            self.only_look(None, state);
            return None;
        };
        self.fill_fields(whole, fields, given, span)
    }

    fn fill_fields(
        &mut self,
        whole: &str,
        fields: &[Field],
        given: Vec<Option<Argument<'a>>>,
        span: Span,
    ) -> Option<Vec<Option<Term>>> {
        let names: Vec<&str> = fields.iter().map(|f| &*f.name).collect();
        let optional = |index: usize| fields[index].default.is_some();
        self.fill(whole, &names, optional, given, span, |this, index, term| {
            this.enter(term, &fields[index].kind, &format!("`{}` of {whole}", names[index]))
        })
    }

    /// The terms of arguments, each made to fit its parameter; `None` where an optional one is left out.
    pub(crate) fn fill(
        &mut self,
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
                    let all = params.join(", ");
                    let hint = whole.strip_suffix('`').map(|call| format!("write {call}({all})`"));
                    terms = self.deny(Code::E05, span, format!("{whole} needs `{}`", params[index]), hint);
                    continue;
                }
                Some(given) => {
                    let Some(term) = self.given(given).and_then(|term| fit(self, index, term)) else {
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

    /// The definition for these argument types (`None`: not given), checked once for each combination.
    pub(crate) fn instance(
        &mut self,
        key: DefKey,
        def: &'a tree::Def,
        types: &[Option<Type>],
        span: Span,
    ) -> Option<DefId> {
        // A declared parameter is what it is declared as, whatever comes in.
        let signature: Vec<Type> = def
            .params
            .iter()
            .zip(types)
            .map(|(p, ty)| match (&p.kind, ty) {
                (None, Some(ty)) => ty.clone(),
                _ => Type::Never,
            })
            .collect();
        match self.defs.get(&(key, signature.clone())) {
            Some(Progress::Done(id)) => return *id,
            Some(Progress::Busy) if def.result.is_some() => {
                let name = &def.name.text;
                let message = format!("a default of `{name}` needs `{name}` itself");
                return self.refuse(Code::E16, def.name.span, message, "give it another default");
            }
            Some(Progress::Busy) | None => {}
        }
        if def.result.is_none() && self.busy.contains(&key) {
            let name = &def.name.text;
            let message = format!("`{name}` calls itself, so it must say what it gives");
            let hint = format!("write the type of its result: `def {name}(..): nat = ..`");
            return self.refuse(Code::E13, def.name.span, message, hint);
        }
        let uses = self.uses.entry(key).or_insert(0);
        *uses += 1;
        if *uses > USES {
            let message = format!("`{}` is used with ever new types", def.name.text);
            return self.refuse(Code::E03, span, message, "write the types of its parameters");
        }
        self.defs.insert((key, signature.clone()), Progress::Busy);
        let outermost = self.busy.insert(key);
        let id = self.deeper(span, |this| {
            let cx = this.def_context(key);
            this.within(cx, |this| this.check_def(key, def, types, &signature))
        });
        if outermost {
            self.busy.remove(&key);
        }
        self.defs.insert((key, signature), Progress::Done(id));
        id
    }

    fn check_def(
        &mut self,
        key: DefKey,
        def: &'a tree::Def,
        types: &[Option<Type>],
        signature: &[Type],
    ) -> Option<DefId> {
        let prefix = key.0.map_or(0, |game| self.games[game.0].prefix);
        // Parameters stand in slots one after another, so a default is checked with its own frame growing behind them.
        let (params, patterns) = self.def_params(def, types)?;
        let result = optional(def.result.as_ref(), |kind| self.kind(kind)).ok()?;
        let id = DefId(self.program.defs.len());
        self.program.defs.push(Def {
            name: def.name.text.clone(),
            owner: key.0,
            prefix,
            params,
            frame: Frame::default(),
            body: None,
            ty: result.as_ref().map_or(Type::Never, Kind::ty),
            result: result.clone(),
            recursive: false,
            span: def.name.span,
        });
        if result.is_some() {
            // Its type is known, so it may call itself.
            self.defs.insert((key, signature.to_vec()), Progress::Done(Some(id)));
        }
        self.param_parts(&patterns);
        let body = self.with_names(&def.with, |this| this.expr(&def.body))?;
        let body = match &result {
            Some(kind) => {
                let body = self.enter(body, kind, &format!("the result of `{}`", def.name.text))?;
                let (ty, span) = (kind.ty(), body.span);
                Term::new(TermKind::Coerce(Box::new(body), Box::new(kind.clone())), ty, span)
            }
            None => body,
        };
        let checked = &mut self.program.defs[id.0];
        checked.ty = body.ty.clone();
        checked.body = Some(body);
        checked.frame = std::mem::take(&mut self.cx.frame);
        Some(id)
    }

    /// The body of a def begins: a copy of the slots of its game, or nothing.
    fn def_context(&self, (game, unit, _): DefKey) -> TermContext {
        let mut cx = TermContext::new(unit, Some("a `def`"));
        let Some(game) = game else { return cx };
        let entry = &self.games[game.0];
        cx.game = Some(game);
        cx.local_defs = true;
        if let Some(of) = &entry.context {
            cx.frame.slots.extend(of.frame.slots.iter().take(entry.prefix).cloned());
            for (name, local) in of.locals.iter().filter(|(_, local)| local.slot < entry.prefix) {
                cx.locals.push(name, local.clone());
            }
        }
        cx.frame.slots.resize_with(entry.prefix, || padding(entry.tree.name.span));
        cx
    }

    #[allow(clippy::type_complexity)]
    fn def_params(
        &mut self,
        def: &'a tree::Def,
        types: &[Option<Type>],
    ) -> Option<(Vec<Field>, Vec<(&'a Pattern, usize)>)> {
        let slots: Vec<usize> =
            def.params.iter().map(|p| self.cx.slot(&param_name(p), Type::Never, def.name.span)).collect();
        let mut params = Vec::new();
        let mut patterns = Vec::new();
        for ((param, given), &slot) in def.params.iter().zip(types).zip(&slots) {
            let declared = match &param.kind {
                Some(kind) => Some(self.kind(kind)?),
                None => {
                    given.as_ref().map(|ty| if *ty == Type::Position { Kind::Position } else { Kind::Any(ty.clone()) })
                }
            };
            let name = param_name(param);
            let default = optional(param.default.as_ref(), |default| self.expr(default)).ok()?;
            let (kind, default) = self.param_kind(param, declared, default, &name)?;
            let span = param.pattern.span();
            self.cx.frame.slots[slot].ty = kind.ty();
            self.cx.frame.slots[slot].span = span;
            match &param.pattern {
                Pattern::Name(name) if name.text == "_" => {}
                Pattern::Name(name) => {
                    if self.cx.local(&name.text).is_some() {
                        self.error(hides(&name.text, name.span));
                    }
                    self.cx.locals.push(&name.text, Local { slot, ty: Some(kind.ty()) });
                }
                pattern @ Pattern::Tuple(..) => patterns.push((pattern, slot)),
            }
            params.push(Field { name, kind, default, span });
        }
        Some((params, patterns))
    }

    /// Rule 3 for a parameter: its declared type, else that of the argument; a default alone gives its type.
    fn param_kind(
        &mut self,
        param: &'a tree::Param,
        declared: Option<Kind>,
        default: Option<Term>,
        name: &str,
    ) -> Option<(Kind, Option<Term>)> {
        let what = format!("the default of `{name}`");
        match (&param.kind, default) {
            (None, Some(default)) => {
                let number = matches!(param.default.as_ref().map(|e: &Expr| &e.kind), Some(ExprKind::Int(_)));
                let of_default = if number { Kind::Nat } else { Kind::of(&default.ty) };
                match declared {
                    // `xs = []` says nothing of the members, the argument does.
                    Some(argument) if holds_never(&default.ty) => {
                        let default = self.enter(default, &argument, &what)?;
                        Some((argument, Some(default)))
                    }
                    None if holds_never(&default.ty) => Some((Kind::Any(default.ty.clone()), Some(default))),
                    _ => Some((of_default, Some(default))),
                }
            }
            (_, Some(default)) => self.declared(declared, param.default.as_ref(), Some(default), &what),
            (_, None) => Some((declared.unwrap_or(Kind::Nat), None)),
        }
    }

    /// The names inside pattern parameters: lazy slots that take the parameter apart.
    fn param_parts(&mut self, patterns: &[(&'a Pattern, usize)]) {
        for (pattern, slot) in patterns {
            let ty = self.cx.frame.slots[*slot].ty.clone();
            let whole = Term::new(TermKind::Slot(*slot), ty, self.cx.frame.slots[*slot].span);
            for (name, part) in self.pattern_parts(pattern, Some(whole)) {
                let ty = part.as_ref().map(|p| p.ty.clone());
                let slot = self.cx.bind(&name.text, ty, name.span, &mut self.errors);
                self.cx.frame.slots[slot].lazy = part.map(std::sync::Arc::new);
            }
        }
    }

    /// Looks at a definition that nothing calls: for its names, and for its types when all are declared.
    pub(crate) fn unused_def(&mut self, key: DefKey, def: &'a tree::Def) {
        if self.uses.contains_key(&key) {
            return;
        }
        if has_types(def) {
            self.instance(key, def, &vec![None; def.params.len()], def.name.span);
            return;
        }
        let (errors, defs) = (self.errors.len(), self.program.defs.len());
        let known = self.defs.clone();
        let types: Vec<_> = def.params.iter().map(|p| p.kind.is_none().then_some(Type::Never)).collect();
        self.instance(key, def, &types, def.name.span);
        // Without arguments there are no types: only what is wrong with any is told.
        let found = self.errors.split_off(errors);
        self.errors.extend(found.into_iter().filter(|e| {
            matches!(
                e.code,
                Code::E01 | Code::E02 | Code::E04 | Code::E05 | Code::E06 | Code::E10 | Code::E13 | Code::E19
            )
        }));
        self.program.defs.truncate(defs);
        self.defs = known;
    }
}

/// The name of a parameter, `%` for a pattern.
fn param_name(param: &tree::Param) -> String {
    match &param.pattern {
        Pattern::Name(name) => name.text.clone(),
        Pattern::Tuple(..) => "%".into(),
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Argument<'a> {
    Plain(&'a Expr),
    /// `f(E for CLAUSES)` is `f([E for CLAUSES])`.
    Comprehension(&'a Expr, &'a [Clause]),
}

fn has(params: &[&str]) -> String {
    if params.is_empty() {
        return "write it without arguments".into();
    }
    let names: Vec<String> = params.iter().map(|p| format!("`{p}`")).collect();
    format!("it takes {}", names.join(", "))
}

/// How many combinations of argument types a definition may be used with.
const USES: usize = 60;

/// Whether the types of all parameters are known without arguments.
pub(crate) fn has_types(def: &tree::Def) -> bool {
    def.params.iter().all(|p| p.kind.is_some() || p.default.is_some())
}
