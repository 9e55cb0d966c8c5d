//! `expect P: facts`: all must hold.

use crate::answer::verdict::{Finding, Kind, Verdict};
use crate::claims::File;
use crate::claims::theorem::grundy_value;
use crate::engines::{Choice, outcome_word, solve};
use crate::model::builtin::Builtin;
use crate::model::{Fact, Frame, Term};
use crate::source::diagnostic::Code;
use crate::source::text::Span;
use crate::syntax::tree::FactMeasure;
use crate::value::Value;
use crate::value::fault::{Fault, Halt, Run};
use crate::vm::context::Context;
use std::time::Instant;

/// Judges an `expect` line.
pub(crate) fn expect(
    ctx: &mut Context,
    file: File<'_>,
    frame: &Frame,
    position: &Term,
    facts: &[Fact],
    span: Span,
) -> Finding {
    let start = Instant::now();
    let before = ctx.components();
    let mut finding = Finding::new(file.name(), Kind::Expect, file.statement(span, "expect"), span);
    let compared = ctx.with_recovery(|ctx| -> Run<(Vec<String>, Vec<String>)> {
        let value = ctx.eval(frame, position)?;
        let start = value.to_position().map_err(|fault| Halt::at(position.span, fault))?;
        let answer = solve(ctx, &start, Choice { exhaustive: true, moves: 0, remoteness: false })
            .map_err(|h| h.placed(position.span))?;
        let (mut claimed, mut found) = (Vec::new(), Vec::new());
        for fact in facts {
            let (word, wanted, got) = match fact {
                Fact::Outcome(outcome, _) => {
                    ("", Value::text(outcome_word(*outcome)), Value::text(outcome_word(answer.outcome)))
                }
                Fact::Measure(what, term, span) => {
                    let wanted = ctx.eval(frame, term)?;
                    let mut ask = |word| (ctx.session.hook)(ctx, word, &start).map_err(|halt| halt.placed(*span));
                    let (word, got) = match what {
                        FactMeasure::Grundy => match &answer.grundy {
                            Some(value) => ("grundy ", grundy_value(value)),
                            None => ("grundy ", ask(Builtin::Grundy)?),
                        },
                        FactMeasure::Score => ("score ", ask(Builtin::Score)?),
                        FactMeasure::Remoteness => ("remoteness ", ask(Builtin::Remoteness)?),
                        FactMeasure::Winning if answer.moves_refused.is_some() => {
                            let why = answer.moves_refused.clone().unwrap_or_default();
                            return Err(Fault::new(Code::L01, format!("the winning moves are not known: {why}")).into());
                        }
                        FactMeasure::Winning => ("winning ", Value::int(answer.winning.count.into())),
                    };
                    (word, wanted, got)
                }
            };
            if wanted != got {
                claimed.push(format!("{word}{wanted}"));
                found.push(format!("{word}{got}"));
            }
        }
        Ok((claimed, found))
    });
    finding.searched = 1;
    finding.positions = ctx.components().saturating_sub(before) as u64;
    finding.seconds = start.elapsed().as_secs_f64();
    match compared {
        Ok((claimed, _)) if claimed.is_empty() => finding.verdict = Ok(Verdict::Passed),
        Ok((claimed, found)) => {
            finding.verdict = Ok(Verdict::Failed);
            finding.claimed = Some(claimed.join(" "));
            finding.found = Some(found.join(" "));
        }
        Err(error) if error.code.is_limit() => {
            finding.verdict = Ok(Verdict::Unknown { limit: error.message.clone() });
        }
        Err(error) => finding.verdict = Err(error),
    }
    finding
}
