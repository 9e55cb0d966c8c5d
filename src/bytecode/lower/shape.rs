//! The state that fields known by their parts make: which instance it belongs to by its lengths, and its words. Where
//! running has to tell which members are there, the words are put together then.

use crate::bytecode::layout::{FieldLayout, LONGEST, NAMED};
use crate::bytecode::lower::operand::{Part, Parts};
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, InstanceId, Member, Op, Piece, PushSpec, ShapedPush, WordType};
use crate::model::{Field, Kind};
use crate::value::domain::NUMBERS;
use crate::value::width;

/// What a state is made of.
pub(crate) struct Shape {
    pub(crate) base: InstanceId,
    pub(crate) lengths: Vec<u32>,
    pub(crate) words: Vec<(Operand, WordType)>,
}

impl Lower<'_, '_> {
    /// The lengths of the lists and texts in a field's operand, and its words; `None`: it must be a value.
    pub(crate) fn measure(
        &mut self,
        operand: &Operand,
        kind: &Kind,
        word_type: Option<WordType>,
        out: &mut Shape,
    ) -> Option<()> {
        if let Some(word_type) = word_type {
            out.words.push((operand.clone(), word_type));
            return Some(());
        }
        match kind {
            Kind::Text | Kind::List(..) => {
                let parts = self.sure_parts(operand)?;
                let (of, word_type) = match (kind, parts.whole) {
                    (Kind::List(of, _), Aggregate::List(_)) => (&**of, self.part_word_type(of, out.base)),
                    (Kind::Text, Aggregate::Text) => (kind, Some(WordType::Member(self.letters?))),
                    _ => return None,
                };
                out.lengths.push(u32::try_from(parts.parts.len()).ok().filter(|&n| n as usize <= LONGEST)?);
                parts.parts.iter().try_for_each(|part| self.measure_part(&part.operand, of, word_type, out))
            }
            Kind::Bag(of) => {
                let mut parts = self.sure_parts(operand)?;
                match parts.whole {
                    Aggregate::Bag { ascending: true } => {}
                    Aggregate::Bag { ascending: false } => {
                        let tuples = parts.parts.iter().any(|part| matches!(part.operand, Operand::Parts(_)));
                        if tuples && !self.keeps(parts.parts.len()) {
                            // Running sorts them faster.
                            return None;
                        }
                        let sorted = self.sorted(&parts)?;
                        parts = self.sure_parts(&sorted)?;
                    }
                    _ => return None,
                }
                out.lengths.push(u32::try_from(parts.parts.len()).ok().filter(|&n| n as usize <= LONGEST)?);
                let word_type = self.part_word_type(of, out.base);
                parts.parts.iter().try_for_each(|part| self.measure_part(&part.operand, of, word_type, out))
            }
            Kind::Set(of) => {
                let parts =
                    self.sure_parts(operand).filter(|parts| parts.whole == Aggregate::Set { ascending: true })?;
                out.lengths.push(u32::try_from(parts.parts.len()).ok().filter(|&n| n as usize <= LONGEST)?);
                let word_type = self.part_word_type(of, out.base);
                parts.parts.iter().try_for_each(|part| self.measure_part(&part.operand, of, word_type, out))
            }
            Kind::Grid | Kind::NatGrid => {
                let parts = self.sure_parts(operand)?;
                let Aggregate::Grid(cols) = parts.whole else { return None };
                let word_type =
                    if matches!(kind, Kind::Grid) { WordType::Member(self.letters?) } else { WordType::Int };
                out.lengths.extend([width::short(parts.parts.len()).checked_div(cols)?, cols]);
                parts.parts.iter().try_for_each(|part| self.measure_part(&part.operand, kind, Some(word_type), out))
            }
            Kind::Tuple(kinds) => {
                let parts = self.sure_parts(operand).filter(|parts| parts.whole == Aggregate::Tuple)?;
                for (part, kind) in parts.parts.iter().zip(kinds) {
                    let word_type = self.part_word_type(kind, out.base);
                    self.measure_part(&part.operand, kind, word_type, out)?;
                }
                Some(())
            }
            _ => None,
        }
    }

    /// Whether the file names the texts of a field.
    pub(crate) fn is_named_field(&self, base: InstanceId, index: usize) -> bool {
        self.ctx.has_named_texts(self.ctx.instance_at(base).game, index)
    }

    /// The same of a text that the file names.
    pub(crate) fn measure_named(&mut self, operand: &Operand, out: &mut Shape) -> Option<()> {
        let word_type = WordType::Member(self.texts?);
        out.words.push((self.named(operand)?, word_type));
        out.lengths.push(NAMED);
        Some(())
    }

