//! Functions of a number modulo a period, written as shortly as may be.

use crate::guess::formula::{Formula, Op, Word};

/// Longer periods are only listed.
const LONG: usize = 64;

/// Formulas of n mod p for the values of the residues 0..p. The last one is the list itself.
pub(super) fn numbers(list: &[i128]) -> Vec<Formula> {
    let n = || Formula::Var(0);
    let Some(first) = list.first() else { return Vec::new() };
    if list.iter().all(|value| value == first) {
        return vec![Formula::Int(*first)];
    }
    let p = whole(list.len());
    let mut found = Vec::new();
    let mut offer = |formula: Formula| {
        let fits = list.iter().zip(0i64..).all(|(value, r)| formula.eval(&[r]) == Some(*value));
        if fits {
            found.push(formula);
        }
    };
    if list.len() <= LONG {
        let most = list.iter().max().copied().unwrap_or(0);
        for shift in 0..p {
            let up = n().plus(shift).modulo(p);
            let down = Formula::Int(shift).op(Op::Sub, n()).modulo(p);
            // A shift that gives the last residue reads better as a shift down.
            let back = n().plus(shift - p).modulo(p);
            let turned = if shift * 2 > p { back } else { up };
            for base in [turned, down] {
                offer(base.clone());
                offer(Formula::Call(Word::Min, vec![base.clone(), Formula::Int(most)]));
                for d in 2..p {
                    offer(base.clone().over(d));
                    offer(base.clone().modulo(d));
                }
            }
        }
        if let [one, other] = two(list)[..] {
            let r = n().modulo(p);
            let places = |value: i128| list.iter().zip(0..).filter(|(v, _)| **v == value).map(|(_, r)| r).collect();
            let (a, b): (Vec<i128>, Vec<i128>) = (places(one), places(other));
            let (few, yes, no) = if a.len() <= b.len() { (a, one, other) } else { (b, other, one) };
            let condition = r.among(few, true);
            offer(Formula::If(Box::new(condition), Box::new(Formula::Int(yes)), Box::new(Formula::Int(no))));
        }
    }
    found.push(Formula::Pick(list.to_vec(), Box::new(n().modulo(p))));
    found
}

/// The two values of a list of two values.
fn two(list: &[i128]) -> Vec<i128> {
    let mut values = list.to_vec();
    values.sort_unstable();
    values.dedup();
    values
}

/// Conditions on n mod p that hold for the residues whose value is 1.
pub(super) fn truths(list: &[i128]) -> Vec<Formula> {
    if let Some(first) = list.first()
        && list.iter().all(|value| value == first)
    {
        return vec![Formula::Truth(*first == 1)];
    }
    let p = whole(list.len());
    set(&Formula::Var(0).modulo(p), list)
}

/// Conditions on a number 0..k that hold where the value is 1, whatever stands beyond.
pub(super) fn set(of: &Formula, list: &[i128]) -> Vec<Formula> {
    let places = |wanted: i128| -> Vec<i128> {
        list.iter().zip(0..).filter(|(value, _)| **value == wanted).map(|(_, r)| r).collect()
    };
    let (holding, failing) = (places(1), places(0));
    let mut found = Vec::new();
    let below = |places: &[i128]| places.iter().zip(0..).all(|(place, at)| *place == at);
    if holding.len() > 1 && below(&holding) {
        found.push(of.clone().op(Op::Lt, Formula::Int(whole(holding.len()))));
    }
    if failing.len() > 1 && below(&failing) {
        found.push(of.clone().op(Op::Ge, Formula::Int(whole(failing.len()))));
    }
    found.push(of.clone().among(holding, true));
    found.push(of.clone().among(failing, false));
    found
}

/// A length as a number of formulas.
pub(super) fn whole(length: usize) -> i128 {
    i128::try_from(length).unwrap_or(i128::MAX)
}

#[cfg(test)]
mod tests {
    use crate::guess::formula::Formula;
    use crate::guess::residues::{numbers, truths};
    use crate::guess::show::text;

    fn shortest(found: &[Formula]) -> String {
        let best = found.iter().min_by_key(|formula| formula.cost()).expect("a formula");
        text(best, &["n".to_string()], false)
    }

    #[test]
    fn short_ways_to_say_it() {
        assert_eq!(shortest(&numbers(&[7, 7])), "7");
        assert_eq!(shortest(&numbers(&[0, 1, 2, 3])), "n mod 4");
        assert_eq!(shortest(&numbers(&[1, 2, 3, 0])), "(n + 1) mod 4");
        assert_eq!(shortest(&numbers(&[3, 0, 1, 2])), "(n - 1) mod 4");
        assert_eq!(shortest(&numbers(&[0, 0, 1, 1, 2, 2])), "n mod 6 div 2");
        assert_eq!(shortest(&numbers(&[0, 1, 2, 2, 2])), "min(n mod 5, 2)");
        assert_eq!(shortest(&numbers(&[0, 5, 1, 9])), "[0, 5, 1, 9][n mod 4]");
        assert_eq!(shortest(&truths(&[1, 0, 0])), "n mod 3 == 0");
        assert_eq!(shortest(&truths(&[1, 0, 1])), "n mod 3 != 1");
        assert_eq!(shortest(&truths(&[1, 0, 1, 1, 0, 0, 0])), "n mod 7 in {0, 2, 3}");
        assert_eq!(shortest(&truths(&[1, 1, 1, 0, 0, 0, 0])), "n mod 7 < 3");
    }
}
