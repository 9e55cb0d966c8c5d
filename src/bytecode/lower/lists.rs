//! Words about lists, texts and tuples known by their parts: items by an index, slices, folds, views, places.
//! What has no fixed form is left to values.

use crate::bytecode::layout::{FieldLayout, LONGEST};
use crate::bytecode::lower::bags::ascends;
use crate::bytecode::lower::operand::{Part, Parts};
use crate::bytecode::lower::{FORM_LIMIT, Label, Lower, Operand};
use crate::bytecode::{Aggregate, ListTable, Op, Reg, SliceSpec, WordType};
use crate::model::{Builtin, CompareOp, Type};
use crate::value::domain::Domain;
use crate::value::{Text, Value, width};
use crate::words;
use std::rc::Rc;

/// Members of longer lists are not compared each with each.
const DISTINCT: usize = 12;

/// Longer lists are sorted as values.
const SORTED: usize = 24;

impl Lower<'_, '_> {
    /// A word all of whose arguments are known, worked out now; `None` leaves it to fail when the code runs.
    pub(crate) fn known_call(&mut self, word: Builtin, operands: &[Operand]) -> Option<Operand> {
        if !self.scalar || word.is_compound() || word == Builtin::Nat {
            return None;
        }
        let known = |o: &Operand| if let Operand::Known(value) = o { Some(value.clone()) } else { None };
        let args = operands.iter().map(known).collect::<Option<Vec<Value>>>()?;
        words::call(word, &args).ok().map(Operand::Known)
    }

