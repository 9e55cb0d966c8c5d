//! Bodies as code of their own: terms, definitions and clauses, apart from the rules of a game.

use crate::bytecode::Code;
use crate::bytecode::InstanceId;
use crate::bytecode::lower::LowerContext;
use crate::bytecode::lower::{Lower, Scope};
use crate::model::{Def, Frame, Program, Slot, Term};
use crate::value::Value;
use std::sync::Arc;

/// Code that evaluates a term; `inputs` are the slots whose values are given, in value registers 1, 2, ...
pub(crate) fn lower_term<'p>(
    ctx: &mut dyn LowerContext,
    program: &'p Program,
    frame: &'p Frame,
    own: Option<InstanceId>,
    known: &[(Slot, Value)],
    inputs: &[Slot],
    term: &'p Term,
) -> Arc<Code> {
    let mut lower = Lower::new(ctx, program, Scope::new(frame, own));
    lower.enter_scope(known, inputs, &[term]);
    let operand = lower.expr(term);
    lower.result(operand);
    lower.finish()
}

/// Code of a def: the owner's parameters and fields and its own parameters are in value registers 1, 2, ..., entered.
pub(crate) fn lower_def<'p>(
    ctx: &mut dyn LowerContext,
    program: &'p Program,
    def: &'p Def,
    instance: Option<InstanceId>,
) -> Arc<Code> {
    let owned = def.owner.map_or(0, |g| program.games[g.0].params.len() + program.games[g.0].fields.len());
    let inputs: Vec<Slot> = (0..owned).chain(def.prefix..def.prefix + def.params.len()).collect();
    let mut lower = Lower::new(ctx, program, Scope::new(&def.frame, instance));
    let terms: Vec<&Term> = def.body.iter().collect();
    lower.enter_scope(&[], &inputs, &terms);
    if let Some(body) = &def.body {
        let mut operand = lower.expr(body);
        if let Some(kind) = &def.result {
            operand = lower.enter_kind(operand, kind, &def.name);
        }
        lower.result(operand);
    }
    lower.finish()
}

/// Code that runs through clauses and yields the values of `yields` for each way; `inputs` as in [`lower_term`].
#[allow(clippy::too_many_arguments)] // all of them are what one piece of code is made of
pub(crate) fn lower_clauses<'p>(
    ctx: &mut dyn LowerContext,
    program: &'p Program,
    frame: &'p Frame,
    own: Option<InstanceId>,
    known: &[(Slot, Value)],
    inputs: &[Slot],
    clauses: &'p [crate::model::Clause],
    yields: &[Slot],
) -> Arc<Code> {
    let mut lower = Lower::new(ctx, program, Scope::new(frame, own));
    let terms: Vec<&Term> = crate::model::walk::clause_terms(clauses).collect();
    lower.enter_scope(known, inputs, &terms);
    lower.clauses(clauses, true, &mut |lower| lower.yield_slots(yields));
    lower.finish()
}
