//! Claims about finitely many instances, each played through by the plainest way there is: for [`verify`](grundy_verify).
//!
//! All positions that can be reached are gone through one move after the other, sums as sorted lists of components, with no engine
//! of [`solve`](crate::engines) and no proof.

use crate::answer::{Finding, Verdict};
use crate::claims::{File, LOOK, whole};
use crate::model::{Builtin, Claim, Program};
use crate::source::Code;
use crate::store::ComponentId;
use crate::syntax::tree::Outcome;
use crate::value::{Fault, Halt, Position, Run, Shape, Value, width};
use crate::vm::context::Context;
use crate::vm::run::{MoveTarget, Options, Status};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Plays every instance of a claim through in so much time; what came out, with how many they were. `None`: the range is not finite,
/// or something is in the way: a limit, points, draws, plays that can come back, compounds.
/// Errors: the finding when the claim is false.
pub fn played(
    program: &Arc<Program>,
    limits: crate::value::limits::Limits,
    time: std::time::Duration,
    file: File<'_>,
    claim: &Claim,
) -> Result<Option<u64>, Box<Finding>> {
    let mut ctx = Context::new(program.clone(), Arc::new(crate::input::data::NoFiles), limits, plain);
    match whole(&mut ctx, Some(time), LOOK, file, claim) {
        Some(finding) if matches!(finding.verdict, Ok(Verdict::Verified)) => Ok(Some(finding.searched)),
        Some(finding) if matches!(finding.verdict, Ok(Verdict::Refuted)) => Err(Box::new(finding)),
        _ => Ok(None),
    }
}

/// Answers questions about positions; the hook of the machine.
fn plain(ctx: &mut Context, word: Builtin, position: &Arc<Position>) -> Run<Value> {
    let Shape::Sum(components) = &position.shape else { return Err(refused("a compound")) };
    let mut ids = Vec::new();
    for component in components.iter() {
        ids.push(ctx.component(component)?);
    }
    match word {
        Builtin::Grundy if position.misere => Err(refused("Grundy values in misere play")),
        Builtin::Grundy => Ok(Value::int(value(ctx, &ids)?.into())),
        Builtin::Loses | Builtin::Wins | Builtin::Outcome => {
            ids.sort_unstable();
            let mut plays = Plays { grundy: false, misere: position.misere, known: HashMap::new() };
            // A sum in normal play by the values of its components, if they have any (Sprague, 1935; Grundy, 1939).
            let sum = ids.len() > 1 && !position.misere;
            let wins = match if sum { value(ctx, &ids) } else { Err(refused("no sum")) } {
                Ok(value) => value != 0,
                Err(Halt::Fault(fault)) if fault.code == REFUSED => plays.told(ctx, &ids)? == 1,
                Err(halt) => return Err(halt),
            };
            Ok(match word {
                Builtin::Outcome => Value::text(if wins { "first" } else { "second" }),
                _ => Value::Bool(wins == (word == Builtin::Wins)),
            })
        }
        _ => Err(refused("a question about more than who wins")),
    }
}

fn value(ctx: &mut Context, ids: &[ComponentId]) -> Run<i64> {
    let mut plays = Plays { grundy: true, misere: false, known: HashMap::new() };
    ids.iter().try_fold(0, |all, id| Ok(all ^ plays.told(ctx, &[*id])?))
}

/// The code of refusals: that of a limit, so that nothing is said of the claim.
const REFUSED: Code = Code::L01;

fn refused(what: &str) -> Halt {
    Fault::new(REFUSED, format!("{what} is not played through here")).into()
}

struct Plays {
    /// Grundy values of single components; else 1 where the player to move wins and 0 where not.
    grundy: bool,
    misere: bool,
    /// What is known of positions; `None`: they are being played through.
    known: HashMap<Vec<ComponentId>, Option<i64>>,
}

/// Bytes of stack that are added at once.
const STACK: usize = 1 << 20;

enum Met {
    Known(i64),
    /// For each option the positions whose values make up its own.
    Open(Vec<Vec<Vec<ComponentId>>>),
}

impl Plays {
    fn told(&mut self, ctx: &mut Context, position: &[ComponentId]) -> Run<i64> {
        match self.known.get(position) {
            Some(Some(value)) => return Ok(*value),
            Some(None) => return Err(refused("a play that can come back")),
            None => {}
        }
        ctx.limits.check_clock()?;
        self.known.insert(position.to_vec(), None);
        let value = match self.met(ctx, position)? {
            Met::Known(value) => value,
            Met::Open(options) => {
                let mut values = BTreeSet::new();
                for option in &options {
                    let told = |all: i64, part: &Vec<ComponentId>| Ok::<_, Halt>(all ^ self.told(ctx, part)?);
                    // Plays may be longer than the stack is deep.
                    values.insert(stacker::maybe_grow(STACK / 8, STACK, || option.iter().try_fold(0, told))?);
                }
                self.value(&values)
            }
        };
        self.known.insert(position.to_vec(), Some(value));
        Ok(value)
    }

    fn value(&self, options: &BTreeSet<i64>) -> i64 {
        if self.grundy {
            return width::int((0..).zip(options).take_while(|(wanted, value)| wanted == *value).count());
        }
        i64::from(options.contains(&0) || options.is_empty() && self.misere)
    }

    /// The options of a position, all moves of all components.
    fn met(&self, ctx: &mut Context, position: &[ComponentId]) -> Run<Met> {
        let (mut options, mut stopped, mut wins) = (Vec::new(), false, false);
        let mut out = Options::default();
        let mut ended = None;
        for (at, &id) in position.iter().enumerate() {
            out.clear();
            ctx.options(id, &mut out)?;
            match out.status {
                Status::Open => {}
                Status::Over => continue,
                Status::Play(outcome) if ended.is_none_or(|other| other == outcome) => {
                    ended = Some(outcome);
                    continue;
                }
                Status::Play(_) => return Err(refused("a play that ends in two ways at once")),
                Status::Score(_) => return Err(refused("a play for points")),
            }
            for mv in &out.moves {
                if mv.again || mv.gain.is_some() {
                    return Err(refused("a move for points or another turn"));
                }
                match mv.target {
                    MoveTarget::Stop(Outcome::First) => wins = true,
                    MoveTarget::Stop(Outcome::Second) => stopped = true,
                    MoveTarget::Stop(Outcome::Draw) => return Err(refused("a draw")),
                    MoveTarget::To { first, len } => {
                        let parts = &out.components[first as usize..(first + len) as usize];
                        if self.grundy {
                            options.push(parts.iter().map(|part| vec![*part]).collect());
                            continue;
                        }
                        let mut sum: Vec<ComponentId> =
                            position[..at].iter().chain(&position[at + 1..]).chain(parts).copied().collect();
                        sum.sort_unstable();
                        options.push(vec![sum]);
                    }
                }
            }
        }
        if self.grundy && (ended.is_some() || stopped || wins) {
            return Err(refused("an end of the whole play"));
        }
        match ended {
            Some(Outcome::First) => Ok(Met::Known(1)),
            Some(Outcome::Second) => Ok(Met::Known(0)),
            Some(Outcome::Draw) => Err(refused("a draw")),
            // Ends come before moves.
            None if wins => Ok(Met::Known(1)),
            None if stopped && options.is_empty() => Ok(Met::Known(0)),
            None => Ok(Met::Open(options)),
        }
    }
}
