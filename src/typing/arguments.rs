//! Arguments find their parameters: by position, then by name.

use crate::model::{Gather, Term};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;
use crate::syntax::tree::{Arg, Args, Clause, Expr};
use crate::typing::checker::Checker;
use crate::typing::context::Context;

/// An argument as written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Given<'a> {
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
    ) -> Option<Vec<Option<Given<'a>>>> {
        match args {
            Args::Plain(args) => self.plain_arguments(whole, params, args, span),
            Args::Comprehension { value, clauses } => {
                if params.is_empty() {
                    return self.too_many(whole, params, 1, value.span);
                }
                let mut all = vec![None; params.len()];
                all[0] = Some(Given::Comprehension(value, clauses));
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
    ) -> Option<Vec<Option<Given<'a>>>> {
        let mut all: Vec<Option<Given<'a>>> = vec![None; params.len()];
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
            all[place] = Some(Given::Plain(&arg.value));
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
    pub(crate) fn given(&mut self, cx: &mut Context, given: Given<'a>) -> Option<Term> {
        match given {
            Given::Plain(expr) => self.expr(cx, expr),
            Given::Comprehension(value, clauses) => self.comprehension(cx, Gather::List, value, clauses, value.span),
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
