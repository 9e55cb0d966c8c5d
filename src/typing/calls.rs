//! Calls, and definitions checked for each use.

use crate::model::kind::{Kind, Type};
use crate::model::{Term, TermKind};
use crate::source::text::Span;
use crate::syntax::tree;
use crate::syntax::tree::{Args, Item, Name, Pattern, Rule};
use crate::typing::arguments::missing;
use crate::typing::checker::{Checker, DefKey};
use crate::typing::context::Context;
use crate::typing::expr::term;
use crate::typing::names::Function;

impl<'a> Checker<'a> {
    /// `f(...)`.
    pub(crate) fn call(&mut self, cx: &mut Context, name: &'a Name, args: &'a Args, span: Span) -> Option<Term> {
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

    fn call_def(&mut self, cx: &mut Context, key: DefKey, name: &'a Name, args: &'a Args, span: Span) -> Option<Term> {
        let def = self.def_tree(key)?;
        let names: Vec<String> = def.params.iter().map(param_name).collect();
        let refs: Vec<&str> = names.iter().map(String::as_str).collect();
        let whole = format!("`{}`", name.text);
        let given = self.arguments(&whole, &refs, args, span)?;
        let mut terms = Vec::new();
        let mut fine = true;
        for ((param, name), given) in def.params.iter().zip(&names).zip(given) {
            match given {
                Some(given) => match self.given(cx, given) {
                    Some(term) => terms.push(Some(term)),
                    None => fine = false,
                },
                None if param.default.is_some() => terms.push(None),
                None => {
                    self.error(missing(&whole, name, span));
                    fine = false;
                }
            }
        }
        if !fine {
            return None;
        }
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