    pub(crate) fn parts_word(&mut self, word: Builtin, operands: &[Operand], ty: &Type) -> Option<Operand> {
        use Builtin as B;
        let first = operands.first()?;
        let parts = self.parts(first)?;
        if let Aggregate::Grid(cols) = parts.whole {
            return self.grid_word(word, &parts, cols, operands);
        }
        let list = matches!(parts.whole, Aggregate::List(_));
        let text = parts.whole == Aggregate::Text;
        let bag = matches!(parts.whole, Aggregate::Bag { .. });
        let set = matches!(parts.whole, Aggregate::Set { .. });
        let ascending = (bag || set) && ascends(&parts);
        let sure = parts.is_sure();
        let n = i64::try_from(parts.parts.len()).ok()?;
        match (word, operands) {
            (B::Size, [_]) if sure && (list || text || bag) => Some(Operand::Known(Value::Int(n))),
            (B::Size, [_]) if list || bag || set => {
                let parts = if set { self.distinct(&parts)? } else { parts };
                let d = self.constant(0);
                for flag in parts.parts.iter().map(|part| part.flag) {
                    match flag {
                        Some(b) => self.emit(Op::Add { d, a: d, b }),
                        None => self.emit(Op::AddConst { d, a: d, k: 1 }),
                    }
                }
                Some(Operand::Word(d, WordType::Int))
            }
            (B::Sum | B::Xor | B::Product | B::Gcd | B::Min | B::Max, [_])
                if *ty == Type::Int && self.narrow() && (list || bag || set) =>
            {
                let once = set && matches!(word, B::Sum | B::Xor | B::Product);
                let parts = if once { self.distinct(&parts)? } else { parts };
                self.fold_parts(word, &parts)
            }
            (B::Set, [_]) if (list || bag) && parts.parts.len() <= DISTINCT => {
                Some(self.whole(Aggregate::Set { ascending: false }, parts.parts.clone()))
            }
            (B::Pairs, [_]) if list || set && Self::ascends_for_sure(&parts) => {
                let ways = self.chosen(&parts, 2, Aggregate::Tuple)?;
                Some(self.whole(Aggregate::List(0), ways))
            }
            (B::Choose, [_, Operand::Known(Value::Int(count))]) if list || set && Self::ascends_for_sure(&parts) => {
                let ways = self.chosen(&parts, usize::try_from(*count).ok()?, Aggregate::List(0))?;
                Some(self.whole(Aggregate::List(0), ways))
            }
            (B::Count | B::Any | B::All, [_]) if list || bag => self.fold_parts(word, &parts),
            (B::Indices, [_]) if sure && (list || text) => {
                let from = if let Aggregate::List(base) = parts.whole { base } else { 0 };
                Some(Operand::Known(Value::Range(from, from.checked_add(n)?.checked_sub(1)?)))
            }
            (B::First | B::Last, [_]) if sure && (list || text) => {
                let end = if word == B::First { parts.parts.first() } else { parts.parts.last() };
                end.map(|part| part.operand.clone())
            }
            (B::Reverse, [_]) if list || text => {
                let whole = if list { Aggregate::List(0) } else { Aggregate::Text };
                Some(self.whole(whole, parts.parts.iter().rev().cloned().collect()))
            }
            (B::List | B::Sort, [_]) if ascending => Some(self.whole(Aggregate::List(0), parts.parts.clone())),
            (B::List, [_]) if list || text => Some(self.whole(Aggregate::List(0), parts.parts.clone())),
            (B::Bag, [_]) if list || bag => self.as_bag(first),
            (B::Sort, [_]) if list || bag => self.sorted(&parts),
            (B::List | B::Sort, [_]) if set => {
                let once = self.distinct(&parts)?;
                self.sorted(&once)
            }
            (B::Union, [_]) if list && sure => {
                let mut members = Vec::new();
                for part in &parts.parts {
                    let set = self.parts(&part.operand).filter(|set| matches!(set.whole, Aggregate::Set { .. }))?;
                    members.extend(set.parts.iter().cloned());
                }
                (members.len() <= DISTINCT).then(|| self.whole(Aggregate::Set { ascending: false }, members))
            }
            (B::Increasing, [_]) if list && sure && parts.parts.iter().all(|part| part.operand.is_int()) => {
                let d = self.constant(1);
                for pair in parts.parts.windows(2) {
                    let (a, b) = (self.int(&pair[0]), self.int(&pair[1]));
                    let less = self.emit_word(|d| Op::Lt { d, a, b });
                    self.emit(Op::And { d, a: d, b: less });
                }
                Some(Operand::Word(d, WordType::Bool))
            }
            (B::Repeat, [_, Operand::Known(Value::Int(times))]) if sure && (list || text) => {
                let times = usize::try_from(*times).ok()?;
                let total = parts.parts.len().checked_mul(times).filter(|total| *total <= FORM_LIMIT)?;
                let whole = if list { Aggregate::List(0) } else { Aggregate::Text };
                Some(self.whole(whole, parts.parts.iter().cycle().take(total).cloned().collect()))
            }
            (B::Places, [_, part]) if text && sure => self.places(&parts, part),
            (B::Starts, [_, part]) if text && sure => {
                let part = self.sure_parts(part).filter(|part| part.whole == Aggregate::Text)?;
                if part.parts.len() > parts.parts.len() {
                    return Some(Operand::Known(Value::Bool(false)));
                }
                Some(Self::truth_operand(self.equal_run(&parts.parts, &part.parts)))
            }
            (B::Join, [_]) if list && sure => {
                let mut letters = Vec::new();
                for part in &parts.parts {
                    let text = self.sure_parts(&part.operand).filter(|text| text.whole == Aggregate::Text)?;
                    letters.extend(text.parts.iter().cloned());
                }
                Some(self.whole(Aggregate::Text, letters))
            }
            _ => None,
        }
    }

    pub(super) fn int(&mut self, part: &Part) -> Reg {
        self.as_word(part.operand.clone(), WordType::Int)
    }

    /// Whether a set is known by members that ascend, so that none is there twice.
    pub(super) fn ascends_for_sure(parts: &Parts) -> bool {
        if parts.whole == (Aggregate::Set { ascending: true }) {
            return true;
        }
        let known = |part: &Part| if let Operand::Known(value) = &part.operand { Some(value.clone()) } else { None };
        let members: Option<Vec<Value>> = parts.parts.iter().map(known).collect();
        members.is_some_and(|members| members.windows(2).all(|pair| pair[0] < pair[1]))
    }

