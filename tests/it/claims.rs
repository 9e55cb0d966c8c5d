//! What `check` says of claims, theorems, `same as` and `expect` lines.

use crate::checked::{self, within};
use crate::rounds;
use grundy::answer::{Finding, Kind, Verdict};
use grundy::claims::Budget;
use grundy::report::verdict::{to_object, to_text};
use grundy::source::text::Sources;
use grundy::typing::NoLoader;
use grundy::value::Value;
use std::path::Path;
use std::time::Duration;

fn findings(text: &str) -> Vec<Finding> {
    let mut sources = Sources::default();
    let id = sources.add("test.game", text);
    // Only counts end the work: every machine finds the same.
    within(&mut sources, id, &mut NoLoader, &Budget { time: Duration::MAX, instances: 1000, steps: None })
}

fn only(text: &str) -> Finding {
    let mut all = findings(text);
    assert_eq!(all.len(), 1, "{all:#?}");
    all.remove(0)
}

fn verdict(finding: &Finding) -> &'static str {
    finding.verdict.as_ref().map_or("ERROR", Verdict::word)
}

fn at(finding: &Finding) -> String {
    let named = finding.counterexample.iter().map(|(name, value)| format!("{name}={value}"));
    named.collect::<Vec<_>>().join(" ")
}

const NIM: &str = "game Nim(n) { move take k in 1..n -> Nim(n - k) }\n";

fn nim(rest: &str) -> Finding {
    only(&format!("{NIM}{rest}"))
}

#[test]
fn a_true_claim_over_a_finite_range_is_verified_not_proved() {
    let finding = nim("claim \"nim\" for a, b in 0..9: loses(Nim(a) + Nim(b)) iff a == b");
    assert_eq!((verdict(&finding), finding.searched), ("VERIFIED", 100));
    assert_eq!(finding.bound.as_deref(), Some("the whole range"));
    assert!(finding.success());
}

#[test]
fn a_false_claim_is_refuted_at_the_least_size_not_at_the_first_binder() {
    let finding = nim("claim \"x\" for a in 0..9, b in 0..9: a + 2 * b < 9");
    // Sizes: (1, 4) is 5 and comes before (0, 5), (9, 0) and (3, 3).
    assert_eq!((verdict(&finding), at(&finding).as_str()), ("REFUTED", "a=0 b=5"));
    assert!(!finding.success());
}

#[test]
fn claimed_and_found_are_told_with_a_line_of_play() {
    let finding = nim("claim \"all lost\" for n in 0..5: loses(Nim(n)) iff true");
    assert_eq!(at(&finding), "n=1");
    assert_eq!((finding.claimed.as_deref(), finding.found.as_deref()), (Some("second"), Some("first")));
    assert_eq!(finding.line, ["take 1"]);
    let finding = nim("claim \"off by one\" for n in 0..5: grundy(Nim(n)) == (if n == 3 then 4 else n)");
    assert_eq!((finding.claimed.as_deref(), finding.found.as_deref()), (Some("4"), Some("3")));
}

#[test]
fn two_infinite_binders_are_dovetailed() {
    let finding = nim("claim \"far\" for a in nat, b in nat: not (a == 7 and b == 5)");
    assert_eq!((verdict(&finding), at(&finding).as_str()), ("REFUTED", "a=7 b=5"));
    let finding = nim("claim \"far\" for a, b in nat: a * b != 36");
    assert_eq!(at(&finding), "a=6 b=6");
    assert!(finding.searched > 78, "{}", finding.searched);
}

#[test]
fn an_infinite_claim_is_verified_up_to_the_last_size() {
    let finding = nim("claim \"one\" for n in nat: wins(Nim(n)) iff n > 0");
    assert_eq!(verdict(&finding), "VERIFIED");
    assert!(finding.bound.as_deref().is_some_and(|b| b.starts_with("n <= ")), "{finding:?}");
    let finding = nim("claim \"two\" for a, b in nat where a <= b: loses(Nim(a) + Nim(b)) iff a == b");
    assert!(finding.bound.as_deref().is_some_and(|b| b.starts_with("all instances of size <= ")), "{finding:?}");
}

#[test]
fn a_claim_meant_to_be_false_succeeds_only_when_refuted() {
    let finding = nim("claim false \"no\" for n in 0..5: loses(Nim(n))");
    assert_eq!((verdict(&finding), finding.success(), finding.exit_code()), ("REFUTED", true, 0));
    let finding = nim("claim false \"no\" for n in 1..5: wins(Nim(n))");
    assert_eq!((verdict(&finding), finding.success(), finding.exit_code()), ("VERIFIED", false, 1));
}

#[test]
fn an_error_inside_a_claim_is_an_error_not_a_refutation() {
    let finding = nim("claim \"bad\" for n in 0..5: n div (3 - n) >= 0");
    let error = finding.verdict.as_ref().expect_err("an error");
    assert_eq!((error.code.as_str(), finding.exit_code()), ("R03", 2));
    assert_eq!(error.hint.as_deref(), Some("this is at n = 3"));
}

