use super::Dice;
use grundy_graphs::bits::Bits;

#[test]
fn sets_are_those_of_a_list() {
    let mut dice = Dice(5);
    for round in 0..400_u64 {
        let bound = dice.below(3000);
        let dense = [1, 2, 10, 64, 1000][usize::try_from(round % 5).unwrap()];
        let far = dice.below(bound + 1);
        let list: Vec<u32> = (0..bound)
            .filter(|n| dice.below(dense) == 0 && (round % 3 > 0 || *n > far))
            .map(|n| u32::try_from(n).unwrap())
            .collect();
        let bits = Bits::new(usize::try_from(bound).unwrap(), list.iter().copied().rev().chain([u32::MAX]));
        assert_eq!((bits.len(), bits.is_empty()), (list.len(), list.is_empty()));
        assert!(bits.iter().eq(list.iter().copied()));
        for n in 0..u32::try_from(bound + 200).unwrap() {
            assert_eq!(bits.has(n), list.contains(&n), "{n} in {list:?}");
        }
    }
}