    /// The members of a set, each of them once: of equal ones the first is there.
    fn distinct(&mut self, parts: &Rc<Parts>) -> Option<Rc<Parts>> {
        if Self::ascends_for_sure(parts) {
            return Some(parts.clone());
        }
        if parts.parts.len() > DISTINCT || parts.parts.iter().any(|part| matches!(part.operand, Operand::Value(_))) {
            return None;
        }
        let mut once: Vec<Part> = Vec::with_capacity(parts.parts.len());
        for part in &parts.parts {
            if once.is_empty() {
                once.push(part.clone());
                continue;
            }
            let d = self.constant(0);
            self.where_there(part.flag, |lower, past| {
                for earlier in &once {
                    lower.where_there(earlier.flag, |lower, _| {
                        match lower.compare_operands(CompareOp::Eq, &part.operand, &earlier.operand) {
                            Ok(false) => {}
                            Ok(true) => lower.emit(Op::Jump { to: Self::to(past) }),
                            Err(a) => lower.emit(Op::JumpIf { a, to: Self::to(past) }),
                        }
                    });
                }
                lower.emit(Op::Const { d, k: 1 });
            });
            once.push(Part { flag: Some(d), operand: part.operand.clone() });
        }
        Some(Rc::new(Parts { whole: parts.whole, parts: once }))
    }

    /// So many parts in all ways, by place, each way with a flag where a part of it has one.
    pub(super) fn chosen(&mut self, parts: &Parts, count: usize, whole: Aggregate) -> Option<Vec<Part>> {
        /// More ways are made by loops.
        const WAYS: usize = 1 << 7;
        let n = parts.parts.len();
        let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..count {
            let longer = |row: &Vec<usize>| {
                let row = row.clone();
                (row.last().map_or(0, |last| last + 1)..n).map(move |next| [&row[..], &[next]].concat())
            };
            rows = rows.iter().flat_map(longer).take(WAYS + 1).collect();
            if rows.len() > WAYS {
                return None;
            }
        }
        let way = |lower: &mut Self, places: Vec<usize>| {
            let chosen: Vec<&Part> = places.iter().map(|&at| &parts.parts[at]).collect();
            let flags = chosen.iter().filter_map(|part| part.flag);
            let flag = flags.reduce(|a, b| lower.emit_word(|d| Op::And { d, a, b }));
            let members = chosen.iter().map(|part| Part::sure(part.operand.clone())).collect();
            Part { flag, operand: lower.whole(whole, members) }
        };
        Some(rows.into_iter().map(|places| way(self, places)).collect())
    }

    fn fold_parts(&mut self, word: Builtin, parts: &Parts) -> Option<Operand> {
        use Builtin as B;
        let bools = matches!(word, B::Count | B::Any | B::All);
        let fine = |part: &Part| if bools { part.operand.is_bool() } else { part.operand.is_int() };
        if !parts.parts.iter().all(fine) || word == B::Count && !self.narrow() {
            return None;
        }
        let mut first = None;
        if matches!(word, B::Min | B::Max) {
            if parts.parts.is_empty() {
                self.emit(Op::NothingIn { max: word == B::Max });
                return Some(Operand::Known(Value::Int(0)));
            }
            // Begins with one that is there for sure, if there is one: the order does not matter.
            first = parts.parts.iter().find(|part| part.flag.is_none()).map(|part| self.int(part));
        }
        let word_type = if bools { WordType::Bool } else { WordType::Int };
        Some(self.fold_words(word, first, |lower, take| {
            for part in &parts.parts {
                lower.where_there(part.flag, |lower, _| {
                    let b = lower.as_word(part.operand.clone(), word_type);
                    take(lower, b);
                });
            }
        }))
    }