#[test]
fn structures_are_enumerated_up_to_isomorphism() {
    let counted = |clauses: &str| nim(&format!("claim \"all\" for {clauses}: true")).searched;
    assert_eq!(counted("n in 1..5, g in graphs(n)"), 1 + 2 + 4 + 11 + 34);
    assert_eq!(counted("g in connected(5)"), 21);
    assert_eq!(counted("g in trees(7)"), 11);
    assert_eq!(counted("g in digraphs(3)"), 16);
    assert_eq!(counted("g in dags(4)"), 31);
    assert_eq!(counted("b in bags(0..3, 2)"), 10);
    assert_eq!(counted("l in lists(0..3, 2)"), 16);
    assert_eq!(counted("g in graphs(3), s in subsets(g)"), 4 * 8);
}

#[test]
fn the_smallest_graph_is_found() {
    let finding = nim("claim \"no triangle\" for n in 1..4, g in graphs(n): size(edges(g)) < 3");
    assert_eq!(verdict(&finding), "REFUTED");
    assert_eq!(finding.counterexample[0].1.to_string(), "3");
}

fn theorem(line: &str) -> Finding {
    only(&format!("game Nim(n) {{\n  move take k in 1..n -> Nim(n - k)\n  theorem {line}\n}}"))
}

#[test]
fn theorems_are_held_against_exhaustive_search() {
    let finding = theorem("grundy = n");
    assert_eq!((verdict(&finding), finding.title.as_str()), ("VERIFIED", "Nim: grundy = n"));
    assert!(finding.bound.as_deref().is_some_and(|b| b.starts_with("n <= ")), "{finding:?}");
    let finding = theorem("grundy = if n == 400 then 0 else n");
    assert_eq!((verdict(&finding), at(&finding).as_str()), ("REFUTED", "n=400"));
    assert_eq!((finding.claimed.as_deref(), finding.found.as_deref()), (Some("0"), Some("400")));
    let finding = theorem("loses iff n <= 1");
    assert_eq!((verdict(&finding), at(&finding).as_str()), ("REFUTED", "n=1"));
    assert_eq!((finding.claimed.as_deref(), finding.found.as_deref()), (Some("second"), Some("first")));
    assert_eq!(verdict(&theorem("outcome = if n == 0 then \"second\" else \"first\"")), "VERIFIED");
    assert_eq!(verdict(&theorem("remoteness = min(n, 1)")), "VERIFIED");
}

#[test]
fn a_guard_leaves_positions_out() {
    assert_eq!(verdict(&theorem("grundy = 5 where n == 5")), "VERIFIED");
    assert_eq!(at(&theorem("grundy = 5 where n >= 5")), "n=6");
}

#[test]
fn winning_moves_are_compared_as_sets() {
    assert_eq!(verdict(&theorem("winning take for k = n, where n > 0")), "VERIFIED");
    let finding = theorem("winning take for k in 1..n");
    assert_eq!((verdict(&finding), at(&finding).as_str()), ("REFUTED", "n=2"));
    assert_eq!((finding.claimed.as_deref(), finding.found.as_deref()), (Some("take 1, take 2"), Some("take 2")));
    let finding = only(
        "game G(n) {\n  move one where n > 0 -> G(n - 1)\n  move all where n > 1 -> G(0)\n  theorem winning one for where n == 1\n}",
    );
    assert_eq!(at(&finding), "n=2");
    assert_eq!(finding.found.as_deref(), Some("`all` wins"));
}

#[test]
fn an_undefined_value_in_a_theorem_is_an_error() {
    let finding = only("game G(n) {\n  move stop where n > 0 -> win\n  theorem grundy = 0\n}");
    assert_eq!(finding.verdict.as_ref().expect_err("an error").code, "E20");
}

#[test]
fn same_as_is_compared_without_itself() {
    let right = "game G(a, b) {\n  move left k in 1..a -> G(a - k, b)\n  move right k in 1..b -> G(a, b - k)\n  same as G(b, a) when a > b\n}";
    let finding = only(right);
    assert_eq!((finding.kind, verdict(&finding)), (Kind::Same, "VERIFIED"));
    let wrong = right.replace("G(b, a) when a > b", "G(b, b) when a > b");
    let finding = only(&wrong);
    assert_eq!((verdict(&finding), at(&finding).as_str()), ("REFUTED", "a=1 b=0"));
}

#[test]
fn expect_lines_pass_or_fail() {
    assert_eq!(verdict(&nim("expect Nim(3) + Nim(5): first grundy 6 winning 1")), "PASSED");
    let finding = nim("expect Nim(3) + Nim(5): second grundy 6 winning 2");
    assert_eq!((verdict(&finding), finding.exit_code()), ("FAILED", 1));
    assert_eq!(finding.claimed.as_deref(), Some("second winning 2"));
    assert_eq!(finding.found.as_deref(), Some("first winning 1"));
}

#[test]
fn too_little_time_is_unknown_or_a_smaller_bound() {
    let mut sources = Sources::default();
    let id = sources.add("test.game", "claim \"all\" for a, b, c, d in 0..200: true\n");
    let budget = Budget { time: Duration::from_millis(500), ..Budget::default() };
    let finding = within(&mut sources, id, &mut NoLoader, &budget).remove(0);
    assert!(matches!(finding.verdict, Ok(Verdict::Verified | Verdict::Unknown { .. })), "{finding:?}");
    assert_ne!(finding.bound.as_deref(), Some("the whole range"));
}

