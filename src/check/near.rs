//! The nearest name, for "did you mean".

/// How many letters must be changed, put in, left out or swapped with their neighbour to turn one word into the other
/// (optimal string alignment distance, capitals ignored). O(|a| |b|).
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().flat_map(char::to_lowercase).collect();
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (last[j - 1] + cost).min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// The candidate nearest to `word`, if one is near enough to be meant; of equally near ones the alphabetically first.
pub(crate) fn nearest<'n>(word: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let limit = match word.chars().count() {
        0..=2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    let short = word.chars().count() <= 2;
    candidates
        .into_iter()
        .filter(|c| *c != word)
        .map(|c| (distance(word, c), c))
        // Of two words of one or two letters nothing may be left but the capitals, or everything is near everything.
        .filter(|(d, c)| *d <= limit && (!short || *d == 0 || c.len() > 2) && *d < c.chars().count())
        .min()
        .map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_is_the_one_a_user_meant() {
        assert_eq!(nearest("heasp", ["heaps", "steps"]), Some("heaps"));
        assert_eq!(nearest("N", ["n", "m"]), Some("n"));
        assert_eq!(nearest("x", ["y", "z"]), None);
        assert_eq!(nearest("neighbors", ["neighbours", "successors"]), Some("neighbours"));
        assert_eq!(nearest("frobnicate", ["size", "sum"]), None);
    }
}