    /// For as many places as there are parts: the flags of the first, when those that are there are put first.
    fn first_flags(&mut self, parts: &Parts) -> Vec<Option<Reg>> {
        let sure = parts.parts.iter().filter(|part| part.flag.is_none()).count();
        let mut flags = vec![None; sure];
        if sure < parts.parts.len() {
            let b = self.constant(width::int(sure));
            for flag in parts.parts.iter().filter_map(|part| part.flag) {
                self.emit(Op::Add { d: b, a: b, b: flag });
            }
            flags.extend((sure..parts.parts.len()).map(|place| {
                let a = self.pooled(width::int(place));
                Some(self.emit_word(|d| Op::Lt { d, a, b }))
            }));
        }
        flags
    }

    /// Tuples in ordered words in ascending order, by the first that differ.
    fn sorted_tuples(&mut self, parts: &Parts) -> Option<Operand> {
        let n = parts.parts.len();
        if !self.narrow() || n > SORTED {
            return None;
        }
        let mut tuples: Vec<Operand> = parts.parts.iter().map(|part| part.operand.clone()).collect();
        let mut mold = self.common_mold(tuples.iter());
        if !self.orders(&mold) {
            tuples = tuples.into_iter().map(|tuple| self.as_label(tuple)).collect();
            mold = self.common_mold(tuples.iter());
        }
        if !self.orders(&mold) || !tuples.iter().all(|tuple| self.fits(&mold, tuple)) {
            return None;
        }
        let greatest = self.pooled(i64::MAX);
        let mut rows: Vec<Vec<Reg>> = Vec::with_capacity(n);
        for (tuple, part) in tuples.iter().zip(&parts.parts) {
            let mut row = Vec::new();
            self.words_of(&mold, tuple, &mut row)?;
            // What is not there comes last.
            rows.push(match part.flag {
                None => row,
                Some(flag) => row.into_iter().map(|a| self.selected(flag, a, greatest)).collect(),
            });
        }
        for (i, j) in merge_exchange(n) {
            let [one, other] = [i, j].map(|at| std::mem::take(&mut rows[at]));
            (rows[i], rows[j]) = self.in_order(one, other);
        }
        let flags = self.first_flags(parts);
        let sorted = rows
            .into_iter()
            .zip(flags)
            .map(|(row, flag)| Part { flag, operand: self.of_words(&mold, &mut row.into_iter()) })
            .collect();
        Some(self.whole(Aggregate::List(0), sorted))
    }

    /// Two rows of words, the lesser one first.
    pub(super) fn in_order(&mut self, one: Vec<Reg>, other: Vec<Reg>) -> (Vec<Reg>, Vec<Reg>) {
        if let ([a], [b]) = (&one[..], &other[..]) {
            let (a, b) = (*a, *b);
            return (vec![self.emit_word(|d| Op::Min { d, a, b })], vec![self.emit_word(|d| Op::Max { d, a, b })]);
        }
        let mut later: Option<Reg> = None;
        for (&a, &b) in one.iter().zip(&other).rev() {
            let more = self.emit_word(|d| Op::Lt { d, a: b, b: a });
            later = Some(match later {
                None => more,
                Some(later) => {
                    let same = self.emit_word(|d| Op::Eq { d, a, b });
                    let tied = self.emit_word(|d| Op::And { d, a: same, b: later });
                    self.emit_word(|d| Op::Or { d, a: more, b: tied })
                }
            });
        }
        let Some(later) = later else { return (one, other) };
        let ways = |lower: &mut Self, one: &[Reg], other: &[Reg]| {
            one.iter().zip(other).map(|(&a, &b)| lower.selected(later, b, a)).collect()
        };
        (ways(self, &one, &other), ways(self, &other, &one))
    }

    /// Whether what has this form is in words that are ordered as its values are.
    pub(super) fn orders(&self, mold: &FieldLayout) -> bool {
        match mold {
            FieldLayout::Value | FieldLayout::Word(WordType::Mask(_)) => false,
            FieldLayout::Word(WordType::Int | WordType::Bool) => true,
            FieldLayout::Word(WordType::Member(domain)) => matches!(self.ctx.domain(*domain), Domain::Vertices(_)),
            FieldLayout::Parts(whole, parts) => {
                *whole == Aggregate::Tuple && parts.iter().all(|part| self.orders(part))
            }
        }
    }

