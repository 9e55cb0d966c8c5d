//! Values that grow along a line of its own for each residue: `if n mod 2 == 0 then n div 2 else 0`.

use crate::guess::formula::{Formula, Op};
use crate::guess::residues::whole;
use crate::guess::series::Series;

/// Residues modulo numbers up to this.
const MODULI: std::ops::RangeInclusive<usize> = 2..=4;

/// Formulas where not all lines rise by the same.
pub(super) fn candidates(series: &Series) -> Vec<Formula> {
    MODULI.filter_map(|modulus| lines(series, modulus)).filter(|formula| series.fits(formula)).collect()
}

fn lines(series: &Series, modulus: usize) -> Option<Formula> {
    /// A line is seen by so many values.
    const SEEN: usize = 3;
    if series.len() < SEEN * modulus {
        return None;
    }
    let m = whole(modulus);
    let mut cases: Vec<(i128, Formula)> = Vec::new();
    let mut rises = Vec::new();
    for (index, (n, value)) in series.entries().take(modulus).enumerate() {
        let rise = series.values[index + modulus].checked_sub(value)?;
        let n = i128::from(n);
        let added = m.checked_mul(value)?.checked_sub(rise.checked_mul(n)?)?;
        let common = num_integer::gcd(num_integer::gcd(rise, added), m);
        let line = match rise / common {
            0 => Formula::Int(added / common),
            rise => Formula::Var(0).times(rise).plus(added / common),
        };
        rises.push(rise);
        cases.push((n.rem_euclid(m), line.over(m / common)));
    }
    if rises.windows(2).all(|pair| pair[0] == pair[1]) {
        return None;
    }
    cases.sort_by_key(|(residue, _)| *residue);
    let (_, last) = cases.pop()?;
    let choose = |rest: Formula, (residue, line): (i128, Formula)| {
        let condition = Formula::Var(0).modulo(m).op(Op::Eq, Formula::Int(residue));
        Formula::If(Box::new(condition), Box::new(line), Box::new(rest))
    };
    Some(cases.into_iter().rev().fold(last, choose))
}

#[cfg(test)]
mod tests {
    use crate::guess::series::{Series, Sort};
    use crate::guess::show::text;
    use crate::guess::slopes::candidates;

    #[test]
    fn each_residue_has_its_line() {
        let found = |of: fn(i128) -> i128| {
            let series = Series { first: 0, values: (0..40).map(of).collect(), sort: Sort::Number };
            candidates(&series).first().map(|formula| text(formula, &["n".to_string()], false))
        };
        let halves = found(|n| if n % 2 == 0 { n / 2 } else { 0 });
        assert_eq!(halves.as_deref(), Some("(if n mod 2 == 0 then n div 2 else 0)"));
        let three = found(|n| [n, 7, 2 * n + 1][usize::try_from(n % 3).unwrap_or(0)]);
        assert_eq!(three.as_deref(), Some("(if n mod 3 == 0 then n else if n mod 3 == 1 then 7 else 2 * n + 1)"));
        assert_eq!(found(|n| n), None);
    }
}
