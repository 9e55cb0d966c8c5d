//! Lists, texts and tuples known by their parts, each an operand: what stays in registers instead of a value.

use super::{Lower, Operand};
use crate::check::kind::{Kind, Type};
use crate::rules::code::{Make, Op, Reg, Rep, Whole};
use crate::rules::entry;
use crate::rules::fault::Fault;
use crate::rules::form::{self, Form, LONGEST};
use crate::rules::value::{Value, members};
use std::rc::Rc;

/// A collection by its parts.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) whole: Whole,
    pub(crate) parts: Vec<Part>,
}

/// One part; with a flag it is there only when the flag's word is not 0.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) flag: Option<Reg>,
    pub(crate) operand: Operand,
}

impl Part {
    /// A part that is there.
    pub(crate) fn sure(operand: Operand) -> Part {
        Part { flag: None, operand }
    }
}

impl Parts {
    /// Whether all parts are there, so that places are known.
    pub(crate) fn is_sure(&self) -> bool {
        self.parts.iter().all(|part| part.flag.is_none())
    }
}

/// Registers that hold an operand of one of several forms.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mold {
    Word(Rep),
    Value,
    Parts(Whole, Vec<Mold>),
}

impl Lower<'_, '_> {
    /// A whole of parts: its value when all are known, the letter when it is a text of one.
    pub(crate) fn whole(&mut self, whole: Whole, mut parts: Vec<Part>) -> Operand {
        let sure = parts.iter().all(|part| part.flag.is_none());
        if sure && whole == Whole::Text && parts.len() == 1 {
            return parts.swap_remove(0).operand;
        }
        let known = |part: &Part| if let Operand::Known(value) = &part.operand { Some(value.clone()) } else { None };
        if sure && let Some(values) = parts.iter().map(known).collect::<Option<Vec<Value>>>() {
            return Operand::Known(form::whole(whole, values));
        }
        let long = parts.len() > 4 * LONGEST;
        let operand = Operand::Parts(Rc::new(Parts { whole, parts }));
        if long { Operand::Value(self.as_value(operand)) } else { operand }
    }

    /// Whether a word is the number of a letter.
    pub(crate) fn is_letter(&mut self, operand: &Operand) -> bool {
        matches!(operand, Operand::Word(_, Rep::Member(domain)) if self.letters == Some(*domain))
    }

    /// The parts of an operand, if they are at hand.
    pub(crate) fn parts(&mut self, operand: &Operand) -> Option<Rc<Parts>> {
        if !self.scalar {
            return None;
        }
        let whole = match operand {
            Operand::Parts(parts) => return Some(parts.clone()),
            Operand::Known(Value::List(list)) => Whole::List(list.base),
            Operand::Known(Value::Range(..)) => Whole::List(0),
            Operand::Known(Value::Text(_)) => Whole::Text,
            Operand::Known(Value::Set(_)) => Whole::Set,
            Operand::Known(Value::Tuple(items)) => {
                let parts = items.iter().map(|item| Part::sure(Operand::Known(item.clone()))).collect();
                return Some(Rc::new(Parts { whole: Whole::Tuple, parts }));
            }
            Operand::Word(..) if self.is_letter(operand) => {
                return Some(Rc::new(Parts { whole: Whole::Text, parts: vec![Part::sure(operand.clone())] }));
            }
            _ => return None,
        };
        let Operand::Known(value) = operand else { return None };
        let items = members(value).ok().filter(|items| items.len() <= LONGEST)?;
        let parts = items.iter().map(|item| Part::sure(Operand::Known(item.clone()))).collect();
        Some(Rc::new(Parts { whole, parts }))
    }

    /// The same when all parts are there.
    pub(crate) fn sure_parts(&mut self, operand: &Operand) -> Option<Rc<Parts>> {
        self.parts(operand).filter(|parts| parts.is_sure())
    }