    /// A text as one that the file names; `None`: it is not known that it is one.
    fn named(&mut self, operand: &Operand) -> Option<Operand> {
        let texts = self.texts?;
        match operand {
            Operand::Known(value) => self.ctx.domain(texts).number(value).map(|_| operand.clone()),
            Operand::Word(_, WordType::Member(of)) if *of == texts => Some(operand.clone()),
            // Of a letter that the file does not name the run halts.
            Operand::Word(letter, WordType::Member(of))
                if self.letters == Some(*of) && self.ctx.code_form().masked && !self.ctx.code_form().wide =>
            {
                let (letters, texts) = (self.ctx.domain(*of), self.ctx.domain(texts));
                let number = |letter| texts.number(&letters.value(letter)).map_or(NUMBERS, i64::from);
                let numbers = (0..width::short(letters.len())).map(number).collect();
                let a = self.table(numbers, *letter);
                self.emit(Op::CheckMember { a });
                Some(Operand::Word(a, WordType::Member(self.texts?)))
            }
            _ => None,
        }
    }

    fn measure_part(
        &mut self,
        operand: &Operand,
        kind: &Kind,
        word_type: Option<WordType>,
        out: &mut Shape,
    ) -> Option<()> {
        let fine = match (word_type, operand) {
            // What is in a value was checked on entering; its word cannot fail then.
            (Some(_), Operand::Value(_)) | (None, _) => true,
            (Some(word_type), _) => self.fits(&FieldLayout::Word(word_type), operand),
        };
        if fine { self.measure(operand, kind, word_type, out) } else { None }
    }

    /// A push of fields of which running has to tell which members are there; `None`: they must be values.
    pub(super) fn shaped_push(
        &mut self,
        base: InstanceId,
        decls: &[Field],
        fields: &[Operand],
        word_types: &[Option<WordType>],
    ) -> Option<PushSpec> {
        let mut pieces = Vec::new();
        for (index, ((decl, field), word_type)) in decls.iter().zip(fields).zip(word_types).enumerate() {
            if self.is_named_field(base, index) {
                let named = self.named(field)?;
                pieces.push(Piece::Named(self.as_word(named, WordType::Member(self.texts?))));
                continue;
            }
            if let Some(word_type) = word_type {
                pieces.push(Piece::Word(self.as_word(field.clone(), *word_type)));
                continue;
            }
            let parts = self.parts(field)?;
            let (of, sort) = match (&decl.kind, parts.whole) {
                (kind @ Kind::Text, Aggregate::Text) => (kind, false),
                (Kind::List(of, _), Aggregate::List(_)) => (&**of, false),
                (Kind::Bag(of), Aggregate::Bag { ascending }) | (Kind::Set(of), Aggregate::Set { ascending }) => {
                    (&**of, !ascending)
                }
                _ => return None,
            };
            let word_type = match of {
                Kind::Text if parts.whole == Aggregate::Text => Some(WordType::Member(self.letters?)),
                _ => self.part_word_type(of, base),
            };
            let once = sort && matches!(decl.kind, Kind::Set(_));
            pieces.push(Piece::Members { sort, once, members: self.member_words(base, &parts, of, word_type)? });
        }
        let makes = fields.iter().map(Self::make).collect();
        let shaped = ShapedPush { pieces: pieces.into(), makes };
        Some(PushSpec { instance: base, fields: Box::default(), words: None, shaped: Some(Box::new(shaped)) })
    }

    /// The words of each member; `None`: some must be values, or have lengths of their own.
    fn member_words(
        &mut self,
        base: InstanceId,
        parts: &Parts,
        of: &Kind,
        word_type: Option<WordType>,
    ) -> Option<Box<[Member]>> {
        if parts.parts.len() > LONGEST {
            return None;
        }
        let mut members = Vec::with_capacity(parts.parts.len());
        for Part { flag, operand } in &parts.parts {
            let mut shape = Shape { base, lengths: Vec::new(), words: Vec::new() };
            self.measure_part(operand, of, word_type, &mut shape)?;
            // What is not there may be in no form, so that nothing is made of it.
            let ready = |(operand, _): &(Operand, WordType)| matches!(operand, Operand::Word(..) | Operand::Known(_));
            if !shape.lengths.is_empty() || !shape.words.iter().all(ready) {
                return None;
            }
            let words = shape.words.into_iter().map(|(word, word_type)| self.as_word(word, word_type)).collect();
            members.push(Member { flag: *flag, words });
        }
        Some(members.into())
    }
}