#[test]
fn findings_are_reported() {
    let finding = nim("claim \"all lost\" for n in 0..5: loses(Nim(n))");
    let text = to_text(&finding);
    assert_eq!(
        text,
        "REFUTED   claim \"all lost\"\n          at      n = 1\n          claimed second\n          found   first\n          play    take 1"
    );
    let object = to_object(&finding);
    assert_eq!(object["verdict"], "REFUTED");
    assert_eq!(object["counterexample"]["n"], 1);
    assert_eq!(object["success"], false);
    assert!(object["certificate"].is_null());
}

#[test]
fn all_examples_are_green() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut bad, mut judgements): (Vec<String>, usize) = (Vec::new(), 0);
    for folder in ["tests/data/examples/games", "tests/data/examples/public", "games"] {
        let mut paths: Vec<_> =
            std::fs::read_dir(root.join(folder)).expect("a folder").map(|e| e.expect("an entry").path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "game"));
        paths.sort();
        for path in paths {
            for finding in checked::file(&path, 60) {
                judgements += 1;
                if !finding.success() {
                    bad.push(format!(
                        "{}: {}\n{:?}\n",
                        path.display(),
                        to_text(&finding),
                        finding.verdict.as_ref().err()
                    ));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.concat());
    assert!(judgements > 100, "only {judgements} statements were judged");
}

#[test]
fn the_same_position_asked_twice_gets_the_same_answer() {
    let flip = "game Flip[g: digraph](black: set of vertex of g) {
  move flip v in g, next = black xor reach(g, v) -> if next == {} then win else Flip(next)
  theorem outcome = flip_outcome(g, black)
}
claim \"twice\" for i in 0..1, g in digraphs(3), black in subsets(g): outcome(Flip[g](black)) == flip_outcome(g, black)
";
    for finding in findings(flip) {
        assert_eq!(verdict(&finding), "VERIFIED", "{}", to_text(&finding));
    }
}

/// A claim over lists and bags is refuted at a smallest instance, however many there are: smallest by the sum of numbers and lengths.
#[test]
fn claims_over_long_lists_look_at_the_small_ones() {
    for (range, k) in [("0..2", 2), ("1..1000000000", 2), ("-3..1000000", 3), ("2..1000000", 0), ("1..9", 3)] {
        for word in ["lists", "bags"] {
            for &wanted in rounds(&[5][..], &[3, 5, 8]) {
                let text = format!("claim \"c\" for xs in {word}({range}, {k}): sum(abs(x) for x in xs) < {wanted}\n");
                let finding = &findings(&text)[0];
                let (from, to) = range.split_once("..").expect("a range");
                let (from, to): (i64, i64) = (from.parse().expect("a number"), to.parse().expect("a number"));
                // What is possible at all: every sum between the least and the greatest.
                let least = if from > 0 { from * k } else { 0 };
                let greatest = to.max(-from).saturating_mul(k);
                let refuted = greatest >= wanted;
                assert_eq!(matches!(finding.verdict, Ok(Verdict::Refuted)), refuted, "{text}: {finding:?}");
                if refuted {
                    let (Value::List(_) | Value::Bag(_)) = &finding.counterexample[0].1 else { panic!("{finding:?}") };
                    let sum: i64 = grundy::value::iterate(&finding.counterexample[0].1)
                        .expect("a collection")
                        .map(|value| if let Value::Int(n) = value { n.abs() } else { panic!("{value:?}") })
                        .sum();
                    assert_eq!(sum, wanted.max(least), "{text}: {finding:?}");
                }
            }
        }
    }
}

/// What counts towards the size of a list decides which lists are small: all of a size are looked at, however large the labels of
/// vertices and the numbers are.
#[test]
fn no_list_is_left_out_for_its_members() {
    for text in [
        "claim \"c\" for xs in lists(vertices(path(1100)), 2): xs != [1099, 1099]\n",
        "claim \"c\" for xs in bags(vertices(path(1500)), 2): bag([1499, 1499]) != xs\n",
        "claim \"c\" for xs in lists([(v, 3) for v in path(1100)], 2): size(xs) != 2 or xs[0][0] != 1099\n",
        "claim \"c\" for xs in lists([10 ** 18], 20): false\n",
        "claim \"c\" for xs in lists([10 ** 30, 10 ** 40], 3): sum(xs) < 3 * 10 ** 40\n",
        "claim \"c\" for xs in bags([4 * 10 ** 18, 5 * 10 ** 18], 4): sum(xs) < 2 * 10 ** 19\n",
        "claim \"c\" for xs in lists([-9 * 10 ** 18, 1], 2): sum(xs) > -10 ** 19\n",
    ]
    .into_iter()
    .step_by(rounds(3, 1))
    {
        let finding = only(text);
        assert_eq!(finding.verdict, Ok(Verdict::Refuted), "{text}: {finding:?}");
    }
}