    /// How the value of an operand is put together when it is wanted.
    pub(crate) fn make(operand: &Operand) -> Make {
        match operand {
            Operand::Known(value) => Make::Known(value.clone()),
            Operand::Word(reg, rep) => Make::Word(*reg, *rep),
            Operand::Value(reg) => Make::Value(*reg),
            Operand::Parts(parts) => {
                let make = |part: &Part| (part.flag, Self::make(&part.operand));
                Make::Parts(parts.whole, parts.parts.iter().map(make).collect())
            }
        }
    }

    /// The registers of a form that components keep.
    pub(crate) fn registers_of(&mut self, form: &Form, inputs: &mut Vec<Reg>) -> Operand {
        match form {
            Form::Value => Operand::Value(self.value()),
            Form::Word(rep) => {
                let reg = self.word();
                inputs.push(reg);
                Operand::Word(reg, *rep)
            }
            Form::Parts(whole, forms) => {
                let parts = forms.iter().map(|form| Part::sure(self.registers_of(form, inputs))).collect();
                self.whole(*whole, parts)
            }
        }
    }

    // ---- one place for several operands

    /// The form in which the operand can stay.
    fn mold(&mut self, operand: &Operand) -> Mold {
        match operand {
            Operand::Word(_, rep) => Mold::Word(*rep),
            Operand::Value(_) => Mold::Value,
            Operand::Known(Value::Int(_)) if self.narrow() => Mold::Word(Rep::Int),
            Operand::Known(Value::Bool(_)) => Mold::Word(Rep::Bool),
            Operand::Known(value @ Value::Text(text)) if text.single().is_some() => {
                let letters = self.letters.map(Rep::Member);
                letters.filter(|rep| self.known_word(value, *rep).is_some()).map_or(Mold::Value, Mold::Word)
            }
            Operand::Known(Value::Set(_) | Value::Range(..)) => Mold::Value,
            _ => match self.sure_parts(operand) {
                Some(parts) if parts.whole != Whole::Set => {
                    Mold::Parts(parts.whole, parts.parts.iter().map(|part| self.mold(&part.operand)).collect())
                }
                _ => Mold::Value,
            },
        }
    }

    /// Whether registers of this form can hold the operand.
    fn fits(&mut self, mold: &Mold, operand: &Operand) -> bool {
        match (mold, operand) {
            (Mold::Value, _) => true,
            (Mold::Word(rep), Operand::Word(_, have)) => rep == have,
            (Mold::Word(rep), Operand::Known(value)) => self.known_word(value, *rep).is_some(),
            (Mold::Word(_), _) => false,
            (Mold::Parts(whole, molds), _) => self.sure_parts(operand).is_some_and(|parts| {
                parts.whole == *whole
                    && parts.parts.len() == molds.len()
                    && molds.iter().zip(&parts.parts).all(|(mold, part)| self.fits(mold, &part.operand))
            }),
        }
    }