    /// The words of an operand that fits this form.
    pub(super) fn words_of(&mut self, mold: &FieldLayout, operand: &Operand, out: &mut Vec<Reg>) -> Option<()> {
        match mold {
            FieldLayout::Value => return None,
            FieldLayout::Word(word_type) => out.push(self.as_word(operand.clone(), *word_type)),
            FieldLayout::Parts(_, molds) => {
                let parts = self.sure_parts(operand)?;
                for (mold, part) in molds.iter().zip(&parts.parts) {
                    self.words_of(mold, &part.operand, out)?;
                }
            }
        }
        Some(())
    }

    /// What has this form and these words.
    pub(super) fn of_words(&mut self, mold: &FieldLayout, words: &mut impl Iterator<Item = Reg>) -> Operand {
        match mold {
            FieldLayout::Parts(whole, molds) => {
                let parts = molds.iter().map(|mold| Part::sure(self.of_words(mold, words))).collect();
                self.whole(*whole, parts)
            }
            FieldLayout::Word(word_type) => {
                words.next().map_or_else(|| Operand::Value(0), |a| Operand::Word(a, *word_type))
            }
            FieldLayout::Value => Operand::Value(0), // `words_of` refused it
        }
    }

    /// One word where the flag is 1, the other where it is 0.
    pub(super) fn selected(&mut self, flag: Reg, one: Reg, other: Reg) -> Reg {
        let d = self.emit_word(|d| Op::Copy { d, a: other });
        self.emit(Op::CopyIf { d, a: flag, b: one });
        d
    }

    /// A sorting network of [`merge_exchange`].
    pub(super) fn sorted(&mut self, parts: &Parts) -> Option<Operand> {
        let n = parts.parts.len();
        if parts.parts.iter().any(|part| matches!(&part.operand, Operand::Parts(_))) {
            return self.sorted_tuples(parts);
        }
        // Numbers of vertices are in the order of their labels.
        let word_type = match self.common_mold(parts.parts.iter().map(|part| &part.operand)) {
            FieldLayout::Word(WordType::Bool) => WordType::Bool,
            FieldLayout::Word(WordType::Member(domain)) if ![self.letters, self.texts].contains(&Some(domain)) => {
                WordType::Member(domain)
            }
            _ => WordType::Int,
        };
        let form = FieldLayout::Word(word_type);
        if !self.narrow() || n > SORTED || !parts.parts.iter().all(|part| self.fits(&form, &part.operand)) {
            return None;
        }
        // What is not there comes last.
        let greatest = self.pooled(i64::MAX);
        let mut items: Vec<Reg> = Vec::with_capacity(n);
        for part in &parts.parts {
            items.push(if part.flag.is_none() {
                self.as_word(part.operand.clone(), word_type)
            } else {
                let d = self.emit_word(|d| Op::Copy { d, a: greatest });
                self.where_there(part.flag, |lower, _| {
                    let a = lower.as_word(part.operand.clone(), word_type);
                    lower.emit(Op::Copy { d, a });
                });
                d
            });
        }
        for (i, j) in merge_exchange(n) {
            let (a, b) = (items[i], items[j]);
            let (low, high) = (self.word(), self.word());
            self.emit(Op::Min { d: low, a, b });
            self.emit(Op::Max { d: high, a, b });
            (items[i], items[j]) = (low, high);
        }
        let flags = self.first_flags(parts);
        let part = |(reg, flag)| Part { flag, operand: Operand::Word(reg, word_type) };
        Some(self.whole(Aggregate::List(0), items.into_iter().zip(flags).map(part).collect()))
    }

    /// The indices at which a part begins, each with a flag.
    fn places(&mut self, text: &Rc<Parts>, part: &Operand) -> Option<Operand> {
        let part = self.sure_parts(part).filter(|part| part.whole == Aggregate::Text && !part.parts.is_empty())?;
        let mut places = Vec::new();
        for (i, run) in text.parts.windows(part.parts.len()).enumerate() {
            let operand = Operand::Known(Value::Int(i64::try_from(i).ok()?));
            match self.equal_run(run, &part.parts) {
                Ok(true) => places.push(Part::sure(operand)),
                Ok(false) => {}
                Err(flag) => places.push(Part { flag: Some(flag), operand }),
            }
        }
        Some(self.whole(Aggregate::List(0), places))
    }

