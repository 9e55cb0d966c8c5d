//! The instructions on values: those that make, combine and collect them.

use crate::bytecode::{Aggregate, Code, Op};
use crate::input::entry;
use crate::model::builtin::Builtin;
use crate::model::{BinaryOp, Gather, GlobalId};
use crate::source::diagnostic;
use crate::value::fault::{Fault, Run};
use crate::value::{self, Value, position};
use crate::vm::context::Context;
use crate::vm::run::Builder;
use crate::vm::step::items::{outside, part};
use crate::vm::step::misplaced;
use crate::words;

impl Context {
    /// One instruction, standing at `at`.
    #[inline] // into the one loop
    pub(super) fn step_on_values(
        &mut self,
        op: Op,
        code: &Code,
        at: usize,
        w: &mut [i64],
        v: &mut [Value],
        builders: &mut Vec<Builder>,
    ) -> Run<()> {
        macro_rules! w {
            ($r:expr) => {
                w[usize::from($r)]
            };
        }
        macro_rules! v {
            ($r:expr) => {
                v[usize::from($r)]
            };
        }
        match op {
            Op::Materialize { d, make } => v!(d) = self.made(&code.makes[usize::from(make)], w, v),
            Op::Value { d, k } => v!(d) = code.constants[usize::from(k)].clone(),
            Op::Move { d, a } => v!(d) = v!(a).clone(),
            Op::Global { d, global } => v!(d) = self.global(GlobalId(global as usize))?,
            Op::Drawing { d, drawing } => {
                let span = code.spans[at];
                match self.drawing_of(drawing) {
                    Some(drawing) => v!(d) = self.drawn(&drawing, span)?,
                    None => return Err(Fault::new(diagnostic::Code::E18, "too many drawings").into()),
                }
            }
            Op::Binary { op, d, a, b } => {
                self.spend(v!(a).breadth() + v!(b).breadth())?;
                v!(d) = words::binary(op, &v!(a), &v!(b))?;
            }
            Op::Range { d, a, b } => v!(d) = words::binary(BinaryOp::Range, &v!(a), &v!(b))?,
            Op::Compare { op, d, a, b } => w!(d) = i64::from(words::compare(op, &v!(a), &v!(b))?),
            Op::NegValue { d, a } => v!(d) = words::negate(&v!(a))?,
            Op::Call { spec } => {
                let spec = &code.calls[usize::from(spec)];
                self.spend(spec.args.iter().map(|a| v!(*a).breadth()).sum())?;
                let result = match &spec.args[..] {
                    [a] => self.word(spec.word, std::slice::from_ref(&v!(*a)))?,
                    args => {
                        let args: Vec<Value> = args.iter().map(|a| v!(*a).clone()).collect();
                        self.word(spec.word, &args)?
                    }
                };
                v!(spec.d) = result;
            }
            Op::Index { d, a, i } => v!(d) = words::index(&v!(a), &v!(i))?,
            Op::IndexWord { d, a, i } => {
                let i = w!(i);
                let result = match &v!(a) {
                    Value::List(list) => {
                        let at = i.checked_sub(list.base).and_then(|i| usize::try_from(i).ok());
                        let Some(item) = at.and_then(|i| list.items.item(i)) else {
                            let whole = Aggregate::List(list.base);
                            return Err(outside(i, list.items.len(), list.base, whole).into());
                        };
                        item
                    }
                    other => words::index(other, &Value::Int(i))?,
                };
                v!(d) = result;
            }
            Op::Slice { spec } => {
                let spec = &code.slices[usize::from(spec)];
                let from = spec.from.map(|r| &v[usize::from(r)]);
                let to = spec.to.map(|r| &v[usize::from(r)]);
                v!(spec.d) = words::slice(&v!(spec.a), from, to)?;
            }
            Op::Update { spec } => {
                let spec = &code.updates[usize::from(spec)];
                let changes: Vec<_> =
                    spec.changes.iter().map(|(i, op, x)| (v!(*i).clone(), *op, v!(*x).clone())).collect();
                v!(spec.d) = words::update(&v!(spec.a), &changes)?;
            }
            Op::UpdateBuilt { d, a, op } => {
                let items = builders.pop().map(|b| b.items).unwrap_or_default();
                let changes: Vec<_> =
                    items.chunks_exact(2).map(|pair| (pair[0].clone(), op, pair[1].clone())).collect();
                v!(d) = words::update(&v!(a), &changes)?;
            }
            Op::Tuple { spec } => {
                let registers = &code.registers[usize::from(spec)];
                v!(registers[0]) = Value::Tuple(registers[1..].iter().map(|r| v!(*r).clone()).collect());
            }
            Op::Part { spec } => {
                let spec = &code.parts[usize::from(spec)];
                v!(spec.d) = part(&v!(spec.a), spec.index, spec.arity)?;
            }
            Op::Enter { d, a, spec } => {
                let spec = &code.enters[usize::from(spec)];
                let known: Vec<_> = spec.graphs.iter().map(|(slot, r)| (*slot, v!(*r).clone())).collect();
                let value = v!(a).clone();
                let graph = |slot| known.iter().find(|(s, _)| *s == slot).map(|(_, v)| v.clone());
                v!(d) = self.enter_kind(value, &spec.kind, graph, || format!("`{}`", spec.name))?;
            }
            Op::Adapt { d, a, ty } => {
                if let Value::Graph(graph) = &v!(a) {
                    // To be gone through.
                    self.foresee(0, i64::try_from(graph.vertices.len()).unwrap_or(i64::MAX))?;
                }
                v!(d) = entry::adapt(v!(a).clone(), &code.types[usize::from(ty)])?;
            }
            Op::Build => {
                self.run.serial += 1;
                builders.push(Builder { items: Vec::new(), row: None, serial: self.run.serial });
            }
            Op::BuildPush { a } => {
                if let Some(builder) = builders.last_mut() {
                    builder.items.push(v!(a).clone());
                }
            }
            Op::BuildSpread { a } => {
                let members = value::members(&v!(a))?.into_owned();
                if let Some(builder) = builders.last_mut() {
                    builder.items.extend(members);
                }
            }
            Op::BuildDone { d, gather } => {
                let items = builders.pop().map(|b| b.items).unwrap_or_default();
                v!(d) = match gather {
                    Gather::List => Value::list_packing(items),
                    Gather::Set => Value::set_packing(items.into_iter().map(value::settled).collect()),
                };
            }
            Op::Ask { word, d, a } => {
                let position = v!(a).to_position()?;
                let hook = self.session.hook;
                v!(d) = hook(self, word, &position)?;
            }
            Op::Place { spec } => {
                let spec = &code.places[usize::from(spec)];
                let params = self.placed_params(spec, None, v)?;
                v!(spec.d) = self.placed(spec, params, v)?;
            }
            Op::PlaceInto { spec } => {
                if let Some(builder) = builders.last_mut() {
                    self.place_into(&code.places[usize::from(spec)], builder, v)?;
                }
            }
            Op::BuildSum { d } => {
                let (items, row) = builders.pop().map(|b| (b.items, b.row)).unwrap_or_default();
                v!(d) = match row {
                    Some(row) if row.is_long() => {
                        self.spend(row.ints.len() as u64)?;
                        position::of_row(row)?
                    }
                    row => {
                        let items = row.map_or(items, |row| position::spelled(&row));
                        self.spend(items.len() as u64)?;
                        words::call(Builtin::Sum, &[Value::list_packing(items)])?
                    }
                };
            }
            Op::Misere { d, a } => v!(d) = position::misere(&v!(a))?,
            Op::Tag { d, spec } => {
                let mut tag = vec![builders.last().map_or(0, |b| b.serial)];
                tag.extend(code.registers[usize::from(spec)].iter().map(|r| w!(*r)));
                v!(d) = position::tagged(&v!(d), &tag)?;
            }

            _ => return Err(misplaced()),
        }
        Ok(())
    }
}
