//! Which fields may change places, by hand.

use grundy::analysis::symmetry::interchangeable;
use grundy::model::GameId;
use grundy::source::Sources;
use grundy::syntax::parse_file;
use grundy::typing::{NoLoader, check};

/// The groups of the first game of a text.
fn groups(text: &str) -> Vec<Vec<usize>> {
    let mut sources = Sources::default();
    let id = sources.add("test.game", text.to_string());
    let tree = parse_file(&sources, id).expect("a file");
    let program = check(&tree, id, &mut sources, &mut NoLoader);
    interchangeable(&program.unwrap_or_else(|e| panic!("{e:?} {text}")), GameId(0))
}

#[test]
fn rules_that_say_the_same_of_all_fields() {
    for moves in [
        "move a k in 1..a -> G(a - k, b, c)\n move b k in 1..b -> G(a, b - k, c)\n move c k in 1..c -> G(a, b, c - k)",
        "move x where a > 0 -> G(a - 1, b, c)\n move y where 0 < b -> G(a, b - 1, c)\n move z where c > 0 -> G(a, b, c - 1)\n \
         move t where a > 0 and b > 0 and c > 0 -> G(a - 1, b - 1, c - 1)",
        "move all i in 0..a, j in 0..b, k in 0..c where i + j + k > 0 -> G(a - i, b - j, c - k)",
        "move t where min(a, b, c) > 2 and a xor b xor c == 1 -> G(a - 1, b - 1, c - 1)\n end when a + b + c < 4\n \
         legal when a * b * c != 12",
        "let s = a + b + c\n move t where s mod 2 == 0 and a > 0 and b > 0 and c > 0 -> G(a - 1, b - 1, c - 1)",
    ] {
        assert_eq!(groups(&format!("game G(a, b, c) {{ {moves} }}\n")), [[0, 1, 2]], "{moves}");
    }
}

#[test]
fn some_fields_only() {
    let first = "move a k in 1..a -> G(a - k, b, c)\n move b k in 1..b -> G(a, b - k, c)";
    assert_eq!(
        groups(&format!("game G(a, b, c) {{ {first}\n move c k in 1..min(c, 3) -> G(a, b, c - k) }}\n")),
        [[0, 1]]
    );
    let pairs =
        "move p where a > 0 and b > 0 -> G(a - 1, b - 1, c, d)\n move q where c > 1 and d > 1 -> G(a, b, c - 2, d - 2)";
    assert_eq!(groups(&format!("game G(a, b, c, d) {{ {pairs} }}\n")), [[0, 1], [2, 3]]);
    // A board with a side of its own for each player: each move changes sides.
    assert!(groups("game G(a, b) { move go k in 1..a -> G(b, a - k) }\n").is_empty());
}

#[test]
fn rules_that_differ() {
    for moves in [
        // In one number, one sign, one field, the order of a difference.
        "move a k in 1..a -> G(a - k, b)\n move b k in 1..b where k != 7 -> G(a, b - k)",
        "move a where a > 0 -> G(a - 1, b)\n move b where b > 0 -> G(a, b - 1)\n move c where a > 1 and b > 1 -> G(a - 2, b - 1)",
        "move a where a > 0 -> G(a - 1, b)\n move b where b > 0 -> G(a, b - 1)\n move c where a - b == 2 -> G(0, 0)",
        "move a where a > 0 -> G(a - 1, b)\n move b where b > 0 -> G(a, b - 1)\n end when a == 3",
        "move a where a > 0 -> G(a - 1, b)\n move b where b > 0 -> G(a, b - 1)\n legal when a >= b",
        "move a where a > 0 -> G(a - 1, b)\n move b where b > 0 -> G(a, b - 1)\n same as G(b, a) when a > b",
        "move a where a > 0 -> G(a - 1, b)\n move b where b > 0 -> again G(a, b - 1)",
        "move a where a > 0 -> G(a - 1, b)\n move b where b > 0 -> G(b - 1, a)",
        // Which is looked at first matters where one of them is an error.
        "move a where a > 0 and 6 div b > 0 -> G(a - 1, b)\n move b where 6 div a > 0 and b > 0 -> G(a, b - 1)",
        // Of several ends the first counts.
        "move a where a > 0 -> G(a - 1, b)\n move b where b > 0 -> G(a, b - 1)\n end when a == 5 : won\n end when b == 5 : lost",
    ] {
        assert!(groups(&format!("game G(a, b) {{ {moves} }}\n")).is_empty(), "{moves}");
    }
}