    /// Whether the parts of one run are those of the other, which is no longer: known, or in a word.
    pub(crate) fn equal_run(&mut self, run: &[Part], other: &[Part]) -> Result<bool, Reg> {
        let mut all: Option<Reg> = None;
        for (a, b) in run.iter().zip(other) {
            match self.compare_operands(CompareOp::Eq, &a.operand, &b.operand) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(equal) => {
                    all = Some(match all {
                        None => equal,
                        Some(before) => self.emit_word(|d| Op::And { d, a: before, b: equal }),
                    });
                }
            }
        }
        all.map_or(Ok(true), Err)
    }

    pub(crate) fn truth_operand(truth: Result<bool, Reg>) -> Operand {
        match truth {
            Ok(known) => Operand::Known(Value::Bool(known)),
            Err(reg) => Operand::Word(reg, WordType::Bool),
        }
    }

    /// The place of an index in a word among `len` items, counted from 0; R02 outside.
    pub(crate) fn place_of(&mut self, index: Reg, whole: Aggregate, len: usize) -> Reg {
        let items: Vec<i64> = (0..width::int(len)).collect();
        let table = ListTable { base: base(whole), items: items.into(), whole };
        let table = self.entry(|code| &mut code.list_tables, table);
        self.emit_word(|d| Op::ListTable { d, table, a: index })
    }

    /// The place of a known index; `None` after an instruction that faults.
    pub(super) fn known_place(&mut self, index: i64, whole: Aggregate, len: usize) -> Option<usize> {
        let place = index.checked_sub(base(whole)).and_then(|i| usize::try_from(i).ok()).filter(|i| *i < len);
        if place.is_none() {
            let index = self.pooled(index);
            self.place_of(index, whole, len);
        }
        place
    }

    /// `parts[index]`; `None`: nothing was done.
    pub(crate) fn pick(&mut self, from: &Operand, at: &Operand, ty: &Type) -> Option<Operand> {
        if !self.narrow() || matches!(from, Operand::Known(_)) && matches!(at, Operand::Known(_)) {
            return None;
        }
        let from = self.as_label(from.clone());
        let parts = self.sure_parts(&from)?;
        if matches!(parts.whole, Aggregate::Set { .. } | Aggregate::Bag { .. }) {
            return None;
        }
        match &self.cell_place(&parts, at)? {
            Operand::Known(Value::Int(i)) => Some(match self.known_place(*i, parts.whole, parts.parts.len()) {
                Some(place) => parts.parts[place].operand.clone(),
                None => Operand::Known(nothing(ty)),
            }),
            Operand::Word(i, WordType::Int) => {
                let operands: Vec<&Operand> = parts.parts.iter().map(|part| &part.operand).collect();
                let ints = operands.iter().all(|o| matches!(o, Operand::Known(Value::Int(_))));
                if ints && !operands.is_empty() && matches!(parts.whole, Aggregate::List(_)) {
                    // A table does it in one step.
                    return None;
                }
                let place = self.place_of(*i, parts.whole, operands.len());
                let mold = self.common_mold(operands.iter().copied());
                let d = self.registers_like(&mold);
                let end = self.label();
                self.branch(place, 0, &operands, &d, end);
                self.put(end);
                Some(d)
            }
            _ => None,
        }
    }

    /// Copies the operand number `place - first` to `d` and goes to `end`: by halves.
    fn branch(&mut self, place: Reg, first: i64, operands: &[&Operand], d: &Operand, end: Label) {
        match operands {
            [] => {}
            [one] => {
                self.copy_into(d, one);
                self.emit(Op::Jump { to: Self::to(end) });
            }
            _ => {
                let half = operands.len() / 2;
                let middle = first + i64::try_from(half).unwrap_or(0);
                let b = self.pooled(middle);
                let low = self.label();
                self.emit(Op::JumpLt { a: place, b, to: Self::to(low) });
                self.branch(place, middle, &operands[half..], d, end);
                self.put(low);
                self.branch(place, first, &operands[..half], d, end);
            }
        }
    }

    /// One of two lists, texts, sets or bags of different lengths: what is common in front and behind, and between that the rest
    /// of both, each with a flag. `None`: not both are known by words.
    pub(super) fn one_of_two(&mut self, yes: &Operand, no: &Operand) -> Option<(Operand, Vec<WayFlag>)> {
        let (a, b) = (self.parts(yes)?, self.parts(no)?);
        let whole = match (a.whole, b.whole) {
            (Aggregate::List(a), Aggregate::List(b)) if a == b => Aggregate::List(a),
            (Aggregate::Text, Aggregate::Text) => Aggregate::Text,
            (Aggregate::Set { .. }, Aggregate::Set { .. }) => Aggregate::Set { ascending: false },
            (Aggregate::Bag { .. }, Aggregate::Bag { .. }) => Aggregate::Bag { ascending: false },
            _ => return None,
        };
        let ready = |part: &Part| matches!(part.operand, Operand::Word(..) | Operand::Known(_));
        if !a.parts.iter().chain(&b.parts).all(ready) {
            return None;
        }
        let same = |a: &Part, b: &Part| {
            let operands = match (&a.operand, &b.operand) {
                (Operand::Word(a, s), Operand::Word(b, t)) => a == b && s == t,
                (Operand::Known(a), Operand::Known(b)) => a == b,
                _ => false,
            };
            operands && a.flag.is_none() && b.flag.is_none()
        };
        let (mut first, mut second) = (&a.parts[..], &b.parts[..]);
        let front = first.iter().zip(second).take_while(|(a, b)| same(a, b)).count();
        let mut parts = first[..front].to_vec();
        (first, second) = (&first[front..], &second[front..]);
        let back = first.iter().rev().zip(second.iter().rev()).take_while(|(a, b)| same(a, b)).count();
        let behind = &first[first.len() - back..];
        (first, second) = (&first[..first.len() - back], &second[..second.len() - back]);
        let mut flags: Vec<WayFlag> = Vec::new();
        for (way, middle) in [(true, first), (false, second)] {
            for part in middle {
                let known = flags.iter().find(|flag| flag.way == way && flag.there == part.flag).map(|flag| flag.d);
                let d = known.unwrap_or_else(|| {
                    let d = self.word();
                    flags.push(WayFlag { d, way, there: part.flag });
                    d
                });
                parts.push(Part { flag: Some(d), operand: part.operand.clone() });
            }
        }
        parts.extend(behind.iter().cloned());
        Some((self.whole(whole, parts), flags))
    }

    /// A slice; `None`: nothing was done.
    pub(crate) fn cut(&mut self, from: &Operand, a: Option<&Operand>, b: Option<&Operand>) -> Option<Operand> {
        let parts =
            self.sure_parts(from).filter(|parts| matches!(parts.whole, Aggregate::List(_) | Aggregate::Text))?;
        let end = |end: Option<&Operand>, or: i64| match end {
            None => Some(or),
            Some(Operand::Known(Value::Int(n))) => Some(*n),
            Some(_) => None,
        };
        let first = base(parts.whole);
        let past = first.checked_add(i64::try_from(parts.parts.len()).ok()?)?;
        let whole = if parts.whole == Aggregate::Text { Aggregate::Text } else { Aggregate::List(0) };
        let (Some(a), Some(b)) = (end(a, first), end(b, past - 1)) else {
            let kept = self.cut_by_words(&parts, [a, b], [first, past - 1])?;
            return Some(self.whole(whole, kept));
        };
        let mut kept = Vec::new();
        if a <= b {
            let bad = if a < first { a } else { b };
            if a < first || b >= past {
                self.known_place(bad, parts.whole, parts.parts.len());
            } else {
                let places = usize::try_from(a - first).ok()?..usize::try_from(b - first + 1).ok()?;
                kept = parts.parts[places].to_vec();
            }
        }
        Some(self.whole(whole, kept))
    }

    /// A slice whose ends are in words: all parts, with flags. R02 as for values.
    fn cut_by_words(
        &mut self,
        parts: &Rc<Parts>,
        ends: [Option<&Operand>; 2],
        [first, last]: [i64; 2],
    ) -> Option<Vec<Part>> {
        let ready = |part: &Part| matches!(part.operand, Operand::Word(..) | Operand::Known(_));
        let fine = self.narrow() && parts.parts.len() <= LONGEST && parts.parts.iter().all(ready);
        if !fine || !ends.iter().flatten().all(|end| end.is_int()) {
            return None;
        }
        let [low, high] = [(ends[0], first), (ends[1], last)].map(|(end, or)| match end {
            Some(end) => self.as_word(end.clone(), WordType::Int),
            None => self.pooled(or),
        });
        let (outside, inside) = (self.label(), self.label());
        let [least, most] = [first, last].map(|place| self.pooled(place));
        self.emit(Op::JumpLt { a: high, b: low, to: Self::to(inside) });
        self.emit(Op::JumpLt { a: low, b: least, to: Self::to(outside) });
        self.emit(Op::JumpLe { a: high, b: most, to: Self::to(inside) });
        self.put(outside);
        // Tells what is wrong with it.
        let a = self.as_value(Operand::Parts(parts.clone()));
        let [from, to] = ends.map(|end| end.map(|end| self.as_value(end.clone())));
        let d = self.value();
        let spec = self.entry(|code| &mut code.slices, SliceSpec { d, a, from, to });
        self.emit(Op::Slice { spec });
        self.put(inside);
        let mut kept = Vec::with_capacity(parts.parts.len());
        for (place, part) in (first..).zip(&parts.parts) {
            let place = self.pooled(place);
            let [after, before] = [(ends[0], low, place), (ends[1], place, high)]
                .map(|(end, a, b)| end.map(|_| self.emit_word(|d| Op::Le { d, a, b })));
            let flag = match (after, before) {
                (Some(a), Some(b)) => Some(self.emit_word(|d| Op::And { d, a, b })),
                (one, other) => one.or(other),
            };
            kept.push(Part { flag, operand: part.operand.clone() });
        }
        Some(kept)
    }
}

