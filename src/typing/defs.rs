//! Definitions, checked for each combination of argument types they are used with.

use crate::model::kind::{Kind, Type};
use crate::model::{Def, DefId, Field, Term, TermKind};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;
use crate::syntax::tree;
use crate::syntax::tree::{Expr, ExprKind, Pattern};
use crate::typing::calls::param_name;
use crate::typing::checker::{Checker, DefKey, Local, Progress, TermContext, optional};
use crate::typing::coercion::holds_never;
use crate::typing::expr::term;
use crate::typing::statements::{kind_of, padding};
use std::sync::Arc;

/// How many combinations of argument types a definition may be used with.
const USES: usize = 60;

impl<'a> Checker<'a> {
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
                return self.fail(
                    Diagnostic::new(Code::E16, def.name.span, format!("a default of `{name}` needs `{name}` itself"))
                        .hint("give it another default"),
                );
            }
            Some(Progress::Busy) | None => {}
        }
        if def.result.is_none() && self.busy.contains(&key) {
            let name = &def.name.text;
            return self.fail(
                Diagnostic::new(
                    Code::E13,
                    def.name.span,
                    format!("`{name}` calls itself, so it must say what it gives"),
                )
                .hint(format!("write the type of its result: `def {name}(..): nat = ..`")),
            );
        }
        let uses = self.uses.entry(key).or_insert(0);
        *uses += 1;
        if *uses > USES {
            return self.fail(
                Diagnostic::new(Code::E03, span, format!("`{}` is used with ever new types", def.name.text))
                    .hint("write the types of its parameters"),
            );
        }
        self.defs.insert((key, signature.clone()), Progress::Busy);
        let outermost = self.busy.insert(key);
        let id = self.deeper(span, |this| this.check_def(key, def, types, &signature));
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
        let (mut cx, prefix) = self.def_context(key);
        // Parameters stand in slots one after another, so a default is checked with its own frame growing behind them.
        let (params, patterns) = self.def_params(&mut cx, def, types)?;
        let result = optional(def.result.as_ref(), |kind| self.kind(&mut cx, kind)).ok()?;
        let id = DefId(self.program.defs.len());
        self.program.defs.push(Def {
            name: def.name.text.clone(),
            owner: key.0,
            prefix,
            params,
            frame: crate::model::Frame::default(),
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
        self.param_parts(&mut cx, &patterns);
        let body = self.with_names(&mut cx, &def.with, |this, cx| this.expr(cx, &def.body))?;
        let body = match &result {
            Some(kind) => {
                let body = self.enter(body, kind, &format!("the result of `{}`", def.name.text))?;
                let (ty, span) = (kind.ty(), body.span);
                term(TermKind::Coerce(Box::new(body), Box::new(kind.clone())), ty, span)
            }
            None => body,
        };
        let checked = &mut self.program.defs[id.0];
        checked.ty = body.ty.clone();
        checked.body = Some(body);
        checked.frame = cx.frame;
        Some(id)
    }

    /// The body of a def begins: a copy of the slots of its game, or nothing.
    fn def_context(&self, (game, unit, _): DefKey) -> (TermContext, usize) {
        let mut cx = TermContext::new(unit, Some("a `def`"));
        let Some(game) = game else { return (cx, 0) };
        let entry = &self.games[game.0];
        cx.game = Some(game);
        cx.local_defs = true;
        if let Some(of) = &entry.context {
            cx.frame.slots.extend(of.frame.slots.iter().take(entry.prefix).cloned());
            cx.locals.extend(of.locals.iter().filter(|l| l.slot < entry.prefix).cloned());
        }
        let span = entry.tree.name.span;
        cx.frame.slots.resize_with(entry.prefix, || padding(span));
        (cx, entry.prefix)
    }

    #[allow(clippy::type_complexity)]
    fn def_params(
        &mut self,
        cx: &mut TermContext,
        def: &'a tree::Def,
        types: &[Option<Type>],
    ) -> Option<(Vec<Field>, Vec<(&'a Pattern, usize)>)> {
        let slots: Vec<usize> =
            def.params.iter().map(|p| cx.slot(&param_name(p), Type::Never, def.name.span)).collect();
        let mut params = Vec::new();
        let mut patterns = Vec::new();
        for ((param, given), &slot) in def.params.iter().zip(types).zip(&slots) {
            let declared = match &param.kind {
                Some(kind) => Some(self.kind(cx, kind)?),
                None => {
                    given.as_ref().map(|ty| if *ty == Type::Position { Kind::Position } else { Kind::Any(ty.clone()) })
                }
            };
            let name = param_name(param);
            let default = optional(param.default.as_ref(), |default| self.expr(cx, default)).ok()?;
            let (kind, default) = self.param_kind(param, declared, default, &name)?;
            let span = crate::typing::bindings::pattern_span(&param.pattern);
            cx.frame.slots[slot].ty = kind.ty();
            cx.frame.slots[slot].span = span;
            match &param.pattern {
                Pattern::Name(name) if name.text == "_" => {}
                Pattern::Name(name) => {
                    if cx.local(&name.text).is_some() {
                        self.error(
                            Diagnostic::new(
                                Code::E02,
                                name.span,
                                format!("the name `{}` already means something here", name.text),
                            )
                            .hint("a name means one thing in a game, def or claim; take another name"),
                        );
                    }
                    cx.locals.push(Local { name: name.text.clone(), slot, ty: Some(kind.ty()) });
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
                let of_default = if number { Kind::Nat } else { kind_of(&default.ty) };
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
    fn param_parts(&mut self, cx: &mut TermContext, patterns: &[(&'a Pattern, usize)]) {
        for (pattern, slot) in patterns {
            let ty = cx.frame.slots[*slot].ty.clone();
            let whole = term(TermKind::Slot(*slot), ty, cx.frame.slots[*slot].span);
            for (name, part) in self.pattern_parts(pattern, Some(whole)) {
                let ty = part.as_ref().map(|p| p.ty.clone());
                let slot = cx.bind(&name.text, ty, name.span, &mut self.errors);
                cx.frame.slots[slot].lazy = part.map(Arc::new);
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

/// Whether the types of all parameters are known without arguments.
pub(crate) fn has_types(def: &tree::Def) -> bool {
    def.params.iter().all(|p| p.kind.is_some() || p.default.is_some())
}
