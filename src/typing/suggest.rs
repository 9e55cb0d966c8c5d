//! The nearest name, for "did you mean".

use crate::typing::checker::Checker;

/// Longer names are not compared: nobody sees by eye how such a one differs.
const LONGEST: usize = 40;

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
        nearest(word, candidates()).map(|name| format!("did you mean `{name}`?"))
    }
}

/// The candidate nearest to `word`, if one is near enough to be meant; of equally near ones the alphabetically first.
/// O(|word|) for each candidate of about the same length, O(1) for the others.
pub(crate) fn nearest<'n>(word: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let length = word.chars().take(LONGEST + 1).count();
    if length > LONGEST {
        return None;
    }
    let limit = match length {
        0..=2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    let short = length <= 2;
    let small: Vec<char> = lower(word).collect();
    let mut other: Vec<char> = Vec::new();
    let mut nearest: Option<(usize, &str)> = None;
    for candidate in candidates.into_iter().filter(|c| *c != word) {
        other.clear();
        // One letter more than can be near is enough to see that it is not.
        other.extend(lower(candidate).take(small.len() + limit + 1));
        let Some(distance) = distance(&small, &other, limit) else { continue };
        // Of two words of one or two letters nothing may be left but the capitals, or everything is near everything.
        let alike = !short || distance == 0 || candidate.len() > 2;
        if alike && distance < candidate.chars().count() && nearest.is_none_or(|best| (distance, candidate) < best) {
            nearest = Some((distance, candidate));
        }
    }
    nearest.map(|(_, name)| name)
}

fn lower(word: &str) -> impl Iterator<Item = char> {
    word.chars().flat_map(char::to_lowercase)
}

/// How many letters must be changed, put in, left out or swapped with their neighbour to turn one word into the other
/// (optimal string alignment distance), if no more than `limit`. O(|a| limit): only a band about the diagonal counts.
fn distance(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let far = limit + 1;
    let mut before = vec![far; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).map(|j| j.min(far)).collect();
    let mut row = vec![far; b.len() + 1];
    for i in 1..=a.len() {
        let (from, to) = (i.saturating_sub(limit).max(1), (i + limit).min(b.len()));
        row[from - 1] = if from == 1 { i.min(far) } else { far };
        for j in from..=to {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (last[j - 1] + cost).min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row[j] = best.min(far);
        }
        if to < b.len() {
            row[to + 1] = far;
        }
        if row[from - 1..=to].iter().all(|&d| d == far) {
            return None;
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    Some(last[b.len()]).filter(|&d| d <= limit)
}

#[cfg(test)]
mod tests {
    use crate::typing::suggest::{distance, lower, nearest};

    /// The whole matrix, as the definition has it.
    fn whole(a: &[char], b: &[char]) -> usize {
        let mut d = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                d[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let cost = usize::from(a[i - 1] != b[j - 1]);
                    (d[i - 1][j - 1] + cost).min(d[i - 1][j] + 1).min(d[i][j - 1] + 1)
                };
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    d[i][j] = d[i][j].min(d[i - 2][j - 2] + 1);
                }
            }
        }
        d[a.len()][b.len()]
    }

    #[test]
    fn the_nearest_name_is_the_one_a_user_meant() {
        assert_eq!(nearest("heasp", ["heaps", "steps"]), Some("heaps"));
        assert_eq!(nearest("N", ["n", "m"]), Some("n"));
        assert_eq!(nearest("x", ["y", "z"]), None);
        assert_eq!(nearest("neighbors", ["neighbours", "successors"]), Some("neighbours"));
        assert_eq!(nearest("frobnicate", ["size", "sum"]), None);
    }

    #[test]
    fn names_of_any_length_cost_little() {
        let long = "x".repeat(1 << 20);
        let longer = format!("{long}y");
        assert_eq!(nearest(&longer, [&*long]), None);
        assert_eq!(nearest("heasp", std::iter::repeat_n(&*long, 10_000).chain(["heaps"])), Some("heaps"));
    }

    #[test]
    fn the_band_is_the_matrix_where_it_counts() {
        let words: Vec<Vec<char>> = (0..3_u32.pow(5))
            .map(|n| (0..n % 6).map(|at| ['a', 'b', 'c'][usize::try_from(n / 3_u32.pow(at) % 3).unwrap()]).collect())
            .chain(["neighbours", "neighbors", "nieghbours", "Nachbarn"].map(|word| lower(word).collect()))
            .collect();
        for a in &words {
            for b in &words {
                for limit in 1..=3 {
                    assert_eq!(distance(a, b, limit), Some(whole(a, b)).filter(|&d| d <= limit), "{a:?} {b:?} {limit}");
                }
            }
        }
    }
}