/// A flag of what is there on one of two ways alone.
pub(super) struct WayFlag {
    d: Reg,
    way: bool,
    /// Whether it is there on this way.
    there: Option<Reg>,
}

impl WayFlag {
    /// Sets it at the end of a way.
    pub(super) fn set(&self, lower: &mut Lower<'_, '_>, way: bool) {
        let d = self.d;
        match self.there {
            Some(a) if self.way == way => lower.emit(Op::Copy { d, a }),
            _ => lower.emit(Op::Const { d, k: i32::from(self.way == way) }),
        }
    }
}

/// The number of the first item.
pub(super) fn base(whole: Aggregate) -> i64 {
    if let Aggregate::List(base) = whole { base } else { 0 }
}

/// Something of a type, where nothing is ever read.
fn nothing(ty: &Type) -> Value {
    match ty {
        Type::Bool => Value::Bool(false),
        Type::Text => Value::Text(Text::new("")),
        Type::Tuple(types) => Value::tuple(types.iter().map(nothing).collect()),
        Type::List(_) => Value::list(Vec::new()),
        _ => Value::Int(0),
    }
}

/// The places that are compared, one pair after the other, so that so many items ascend: Batcher's merge exchange (Knuth, The Art of
/// Computer Programming 3, 5.2.2, algorithm M).
fn merge_exchange(n: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let top = n.next_power_of_two() / 2;
    let mut p = top;
    while p > 0 {
        let (mut q, mut r, mut d) = (top, 0, p);
        loop {
            pairs.extend((0..n.saturating_sub(d)).filter(|i| i & p == r).map(|i| (i, i + d)));
            if q == p {
                break;
            }
            d = q - p;
            q /= 2;
            r = p;
        }
        p /= 2;
    }
    pairs
}
