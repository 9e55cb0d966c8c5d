//! What a name means: local, then of this file, then of the files it uses; and the nearest one, for "did you mean".

use crate::model::{Builtin, GameId, Term, TermKind};
use crate::source::{Code, Diagnostic, Span, nearest};
use crate::syntax::tree::{self, Name};
use crate::typing::checker::{Checker, Told};

pub(crate) enum Function {
    /// A def: of a game, or of a file.
    Def(Option<GameId>, usize, usize),
    Builtin(Builtin),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Space {
    Values,
    Defs,
    Games,
}

impl<'a> Checker<'a> {
    pub(crate) fn read_name(&mut self, name: &'a str, span: Span) -> Option<Term> {
        if let Some(local) = self.cx.local(name) {
            let ty = local.ty.clone()?;
            return Some(Term::new(TermKind::Slot(local.slot), ty, span));
        }
        if name == "_" {
            return self.refuse(
                Code::E01,
                span,
                "`_` is not read",
                "`_` throws a value away; give it a name to use it",
            );
        }
        if self.cx.later.find(name).is_some() {
            let hint = "clauses run from left to right and see only what stands before them";
            return self.refuse(Code::E19, span, format!("`{name}` is used before the clause that names it"), hint);
        }
        let Some(unit) = self.find(self.cx.unit, Space::Values, name, span).ok()? else {
            return self.unknown_value(name, span);
        };
        self.read_global(unit, name, span)
    }

    fn read_global(&mut self, unit: usize, name: &'a str, span: Span) -> Option<Term> {
        let id = self.global(unit, name, span)?;
        let global = &self.program.globals[id.0];
        if global.reads_input {
            if unit != self.cx.unit {
                let message = format!("`{name}` of `{}` reads an input", self.units[unit].name);
                let hint = "`use` brings only what reads no input; name the value again in this file";
                return self.refuse(Code::E01, span, message, hint);
            }
            if let Some(who) = self.cx.no_inputs {
                let hint = if who == crate::typing::statements::OUTSIDE {
                    "write its value"
                } else {
                    "give it as a parameter: then the same words mean the same everywhere"
                };
                return self.fail(
                    Diagnostic::new(Code::E10, span, format!("{who} does not read the input `{name}`"))
                        .label("this comes from outside")
                        .hint(hint),
                );
            }
            self.cx.reads_input = true;
        }
        let global = &self.program.globals[id.0];
        Some(Term::new(TermKind::Global(id), global.ty.clone(), span))
    }

    fn unknown_value(&mut self, name: &str, span: Span) -> Option<Term> {
        if Builtin::named(name).is_some()
            || self.local_defs().contains(&name)
            || self.levels(self.cx.unit).iter().flatten().any(|&u| self.units[u].defs.contains_key(name))
        {
            let message = format!("`{name}` is a function, not a value");
            return self.refuse(Code::E04, span, message, format!("call it: `{name}(..)`"));
        }
        let hint = self.meant(name, || self.values_in_scope());
        self.deny(Code::E01, span, format!("there is no value `{name}`"), hint)
    }

    fn values_in_scope(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.cx.locals.iter().map(|(name, _)| name).collect();
        let own: Vec<&str> = self.units[self.cx.unit].values.keys().copied().collect();
        names.extend(own);
        for level in self.levels(self.cx.unit).iter().skip(1) {
            for &unit in level {
                names.extend(self.units[unit].values.keys().copied().filter(|n| self.is_let(unit, n)));
            }
        }
        names
    }

    fn is_let(&self, unit: usize, name: &str) -> bool {
        let unit = &self.units[unit];
        unit.values.get(name).is_some_and(|(item, _)| matches!(unit.file.items[*item], tree::Item::Let(_)))
    }

    /// The files in sight: itself, those it uses, those they use, ...; each once.
    fn levels(&self, unit: usize) -> Vec<Vec<usize>> {
        let mut seen = vec![unit];
        let mut levels = vec![vec![unit]];
        loop {
            let mut next = Vec::new();
            for &user in levels.last().map_or(&[] as &[usize], Vec::as_slice) {
                for &used in self.units[user].uses {
                    if !seen.contains(&used) {
                        seen.push(used);
                        next.push(used);
                    }
                }
            }
            if next.is_empty() {
                return levels;
            }
            levels.push(next);
        }
    }

    fn names(&self, unit: usize, space: Space, name: &str, own: bool) -> bool {
        match space {
            Space::Values => self.units[unit].values.contains_key(name) && (own || self.is_let(unit, name)),
            Space::Defs => self.units[unit].defs.contains_key(name),
            Space::Games => self.units[unit].games.contains_key(name),
        }
    }

