//! The checker of certificates by itself.

use grundy_verify::{Sentence, parse};

#[test]
fn sentences_are_read() {
    let text = "(not (exists (x y) (and (= (+ x (* -3 y) 1) 0) (xor x y x) true)))";
    assert!(matches!(parse(text, &[]), Ok(Sentence::Not(_))));
    for wrong in [
        "",
        "(",
        ")",
        "(not)",
        "(not true",
        "true true",
        "(= x 0)",
        "(exists (x) (= x))",
        "(exists (1) true)",
        "(exists (x) (multiple 0 x))",
        "(exists (x) (* x x))",
        "(and (exists (x) true) (= x 0))",
        "(exists (x) (word 0 x))",
        "(= 1 ((1)))",
        "(exists (x) (= x 1x))",
    ] {
        assert!(parse(wrong, &[]).is_err(), "{wrong}");
    }
    assert!(parse(&"(not ".repeat(100_000), &[]).is_err());
    assert!(parse(&format!("(= 0 {})", "9".repeat(1000)), &[]).is_err());
}
