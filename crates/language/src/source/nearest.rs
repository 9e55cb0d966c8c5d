//! The word that may be meant by another one, for "did you mean".

/// Longer names are not compared: nobody sees by eye how such a one differs.
const LONGEST: usize = 40;

/// The candidate nearest to `word`, if near enough to be meant; the alphabetically first of equals. O(|word|) each.
pub fn nearest<'n>(word: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
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

/// The optimal string alignment distance if at most `limit`. O(|a| limit): only a band about the diagonal counts.
pub fn distance(a: &[char], b: &[char], limit: usize) -> Option<usize> {
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
