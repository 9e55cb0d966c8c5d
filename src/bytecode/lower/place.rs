//! Positions: as values anywhere, as components pushed from registers in targets of moves.

use crate::bytecode::lower::shape::Shape;
use crate::bytecode::lower::{Lower, Operand, Scope, SlotState};
use crate::bytecode::{FieldReg, InstanceId, Op, PlaceSpec, PushSpec, Reg, WordType};
use crate::model::{BinaryOp, Builtin, Clause, Field, Gather, Kind, Place, PlaceParams, Term, TermKind};
use crate::value::Value;

impl<'p> Lower<'_, 'p> {
    /// `G[params](fields)` as a value; made, checked and completed with defaults when the code runs.
    pub(crate) fn place_value(&mut self, place: &'p Place) -> Operand {
        let (spec, d) = self.place_spec(place);
        self.emit(Op::Place { spec });
        Operand::Value(d)
    }

    /// `sum(G[params](fields) for CLAUSES)`: no position is made of each component.
    pub(crate) fn sum_of_places(&mut self, term: &'p Term, place: &'p Place, clauses: &'p [Clause]) -> Operand {
        self.emit(Op::Build);
        self.clauses(clauses, false, &mut |lower| {
            lower.at(term.span, |lower| {
                let (spec, _) = lower.place_spec(place);
                lower.emit(Op::PlaceInto { spec });
            });
        });
        Operand::Value(self.emit_value(|d| Op::BuildSum { d }))
    }

    fn place_spec(&mut self, place: &'p Place) -> (u16, Reg) {
        let (params, own) = match &place.params {
            PlaceParams::Own => (None, self.scope().own.map(|i| self.ctx.instance_at(i).params.clone())),
            PlaceParams::Given(params) => (Some(self.optional_values(params)), None),
        };
        let fields = self.optional_values(&place.fields);
        let d = self.value();
        let game = &self.program.games[place.game.0];
        let int_from = match &game.fields[..] {
            _ if game.misere || game.filter.is_some() => None,
            [Field { kind: Kind::Nat, .. }] => Some(0),
            [Field { kind: Kind::Int, .. }] => Some(i64::MIN),
            _ => None,
        };
        let of_ints = !game.misere
            && game.filter.is_none()
            && game.fields.iter().all(|field| matches!(field.kind, Kind::Nat | Kind::Int))
            && fields.iter().flatten().count() == game.fields.len();
        let instance = if of_ints { self.instance_of_place(place) } else { None };
        let spec = PlaceSpec { game: place.game, d, params, fields, own, int_from, instance };
        (self.entry(|code| &mut code.places, spec), d)
    }

    fn optional_values(&mut self, terms: &'p [Option<Term>]) -> Box<[Option<Reg>]> {
        terms.iter().map(|t| t.as_ref().map(|t| self.expr_value(t))).collect()
    }

    pub(crate) fn push_position(&mut self, term: &'p Term) {
        self.at(term.span, |lower| lower.push_here(term));
    }

    fn push_here(&mut self, term: &'p Term) {
        let operand = match &term.kind {
            TermKind::Place(place) => match self.ready_place(place) {
                Some(spec) => return self.emit(Op::PushPlace { spec }),
                None => self.place_value(place),
            },
            TermKind::Binary(BinaryOp::Add, a, b) => {
                self.push_position(a);
                return self.push_position(b);
            }
            TermKind::Misere(inner) => return self.push_position(inner),
            TermKind::If(condition, yes, no) => {
                return self.both_ways(condition, |lower, truth| lower.push_position(if truth { yes } else { no }));
            }
            TermKind::Builtin(Builtin::Sum, args) => match &args[..] {
                [Term { kind: TermKind::Comprehension(Gather::List, value, clauses), .. }] => {
                    return self.clauses(clauses, false, &mut |lower| lower.push_position(value));
                }
                _ => self.expr(term),
            },
            _ => self.expr(term),
        };
        let a = self.as_value(operand);
        self.emit(Op::PushValue { a });
    }

    /// The instance of a component; `None`: the rule parameters are not known now.
    fn instance_of_place(&mut self, place: &'p Place) -> Option<InstanceId> {
        match &place.params {
            PlaceParams::Own => {
                let own = self.scope().own.filter(|&own| self.ctx.instance_at(own).game == place.game)?;
                Some(self.ctx.instance_at(own).base)
            }
            PlaceParams::Given(params) => {
                let known = params.iter().map(|param| match param {
                    Some(term) => self.known(term).map(Some),
                    None => Some(None),
                });
                let known = known.collect::<Option<Vec<_>>>()?;
                self.ctx.instance_of(place.game, known).ok()
            }
        }
    }

    /// The fields of a component in registers, ready to be pushed. `None`: the rule parameters are not known now.
    pub(crate) fn ready_place(&mut self, place: &'p Place) -> Option<u16> {
        let program = self.program;
        let game = &program.games[place.game.0];
        let instance = self.instance_of_place(place)?;
        let given: Vec<Option<Operand>> = place.fields.iter().map(|t| t.as_ref().map(|t| self.expr(t))).collect();
        let safe: Vec<bool> =
            place.fields.iter().map(|t| t.as_ref().is_some_and(|t| self.cannot_be_negative(t))).collect();
        let word_types = self.ctx.instance_at(instance).word_types.clone();
        self.scopes.push(Scope::of_instance(self.ctx, program, instance));
        let mut fields = Vec::with_capacity(game.fields.len());
        for (i, field) in game.fields.iter().enumerate() {
            let operand = match (given.get(i).cloned().flatten(), &field.default) {
                (Some(operand), _) => operand,
                (None, Some(default)) => {
                    self.ready_lazies(&[default]);
                    self.expr(default)
                }
                (None, None) => Operand::Known(Value::Int(0)),
            };
            let fine = safe.get(i).copied().unwrap_or(false);
            let stays = word_types[i].is_none() && self.is_of_kind(&operand, &field.kind, instance);
            let operand =
                if stays { operand } else { self.field(operand, &field.kind, &field.name, word_types[i], fine) };
            fields.push(operand.clone());
            self.scope_mut().slots[game.params.len() + i] = SlotState::At(operand);
        }
        let push = self.push_spec(instance, &game.fields, &fields, &word_types);
        if let Some(filter) = &game.filter {
            self.ready_lazies(&[filter]);
            let (bad, fine) = (self.label(), self.label());
            let truth = self.test(filter, bad);
            if truth != Some(true) {
                if truth.is_none() {
                    self.emit(Op::Jump { to: Self::to(fine) });
                }
                self.put(bad);
                let spec = self.entry(|code| &mut code.pushes, push.clone());
                self.emit(Op::OutsideDomain { spec });
                self.put(fine);
            }
        }
        if self.judging.on {
            self.doubts += self.leave_unless_legal(game);
        }
        self.scopes.pop();
        let push = if self.judging.on { self.replaced_by_same(game, push) } else { push };
        Some(self.entry(|code| &mut code.pushes, push))
    }

    /// The instance that a component with these fields belongs to, and its words; values for the base to sort out when the
    /// form is not known now.
    fn push_spec(
        &mut self,
        base: InstanceId,
        decls: &[Field],
        fields: &[Operand],
        word_types: &[Option<WordType>],
    ) -> PushSpec {
        if self.scalar && self.ctx.instance_at(base).splits {
            let mut shape = Shape { base, lengths: Vec::new(), words: Vec::new() };
            let mut all = decls.iter().zip(fields).zip(word_types).enumerate();
            let whole = all.try_for_each(|(index, ((decl, field), word_type))| {
                if self.is_named_field(base, index) {
                    return self.measure_named(field, &mut shape);
                }
                self.measure(field, &decl.kind, *word_type, &mut shape)
            });
            if whole.is_some() {
                let instance = self.ctx.instance_of_lengths(base, &shape.lengths);
                if instance != base {
                    let words = shape
                        .words
                        .into_iter()
                        .map(|(o, word_type)| FieldReg::Word(self.as_word(o, word_type)))
                        .collect();
                    return PushSpec::new(instance, words);
                }
            }
            if let Some(push) = self.shaped_push(base, decls, fields, word_types) {
                return push;
            }
        }
        let registers = fields.iter().zip(word_types).map(|(field, word_type)| match word_type {
            Some(word_type) => FieldReg::Word(self.as_word(field.clone(), *word_type)),
            None => FieldReg::Value(self.as_value(field.clone())),
        });
        PushSpec::new(base, registers.collect())
    }

    /// A field's operand, checked; a word when its component keeps it as one. `fine`: known not to be negative.
    fn field(
        &mut self,
        operand: Operand,
        kind: &'p Kind,
        name: &str,
        word_type: Option<WordType>,
        fine: bool,
    ) -> Operand {
        let Some(word_type) = word_type else { return self.enter_kind(operand, kind, name) };
        let known_nat = matches!(&operand, Operand::Known(Value::Int(n)) if *n >= 0);
        let reg = self.as_word(operand.clone(), word_type);
        if matches!(kind, Kind::Nat) && !known_nat && !fine {
            self.check_nat(reg, name);
        }
        // What is known stays known to the header's `where` and to defaults.
        if self.scalar && matches!(operand, Operand::Known(_)) { operand } else { Operand::Word(reg, word_type) }
    }
}
