//! The genus of a game: what it is worth in normal play, and in misere play beside any number of heaps of two.
//!
//! Source: J. H. Conway, On Numbers and Games, chapter 12; Berlekamp, Conway, Guy, Winning Ways, chapter 13. The two
//! definitions of tameness stand at [`Tameness`]; the theorem that they are for, at [`Tameness::is_tame`].

use std::fmt;

/// The genus `g^{s0 s1 s2 ..}` of a game G: `g` is its Grundy value, `sk` that of G + k·*2 in misere play, which is 1
/// where there is no move and else the least number that no option has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Genus {
    normal: u32,
    /// The last two come again and again, by turns; no shorter list says the same.
    misere: Box<[u32]>,
}

impl Genus {
    /// The genus of a game without moves.
    pub fn of_nothing() -> Genus {
        Genus { normal: 0, misere: Box::new([1, 2, 0]) }
    }

    /// The genus of a game with these options, at least one. `None`: some number does not fit.
    ///
    /// An option of G + k·*2 is one of G, beside k·*2, or it leaves *0 or *1 of one of the heaps. *1 beside a game changes
    /// its value v to v ⊕ 1 (by induction), so that `sk` is the least number which is neither `s(k-1)`, nor
    /// `s(k-1) ⊕ 1`, nor that of an option. From the place on from which all options have their last two numbers by turns,
    /// a number depends on the one before it and on whether k is even: once `sk = s(k-2)`, so it goes on.
    pub fn of_options<'g>(options: impl Iterator<Item = &'g Genus> + Clone) -> Option<Genus> {
        let steady = options.clone().map(|option| option.misere.len() - 2).max()?;
        // From there on a number is one of two, for k even and for k odd: the pairs of them come again within two pairs.
        let last = steady + 8;
        let mut misere: Vec<u32> = Vec::new();
        for k in 0..=last {
            let before = k.checked_sub(1).map(|k| misere[k]);
            let beside = before.into_iter().flat_map(|s| [s, s ^ 1]);
            misere.push(mex(options.clone().map(|option| option.beside(k)).chain(beside))?);
            if k >= steady + 2 && misere[k] == misere[k - 2] {
                while let [.., a, _, b] = misere[..]
                    && a == b
                {
                    misere.pop();
                }
                return Some(Genus { normal: mex(options.map(|option| option.normal))?, misere: misere.into() });
            }
        }
        None
    }

    /// The Grundy value.
    pub fn normal(&self) -> u32 {
        self.normal
    }

    /// The value in misere play; 0: who is to move loses.
    pub fn misere(&self) -> u32 {
        self.beside(0)
    }

    /// The value in misere play beside so many heaps of two.
    pub fn beside(&self, twos: usize) -> u32 {
        let len = self.misere.len();
        let at = if twos < len { twos } else { len - 2 + (twos - len) % 2 };
        self.misere[at]
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.misere[..]) + 16
    }

    /// What the two values alone say.
    fn pair(&self) -> Pair {
        match (self.normal, self.misere()) {
            (0, 1) | (1, 0) => Pair::Fickle,
            (a, b) if a == b => Pair::Firm,
            (0 | 1, _) => Pair::Restive,
            (_, 0 | 1) => Pair::Restless,
            _ => Pair::Wild,
        }
    }
}

/// The numbers are written side by side while all have one digit, and else with commas. The last two come by turns.
impl fmt::Display for Genus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.misere.iter().any(|s| *s > 9) { "," } else { "" };
        let numbers: Vec<String> = self.misere.iter().map(u32::to_string).collect();
        write!(f, "{}^{{{}}}", self.normal, numbers.join(separator))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pair {
    Fickle,
    Firm,
    Restive,
    Restless,
    Wild,
}

/// How far a game is like a sum of Nim heaps in misere play. A game is *fickle* with the values (0, 1) or (1, 0) in normal
/// and in misere play, as heaps of 0 and 1 are, and *firm* with (n, n), as all other sums of heaps are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tameness {
    /// It and all positions that its plays come to are fickle or firm.
    Hereditary,
    /// It is fickle or firm; its tame options alone give it the same two values; and each other option X can be taken
    /// back in either convention: X has a tame option with its Grundy value, and one with its value in misere play.
    Tame,
    /// Its options are tame; its Grundy value is 0 or 1, its value in misere play is not.
    Restive,
    /// Its options are tame; its value in misere play is 0 or 1, its Grundy value is not.
    Restless,
    /// None of these.
    Wild,
}

impl Tameness {
    /// The tameness of a game with this genus, and with these options: each with its genus, its tameness and, where it
    /// is not tame, the same of its own options.
    pub fn of(genus: &Genus, options: &[Told<'_>]) -> Tameness {
        let pair = genus.pair();
        if matches!(pair, Pair::Fickle | Pair::Firm) {
            if options.iter().all(|option| option.tameness == Tameness::Hereditary) {
                return Tameness::Hereditary;
            }
            if genus.is_tame_with(options) {
                return Tameness::Tame;
            }
        }
        match pair {
            Pair::Restive if options.iter().all(|option| option.tameness.is_tame()) => Tameness::Restive,
            Pair::Restless if options.iter().all(|option| option.tameness.is_tame()) => Tameness::Restless,
            _ => Tameness::Wild,
        }
    }

    /// Whether it is tame, hereditarily or not. Theorem: of a sum of tame games the value in normal play is the xor v of
    /// their Grundy values, and in misere play v if one of them is firm, v ⊕ 1 if not.
    ///
    /// Proof: by induction. Moves of tame games to tame games are those of Nim. A move to a game that is not tame is
    /// answered in it, beside a firm game by keeping the Grundy value, beside fickle ones by keeping that in misere play;
    /// so it has not the value of the sum.
    pub fn is_tame(self) -> bool {
        matches!(self, Tameness::Hereditary | Tameness::Tame)
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Tameness::Hereditary => "hereditarily tame",
            Tameness::Tame => "tame",
            Tameness::Restive => "restive",
            Tameness::Restless => "restless",
            Tameness::Wild => "wild",
        }
    }
}

/// A game as one looks at it from a position before it.
#[derive(Clone, Debug)]
pub struct Told<'g> {
    /// Its genus.
    pub genus: &'g Genus,
    /// Its tameness.
    pub tameness: Tameness,
    /// Of its options that are tame, what they are worth; asked for only where it is not tame itself.
    pub tame_options: &'g [(u32, u32)],
}

impl Genus {
    /// The values in normal and in misere play.
    pub fn values(&self) -> (u32, u32) {
        (self.normal, self.misere())
    }

    fn is_tame_with(&self, options: &[Told<'_>]) -> bool {
        let tame = options.iter().filter(|option| option.tameness.is_tame());
        let normal = mex(tame.clone().map(|option| option.genus.normal));
        let misere = mex(tame.map(|option| option.genus.misere()));
        let reverts = |option: &Told<'_>| {
            let normal = option.tame_options.iter().any(|(normal, _)| *normal == self.normal);
            normal && option.tame_options.iter().any(|(_, misere)| *misere == self.misere())
        };
        (normal, misere) == (Some(self.normal), Some(self.misere()))
            && options.iter().all(|option| option.tameness.is_tame() || reverts(option))
    }
}

/// The least number that is not among these; `None`: it does not fit.
fn mex(numbers: impl Iterator<Item = u32>) -> Option<u32> {
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    let met = numbers.iter().zip(0u32..).take_while(|(number, place)| **number == *place).count();
    u32::try_from(met).ok()
}