    /// The file in sight that names it, if one does; an error (E17) where two do.
    fn find(&mut self, unit: usize, space: Space, name: &str, span: Span) -> Result<Option<usize>, Told> {
        if self.names(unit, space, name, true) {
            return Ok(Some(unit));
        }
        for level in self.levels(unit).iter().skip(1) {
            let found: Vec<usize> = level.iter().copied().filter(|&u| self.names(u, space, name, false)).collect();
            match found[..] {
                [] => {}
                [one] => return Ok(Some(one)),
                [one, two, ..] => {
                    let (one, two) = (self.units[one].name, self.units[two].name);
                    let message = format!("both `{one}` and `{two}` have a `{name}`");
                    let hint = format!("use only one of them, or give this file its own `{name}`");
                    self.refuse::<()>(Code::E17, span, message, hint);
                    return Err(Told);
                }
            }
        }
        Ok(None)
    }

    fn local_defs(&self) -> Vec<&'a str> {
        match self.cx.game {
            Some(id) if self.cx.local_defs => self.games[id.0].defs.keys().copied().collect(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn function(&mut self, name: &Name) -> Option<Function> {
        if let Some(id) = self.cx.game
            && let Some(&rule) = self.games[id.0].defs.get(&*name.text)
        {
            if self.cx.local_defs {
                return Some(Function::Def(Some(id), self.games[id.0].unit, rule));
            }
            let message = format!("`{}` is used before the state is known", name.text);
            let hint = "a def inside a game reads its state, so a default cannot call it; write it outside";
            return self.refuse(Code::E19, name.span, message, hint);
        }
        if let Some(unit) = self.find(self.cx.unit, Space::Defs, &name.text, name.span).ok()? {
            return Some(Function::Def(None, unit, self.units[unit].defs[&*name.text]));
        }
        if let Some(word) = Builtin::named(&name.text) {
            return Some(Function::Builtin(word));
        }
        let value = self.cx.local(&name.text).is_some()
            || self.find(self.cx.unit, Space::Values, &name.text, name.span).ok()?.is_some();
        if value {
            let message = format!("`{}` is a value, not a function", name.text);
            return self.refuse(Code::E04, name.span, message, format!("`{}[..]` takes a member of a list", name.text));
        }
        let hint = self.meant(&name.text, || {
            let mut candidates: Vec<&str> = Builtin::all().map(|(_, signature)| signature.name).collect();
            candidates.extend(self.local_defs());
            for &unit in self.levels(self.cx.unit).iter().flatten() {
                candidates.extend(self.units[unit].defs.keys().copied());
            }
            candidates
        });
        self.deny(Code::E01, name.span, format!("there is no function `{}`", name.text), hint)
    }

    /// The game of this name; `alone`: nothing in brackets follows.
    pub(crate) fn game_id(&mut self, unit: usize, name: &Name, alone: bool) -> Option<GameId> {
        if let Some(unit) = self.find(unit, Space::Games, &name.text, name.span).ok()? {
            return self.game_ids.get(&(unit, &*name.text)).copied();
        }
        let small = name.text.to_ascii_lowercase();
        let word = ["true", "false", "win", "lose", "draw", "inf"].contains(&small.as_str()) && alone;
        let hint = word.then(|| format!("write `{small}`"));
        let hint = hint.or_else(|| {
            self.meant(&name.text, || {
                let levels = self.levels(unit);
                levels.iter().flatten().flat_map(|&u| self.units[u].games.keys().copied()).collect::<Vec<&str>>()
            })
        });
        let hint = hint.or_else(|| alone.then(|| format!("a text stands in quotes: `\"{}\"`", name.text)));
        self.deny(Code::E01, name.span, format!("there is no game `{}`", name.text), hint)
    }

    /// `nat` as the source of a claim's binder.
    pub(crate) fn is_nat(&self, name: &str) -> bool {
        name == "nat" && self.cx.local(name).is_none() && !self.names(self.cx.unit, Space::Values, name, true)
    }
}

/// After so many errors no name is looked for: all names are gone through for each, and nobody reads so far.
const HINTS: usize = 100;

impl Checker<'_> {
    /// "did you mean", when one of the candidates is near to the word and not too many errors came before.
    pub(crate) fn meant<'n, C>(&self, word: &str, candidates: impl FnOnce() -> C) -> Option<String>
    where
        C: IntoIterator<Item = &'n str>,
    {
        if self.errors.len() >= HINTS {
            return None;
        }
        // A capital letter begins the name of a game.
        let is_game =
            word.starts_with(char::is_uppercase) && !matches!(word, "True" | "False" | "None" | "Null" | "Nil");
        if let Some(instead) = instead_of(word).filter(|_| !is_game) {
            return Some(format!("write {instead}"));
        }
        nearest(word, candidates()).map(|name| format!("did you mean `{name}`?"))
    }
}

/// What is written here for a word of other languages.
fn instead_of(word: &str) -> Option<&'static str> {
    Some(match word.to_lowercase().trim_start_matches("__builtin_").trim_start_matches('_') {
        "len" | "length" | "cardinality" | "card" | "sizeof" | "numel" => "`size(xs)`",
        "range" | "xrange" | "iota" | "linspace" => "`1..n`: both ends are in it",
        "true" => "`true`",
        "false" => "`false`",
        "none" | "null" | "nil" | "nothing" | "undefined" | "void" => {
            "a value of the type: nothing is empty here but `[]`, `{}` and `\"\"`"
        }
        "integer" | "long" | "short" | "number" | "num" | "i32" | "i64" => "`int`, or `nat` for numbers from 0 on",
        "unsigned" | "uint" | "u32" | "u64" | "usize" | "natural" | "naturals" => "`nat`",
        "string" | "str" | "char" | "character" => "`text`",
        "array" | "vector" | "vec" | "sequence" | "seq" | "arraylist" => "`list of int`, with the type of the items",
        "multiset" | "counter" => "`bag of int`, with the type of the members",
        "hashset" | "frozenset" => "`set of int`, with the type of the members",
        "dict" | "map" | "hashmap" | "dictionary" => {
            "a list by number, `xs[i]`, or `[f(x) for x in xs]` to apply a function"
        }
        "boolean" | "logical" => "`bool`",
        "float" | "double" | "rational" => "`real`; numbers are exact: `1 / 3`, `sqrt(2)`",
        "filter" => "`[x for x in xs where C]`",
        "lambda" | "fn" | "fun" | "func" | "function" => "`def f(x) = E`",
        "append" | "push" | "push_back" | "cons" | "snoc" => "`xs + [x]` for the list with one more",
        "pop" | "pop_back" | "init" => "`xs[..size(xs) - 2]` for the list without its last item",
        "tail" => "`xs[1..]` for the list without its first item",
        "head" | "front" => "`first(xs)`",
        "back" => "`last(xs)`",
        "sorted" => "`sort(xs)`",
        "reversed" => "`reverse(xs)`",
        "enumerate" => "`i in indices(xs)`, and `xs[i]` for the item",
        "pow" | "power" => "`a ** b`",
        "modulo" | "rem" | "fmod" => "`a mod b`",
        "popcount" | "bit_count" | "bitcount" => "`sum(digits(n, 2))`",
        "abs_diff" => "`abs(a - b)`",
        "contains" | "elem" | "includes" | "member" | "isin" => "`x in xs`",
        "maximum" => "`max(xs)`",
        "minimum" => "`min(xs)`",
        "foldl" | "foldr" | "reduce" => "`sum`, `product`, `xor`, `min`, `max`, `count`, `all` or `any` of a list",
        "print" | "println" | "printf" | "echo" | "puts" => {
            "`solve P` or `table E for n in 0..9` to have answers printed"
        }
        "return" => "the value alone: `def f(n) = E`",
        "win" | "lose" | "draw" => {
            "it without brackets: `-> win`, `-> if C then win else P`; `outcome(P)` is `\"first\"`, `\"second\"` or `\"draw\"`"
        }
        "won" | "lost" | "drawn" => {
            "`win`, `lose` or `draw` behind `->`, said of the mover; `end when C: lost` is said of the player to move"
        }
        "is_prime" | "isprime" | "prime" => "`size(divisors(n)) == 2`",
        "is_winning" | "iswinning" | "is_win" => "`wins(P)`",
        "is_losing" | "islosing" | "is_loss" => "`loses(P)`",
        "nimber" | "sg" | "sprague" | "sprague_grundy" | "nim_value" => "`grundy(P)`",
        "tostring" | "to_string" => "`text(n)`",
        "infinity" | "inf" | "infty" | "omega" => "`nat` for all numbers from 0 on: `for n in nat`",
        "zip" => "`[(xs[i], ys[i]) for i in indices(xs)]`",
        "fst" | "snd" => "`let (a, b) = p`, or `a` and `b` in a clause `(a, b) in pairs`",
        "swap" | "exchange" => "`xs[i := xs[j], j := xs[i]]`",
        "union" => "`a + b`",
        "intersection" | "intersect" => "`a & b`",
        "difference" | "setminus" => "`a - b`",
        "factorial" => "`product(1..n)`",
        "binomial" | "comb" | "choose" | "ncr" => "`product(n - k + 1..n) div product(1..k)`",
        "forall" | "every" => "`all(C for x in xs)`",
        "exists" | "some" => "`any(C for x in xs)`",
        "isempty" | "is_empty" | "empty" => "`size(xs) == 0`",
        "nimsum" | "nim_sum" | "bitxor" | "xorsum" => "`a xor b`, or `xor(xs)` of a list",
        "substr" | "substring" | "slice" | "sublist" => "`xs[a..b]`, with both ends",
        "divmod" | "quotient" | "quot" | "idiv" => "`a div b` and `a mod b`",
        "sgn" | "signum" => "`if n > 0 then 1 else if n < 0 then -1 else 0`",
        "isqrt" => "`floor(sqrt(n))`",
        "log2" | "lg" | "ilog2" => "`bits(n) - 1`, rounded down",
        "bit_length" | "bitlength" => "`bits(n)`",
        "concat" | "extend" | "append_all" => "`xs + ys`",
        "winner" => "`outcome(P)`, or `wins(P)`",
        _ => return None,
    })
}
