//! `legal when` and `same as` inside the code of the moves, for native code, which sees one option at a
//! time and asks nothing of positions once they are made.

use crate::bytecode::InstanceId;
use crate::bytecode::lower::{Label, Lower, Scope, SlotState};
use crate::bytecode::{FieldReg, Op, PushSpec, Reg};
use crate::model::{Game, Same, TermKind};
use crate::value::refusal::Refusal;

/// More replacements in a row than this are left to the general search, which knows whether they end.
const TURNS: i64 = 1000;

/// What the lowering of judged moves keeps.
#[derive(Debug, Default)]
pub(super) struct Judging {
    /// Whether targets are judged in the code.
    pub(super) on: bool,
    /// Where a move goes on that is absent.
    pub(super) absent: Option<Label>,
    /// Why it cannot be done.
    pub(super) refused: Option<Refusal>,
}

impl<'p> Lower<'_, 'p> {
    /// Leaves the move when a `legal when` of the component in the running scope is false. Its fields are bound. What
    /// follows stands in doubt once more for each condition: their number.
    pub(super) fn leave_unless_legal(&mut self, game: &'p Game) -> usize {
        let Some(absent) = self.judging.absent else { return 0 };
        let mut doubts = 0;
        for condition in &game.legal {
            self.ready_lazies(&[condition]);
            match self.test(condition, absent) {
                Some(true) => {}
                Some(false) => {
                    self.emit(Op::Jump(Self::to(absent)));
                }
                None => doubts += 1,
            }
        }
        doubts
    }

    /// The component that `same as` puts in the place of this one.
    pub(super) fn replaced_by_same(&mut self, game: &'p Game, push: PushSpec) -> PushSpec {
        if game.same.is_empty() || self.ctx.code_form().ignore_same {
            return push;
        }
        let Some(words) = push.words else {
            self.judging.refused = Some(Refusal::SameNoWords);
            return push;
        };
        let instance = push.instance;
        let params = self.ctx.instance_at(instance).params.clone();
        let forms = self.ctx.instance_at(instance).forms.clone();
        let mut scope = Scope::new(&game.frame, Some(instance));
        for (slot, value) in params.iter().enumerate() {
            scope.slots[slot] = SlotState::At(crate::bytecode::lower::Operand::Known(value.clone()));
        }
        self.scopes.push(scope);
        let mut now = Vec::new();
        for (i, form) in forms.iter().enumerate() {
            let operand = self.registers_of(form, &mut now);
            self.scope_mut().slots[params.len() + i] = SlotState::At(operand);
        }
        for (&d, &a) in now.iter().zip(&words) {
            self.emit(Op::Copy { d, a });
        }
        let left = self.constant(TURNS);
        let (again, done) = (self.label(), self.label());
        self.put(again);
        self.loops += 1;
        self.doubts += 1;
        let terms: Vec<_> = game.same.iter().flat_map(|s| [&s.when, &s.position]).collect();
        self.ready_lazies(&terms);
        for same in &game.same {
            let next = self.label();
            self.at(same.span, |lower| {
                lower.jump_unless(&same.when, next);
                lower.replace(same, instance, &now, left, again, done);
            });
            self.put(next);
        }
        self.loops -= 1;
        self.doubts -= 1;
        self.put(done);
        self.scopes.pop();
        PushSpec::new(instance, now.into_iter().map(FieldReg::Word).collect())
    }

    /// One `same as` line that holds: goes to `done` when nothing changes, else puts the new fields into `now` and goes
    /// to `again`.
    fn replace(&mut self, same: &'p Same, instance: InstanceId, now: &[Reg], left: Reg, again: Label, done: Label) {
        let spec = match &same.position.kind {
            TermKind::Place(place) => {
                self.judging.on = false;
                let spec = self.ready_place(place);
                self.judging.on = true;
                spec
            }
            _ => None,
        };
        let target = spec.map(|spec| self.code.pushes[usize::from(spec)].clone());
        let words = target.filter(|push| push.instance == instance).and_then(|push| push.words);
        let (Some(spec), Some(words)) = (spec, words) else {
            self.judging.refused = Some(Refusal::SameOtherForm);
            return;
        };
        let changed = self.label();
        for (&a, &b) in now.iter().zip(&words) {
            self.emit(Op::JumpNe { a, b, to: Self::to(changed) });
        }
        self.emit(Op::Jump(Self::to(done)));
        self.put(changed);
        // The new fields may be the old ones in another order.
        let kept: Vec<Reg> = words.iter().map(|&a| self.copied(a)).collect();
        for (&d, &a) in now.iter().zip(&kept) {
            self.emit(Op::Copy { d, a });
        }
        let none = self.pooled(0);
        self.emit(Op::AddConst { d: left, a: left, k: -1 });
        self.emit(Op::JumpLt { a: none, b: left, to: Self::to(again) });
        self.emit(Op::OutsideDomain { spec });
    }

    fn copied(&mut self, a: Reg) -> Reg {
        let d = self.word();
        self.emit(Op::Copy { d, a });
        d
    }
}