    /// The form that holds every one of the operands.
    pub(crate) fn common_mold<'o>(&mut self, operands: impl Iterator<Item = &'o Operand> + Clone) -> Mold {
        // Known values follow the others: a name of a vertex may be a number there.
        let open = operands.clone().find(|operand| !matches!(operand, Operand::Known(_)));
        let Some(first) = open.or_else(|| operands.clone().next()) else { return Mold::Value };
        let mut mold = self.mold(first);
        for operand in operands {
            if !self.fits(&mold, operand) {
                let other = self.mold(operand);
                mold = join_molds(mold, other);
                if !self.fits(&mold, operand) {
                    return Mold::Value;
                }
            }
        }
        mold
    }

    /// New registers of a form.
    pub(crate) fn registers_like(&mut self, mold: &Mold) -> Operand {
        match mold {
            Mold::Word(rep) => Operand::Word(self.word(), *rep),
            Mold::Value => Operand::Value(self.value()),
            Mold::Parts(whole, molds) => {
                let parts = molds.iter().map(|mold| Part::sure(self.registers_like(mold))).collect();
                self.whole(*whole, parts)
            }
        }
    }

    /// Copies an operand into registers that can hold it.
    pub(crate) fn copy_into(&mut self, to: &Operand, from: &Operand) {
        match to {
            Operand::Word(d, rep) => {
                if let Operand::Known(value) = from
                    && let Some(k) = self.known_word(value, *rep)
                {
                    self.load(*d, k);
                } else {
                    let a = self.as_word(from.clone(), *rep);
                    self.emit(Op::Copy { d: *d, a });
                }
            }
            Operand::Value(d) => {
                let a = self.as_value(from.clone());
                self.emit(Op::Move { d: *d, a });
            }
            Operand::Parts(to) => {
                if let Some(from) = self.parts(from) {
                    for (to, from) in to.parts.iter().zip(&from.parts) {
                        self.copy_into(&to.operand, &from.operand);
                    }
                }
            }
            Operand::Known(_) => {}
        }
    }

    // ---- entering kinds

    /// Parts, or a known value, on entering a kind; `None`: left to the general way.
    pub(crate) fn enter_parts(&mut self, operand: &Operand, kind: &Kind, name: &str) -> Option<Operand> {
        if !self.scalar {
            return None;
        }
        if let (Operand::Known(value), Kind::List(..) | Kind::Tuple(_) | Kind::Bool | Kind::Text) = (operand, kind) {
            // A kind that names a graph fails here and is left to run.
            let mut no_graph = |_: &crate::check::model::Term| Err(Fault::new("E03", "no graph is known here"));
            return entry::enter(value.clone(), kind, &mut no_graph).ok().map(Operand::Known);
        }
        match kind {
            Kind::Text => match operand {
                Operand::Parts(parts) if parts.whole == Whole::Text => Some(operand.clone()),
                _ => self.is_letter(operand).then(|| operand.clone()),
            },
            Kind::List(of, base) => match operand {
                Operand::Parts(parts) if matches!(parts.whole, Whole::List(_)) => {
                    let plain = matches!(**of, Kind::Nat | Kind::Int | Kind::Bool | Kind::Text | Kind::Any(_));
                    if !parts.is_sure() && !plain {
                        return None;
                    }
                    let mut entered = Vec::with_capacity(parts.parts.len());
                    for part in &parts.parts {
                        entered.push(Part { flag: part.flag, operand: self.enter_part(part, of, name)? });
                    }
                    Some(self.whole(Whole::List(*base), entered))
                }
                _ => None,
            },
            Kind::Tuple(kinds) => match operand {
                Operand::Parts(parts) if parts.whole == Whole::Tuple && parts.parts.len() == kinds.len() => {
                    let mut entered = Vec::with_capacity(kinds.len());
                    for (part, kind) in parts.parts.iter().zip(kinds) {
                        entered.push(Part { flag: part.flag, operand: self.enter_part(part, kind, name)? });
                    }
                    Some(self.whole(Whole::Tuple, entered))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// An item on entering the kind of the items; nothing is asked of one that is not there.
    fn enter_part(&mut self, part: &Part, kind: &Kind, name: &str) -> Option<Operand> {
        let operand = &part.operand;
        match (kind, operand) {
            (Kind::Any(_), _)
            | (Kind::Bool, Operand::Word(_, Rep::Bool))
            | (Kind::Int, Operand::Word(_, Rep::Int) | Operand::Known(Value::Int(_))) => Some(operand.clone()),
            (Kind::Nat, Operand::Known(Value::Int(n))) if *n >= 0 => Some(operand.clone()),
            (Kind::Nat, Operand::Word(a, Rep::Int)) => {
                let (a, later) = (*a, self.label());
                if let Some(flag) = part.flag {
                    self.emit(Op::JumpUnless(flag, Self::to(later)));
                }
                self.check_nat(a, name);
                self.put(later);
                Some(operand.clone())
            }
            (Kind::Vertex(Some(_)), Operand::Word(_, Rep::Member(domain))) if self.letters != Some(*domain) => {
                // Its graph may be another: asked when the value enters.
                None
            }
            _ => self.enter_parts(operand, kind, name),
        }
    }

    /// Whether an operand is of this type as it stands, so that nothing is to be adapted.
    pub(crate) fn suits(&mut self, operand: &Operand, ty: &Type) -> bool {
        match (ty, operand) {
            (Type::Int, Operand::Word(_, Rep::Int) | Operand::Known(Value::Int(_)))
            | (Type::Bool, Operand::Word(_, Rep::Bool) | Operand::Known(Value::Bool(_))) => true,
            (Type::Text, _) => {
                matches!(operand, Operand::Parts(parts) if parts.whole == Whole::Text)
                    || matches!(operand, Operand::Known(Value::Text(_)))
                    || self.is_letter(operand)
            }
            (Type::List(of), Operand::Parts(parts)) => {
                matches!(parts.whole, Whole::List(_)) && parts.parts.iter().all(|part| self.suits(&part.operand, of))
            }
            (Type::Tuple(types), Operand::Parts(parts)) => {
                parts.whole == Whole::Tuple
                    && parts.parts.len() == types.len()
                    && parts.parts.iter().zip(types).all(|(part, ty)| self.suits(&part.operand, ty))
            }
            _ => false,
        }
    }

    // ---- fields

    /// The lengths of the lists and texts in a field's operand, and its words; `None`: it must be a value.
    pub(crate) fn measure(&mut self, operand: &Operand, kind: &Kind, rep: Option<Rep>, out: &mut Shape) -> Option<()> {
        if let Some(rep) = rep {
            out.words.push((operand.clone(), rep));
            return Some(());
        }
        match kind {
            Kind::Text => {
                let parts = self.sure_parts(operand).filter(|parts| parts.whole == Whole::Text)?;
                let letters = Rep::Member(self.letters?);
                out.lengths.push(u32::try_from(parts.parts.len()).ok().filter(|&n| n as usize <= LONGEST)?);
                for part in &parts.parts {
                    if !self.fits(&Mold::Word(letters), &part.operand) {
                        return None;
                    }
                    out.words.push((part.operand.clone(), letters));
                }
                Some(())
            }
            Kind::List(of, _) => {
                let parts = self.sure_parts(operand).filter(|parts| matches!(parts.whole, Whole::List(_)))?;
                out.lengths.push(u32::try_from(parts.parts.len()).ok().filter(|&n| n as usize <= LONGEST)?);
                let rep = self.rep_of(of, out.base);
                parts.parts.iter().try_for_each(|part| self.measure_part(&part.operand, of, rep, out))
            }
            Kind::Tuple(kinds) => {
                let parts = self.sure_parts(operand).filter(|parts| parts.whole == Whole::Tuple)?;
                for (part, kind) in parts.parts.iter().zip(kinds) {
                    let rep = self.rep_of(kind, out.base);
                    self.measure_part(&part.operand, kind, rep, out)?;
                }
                Some(())
            }
            _ => None,
        }
    }

    fn measure_part(&mut self, operand: &Operand, kind: &Kind, rep: Option<Rep>, out: &mut Shape) -> Option<()> {
        let fine = match (rep, operand) {
            // What is in a value was checked on entering; its word cannot fail then.
            (Some(_), Operand::Value(_)) | (None, _) => true,
            (Some(rep), _) => self.fits(&Mold::Word(rep), operand),
        };
        if fine { self.measure(operand, kind, rep, out) } else { None }
    }

    fn rep_of(&mut self, kind: &Kind, base: usize) -> Option<Rep> {
        let params = self.machine.instances[base].params.clone();
        self.machine.field_rep(kind, &params)
    }
}

/// What a state is made of.
pub(crate) struct Shape {
    pub(crate) base: usize,
    pub(crate) lengths: Vec<u32>,
    pub(crate) words: Vec<(Operand, Rep)>,
}

/// A form for both.
fn join_molds(a: Mold, b: Mold) -> Mold {
    match (a, b) {
        (a, b) if a == b => a,
        (Mold::Parts(w, a), Mold::Parts(x, b)) if w == x && a.len() == b.len() => {
            Mold::Parts(w, a.into_iter().zip(b).map(|(a, b)| join_molds(a, b)).collect())
        }
        _ => Mold::Value,
    }
}
