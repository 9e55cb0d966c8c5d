//! What engines count with.

use grundy::engines::grundy::Mex;

#[test]
fn mex_is_the_least_missing_number() {
    let mut mex = Mex::default();
    for values in [vec![], vec![0], vec![1, 2], (0..200).collect(), (0..64).chain([65, 65, 66]).collect()] {
        let naive = (0..=200u32).find(|n| !values.contains(n)).expect("a finite list misses a number");
        for &v in &values {
            mex.add(v);
        }
        assert_eq!(mex.take(), naive, "{values:?}");
    }
}
