//! Every built-in word, type of a field and form of a move: native code takes the rules, and gives the answers of every form of the engine.

use crate::spellings::{alike, alike_in_answers, error_in_every_form, native};
use grundy::model::Builtin;
use std::collections::HashSet;

/// For each word a condition in which it stands: k is taken from n.
const WORDS: &[(&str, &str)] = &[
    ("min", "min(k, n mod 5) > 1"),
    ("max", "max(k, n mod 7) < 5"),
    ("gcd", "gcd(k, n) == 1"),
    ("lcm", "lcm(k, n mod 6 + 1) < 20"),
    ("abs", "abs(n mod 9 - 4) < k"),
    ("sign", "sign(n mod 5 - k) >= 0"),
    ("floor", "floor(k * sqrt(2)) mod 3 != n mod 3"),
    ("ceil", "ceil(n / k) mod 3 != 1"),
    ("sqrt", "floor(sqrt(n)) mod k != 1"),
    ("divisors", "k in divisors(n)"),
    ("primes", "k in primes(n)"),
    ("prime_factors", "k in prime_factors(n)"),
    ("valuation", "valuation(n, k + 1) != 1"),
    ("digits", "size(digits(n, 3)) mod k != 1"),
    ("bits", "bits(n) mod k != 2"),
    ("bit", "bit(n, k)"),
    ("mex", "mex([k mod 3, n mod 3, 0]) < 2"),
    ("zeckendorf", "k in zeckendorf(n)"),
    ("nim_product", "nim_product(k, n) mod 3 != 1"),
    ("size", "size({k mod 3, n mod 3, n mod 2}) > 1"),
    ("sum", "sum(i for i in 1..k) mod 3 != n mod 3"),
    ("product", "product([k, n mod 4]) < 9"),
    ("xor", "xor(i for i in 1..k) < n mod 9"),
    ("count", "count(bit(n, i) for i in 0..k) mod 2 == 0"),
    ("tally", "(k mod 2, 2) in tally([n mod 2, k mod 2, n div 2 mod 2])"),
    ("xor_tally", "size(xor_tally(tally([k, n mod 3]), 2)) > 0"),
    ("all", "all(n mod (i + 1) != i for i in 1..k)"),
    ("any", "any(n mod (i + 1) == 0 for i in 1..k)"),
    ("indices", "k in indices(digits(n))"),
    ("first", "first(digits(n)) != k"),
    ("last", "last(digits(n)) != k"),
    ("reverse", "reverse([k, n mod 3])[0] != k"),
    ("sort", "sort([k mod 3, n mod 3, 1])[0] == 0"),
    ("list", "list({k mod 3, n mod 3})[0] == 0"),
    ("set", "size(set([k mod 3, n mod 3])) == 1"),
    ("bag", "bag([k mod 3, n mod 3]) != bag([1, 2])"),
    ("increasing", "increasing([k mod 3, n mod 3])"),
    ("repeat", "size(repeat([k], n mod 4)) > 1"),
    ("union", "size(union([{k mod 3}, {n mod 3}, {1}])) > 1"),
    ("choices", "[k mod 2, n mod 2] in choices([[0, 1], [1]])"),
    ("subsets", "{k mod 3} in subsets({n mod 3, 1})"),
    ("subbags", "bag([k mod 3]) in subbags(bag([n mod 3, 1]))"),
    ("pairs", "(k mod 2, n mod 2 + 2) in pairs([0, 1, 2, 3])"),
    ("choose", "[k mod 2, n mod 2 + 2] in choose([0, 1, 2, 3], 2)"),
    ("partitions", "bag([k, n mod 4]) in partitions(5)"),
    ("slide", "k in slide(n mod 9, 5, [3])"),
    ("places", r#"k in places(text(n), "1")"#),
    ("starts", "starts(text(n), text(k))"),
    ("split", r#"size(split(text(n), "1")) mod k != 1"#),
    ("join", "size(join([text(k), text(n)])) > 3"),
    ("words", r#"text(n) in words("12345", 2)"#),
    ("text", "text(n)[0] != text(k)[0]"),
    ("int", "int(text(n)) mod k != 1"),
    ("graph", "n mod 5 in neighbours(graph { 0-1, 1-2, 2-3, 3-4 }, k mod 5)"),
    ("digraph", "n mod 5 in successors(digraph { 0->1, 1->2, 2->3, 3->4 }, k mod 5)"),
    ("multigraph", "degree(multigraph { 0-1, 0-1, 1-2, 2-3, 3-4 }, n mod 5) != k"),
    ("path", "n mod 5 in neighbours(path(5), k mod 5)"),
    ("cycle", "n mod 5 in neighbours(cycle(5), k mod 5)"),
    ("complete", "n mod 5 in neighbours(complete(5), k mod 5)"),
    ("star", "n mod 5 in neighbours(star(5), k mod 5)"),
    ("bipartite", "n mod 5 in neighbours(bipartite(2, 3), k mod 5)"),
    ("petersen", "n mod 10 in neighbours(petersen(), k mod 10)"),
    ("grid", r#"grid(["..#", ".#."])[(n mod 2, k mod 3)] == ".""#),
    ("vertices", "k in vertices(path(n mod 5 + 1))"),
    ("edges", "size(edges(path(n mod 5 + 1))) > k"),
    ("ends", "any(ends(e) == (k, k + 1) for e in edges(path(n mod 5 + 2)))"),
    ("neighbours", "n mod 5 in neighbours(path(5), k mod 5)"),
    ("successors", "n mod 5 in successors(digraph { 0->1, 1->2, 2->3, 3->4 }, k mod 5)"),
    ("predecessors", "n mod 5 in predecessors(digraph { 0->1, 1->2, 2->3, 3->4 }, k mod 5)"),
    ("degree", "degree(path(5), n mod 5) == k"),
    ("reach", "n mod 5 in reach(digraph { 0->1, 1->2, 2->3, 3->4 }, k mod 5)"),
    ("distance", "distance(path(5), n mod 5, k mod 5) > 1"),
    ("components", "size(components(path(5), {n mod 5, k mod 5})) == 1"),
    ("strong_components", "size(strong_components(digraph { 0->1, 1->0 })) == k"),
    ("subgraph", "is_connected(subgraph(path(3), {e for e in edges(path(3)) where n mod 2 == 0 or k > 2}))"),
    ("grounded", "size(grounded(path(5), edges(path(5)), {n mod 5})) > k"),
    ("is_connected", "is_connected(path(n mod 4 + 1) - {k mod 2}) or k == 1"),
    ("is_acyclic", "is_acyclic(path(n mod 4 + 1)) and k > 1"),
    ("is_tree", "is_tree(path(n mod 4 + 1)) and k > 1"),
    ("is_bipartite", "is_bipartite(cycle(n mod 4 + 3)) or k == 1"),
    ("rows", "rows(grid(n mod 4 + 1, 3)) > k"),
    ("cols", "cols(grid(3, n mod 4 + 1)) > k"),
    ("cells", "(n mod 3, k mod 3) in cells(grid(3, 3))"),
    ("ray", "(n mod 3, k mod 3) in ray(grid(3, 3), (0, 0), (1, 1))"),
    ("around", "(n mod 3, k mod 3) in around(grid(3, 3), (0, 0))"),
    ("matching", "matching(path(n mod 4 + 1)) > k mod 3"),
    ("sometimes_unmatched", "k mod 3 in sometimes_unmatched(path(n mod 4 + 3))"),
    ("fusion", "fusion(path(5), edges(path(5)), {n mod 5}) > k"),
    ("flip_outcome", r#"flip_outcome(path(4), {n mod 4}) == "first" or k == 1"#),
    ("flip_winning", "k mod 4 in flip_winning(path(4), {n mod 4})"),
    ("flip_drawing", "k mod 4 in flip_drawing(path(4), {n mod 4}) or k == 1"),
    ("fusion_winning", "(n mod 4, n mod 4 + 1) in fusion_winning(path(5), edges(path(5)), {0}) or k == 1"),
    ("edge_geography_winning", "size(edge_geography_winning(path(5), edges(path(5)), n mod 5)) > 0 or k == 1"),
    ("octal", r#"octal("0.77", n mod 50) != k"#),
    ("subtraction", "subtraction({1, 3}, n) != k"),
    ("wins", "wins(H(n mod 9)) or k == 1"),
    ("loses", "loses(H(n mod 9)) or k == 1"),
    ("draws", "not draws(H(n mod 9)) and k > 1"),
    ("outcome", r#"outcome(H(n mod 9)) == "first" or k == 1"#),
    ("grundy", "grundy(H(n mod 9)) < k"),
    ("score", "score(S(n mod 9)) < k"),
    ("remoteness", "remoteness(H(n mod 9)) < k"),
    ("genus", r#"genus(H(n mod 9)) != "0" or k == 1"#),
    ("tameness", r#"tameness(H(n mod 9)) == "tame" or k == 1"#),
    ("moves", "size(moves(H(n mod 9))) > k mod 3"),
    ("winning", "size(winning(H(n mod 9))) == k mod 2"),
    ("options", "size(options(H(n mod 9))) > k mod 3"),
    ("conjunctive", "wins(conjunctive(H(n mod 9), H(k))) or k == 1"),
    ("continued", "wins(continued(H(n mod 9), H(k))) or k == 1"),
    ("selective", "wins(selective(H(n mod 9), H(k))) or k == 1"),
    ("shortened_selective", "wins(shortened_selective(H(n mod 9), H(k))) or k == 1"),
    ("diminished", "wins(diminished(H(n mod 9), H(k))) or k == 1"),
    ("at_most", "wins(at_most(2, H(n mod 9), H(k), H(1))) or k == 1"),
    ("graphs", "size(graphs(3)) > k or n mod 3 == 1"),
    ("connected", "size(connected(4)) > k or n mod 3 == 1"),
    ("trees", "size(trees(5)) >= k or n mod 3 == 1"),
    ("rooted_trees", "size(rooted_trees(4)) >= k or n mod 3 == 1"),
    ("digraphs", "size(digraphs(2)) >= k or n mod 3 == 1"),
    ("dags", "size(dags(3)) >= k or n mod 3 == 1"),
    ("posets", "size(posets(3)) >= k or n mod 3 == 1"),
    ("multigraphs", "size(multigraphs(3, 3)) >= k or n mod 3 == 1"),
    ("lists", "[k mod 3, n mod 3] in lists({0, 1}, 2)"),
    ("bags", "bag([k mod 3, n mod 3]) in bags({0, 1}, 2)"),
];

/// Words of claims only: rules cannot go through all numbers.
const OF_CLAIMS: &[&str] = &["nat"];

#[test]
fn every_word_is_native() {
    let tested: HashSet<&str> = WORDS.iter().map(|(word, _)| *word).collect();
    for (_, signature) in Builtin::all() {
        let name = signature.name;
        assert!(tested.contains(name) || OF_CLAIMS.contains(&name), "no game has the word `{name}`");
    }
    for (word, condition) in WORDS {
        assert!(condition.contains(word), "{word}");
        let text = format!(
            "game H(n) {{ move take k in 1..min(n, 3) -> H(n - k) }}
game S(n) {{ move take k in 1..min(n, 3) -> S(n - k) gain k }}
game G(n) {{
  move take k in 1..min(n, 9) where {condition} -> G(n - k)
  move one where n > 0 -> G(n - 1)
}}
solve G(25)
"
        );
        alike(&[&text]);
    }
}

const NO_WORDS: &str = "its states are not words";
const NO_WORDS_THERE: &str = "a move leads to fields that are no words";
const OTHER_FORM: &str = "moves lead to lists or texts of other lengths";
const OTHER_GAME: &str = "moves lead to other games";
const POINTS: &str = "a scoring game";

/// Games whose fields are of every type, and whose moves and ends are of every form; why it is not a table of states in native code, where
/// another engine takes it.
const GAMES: &[(&str, Option<&str>)] = &[
    ("game G(n: nat) { move take k in 1..min(n, 3) -> G(n - k) }\nsolve G(20)", None),
    (
        "game G(n: int) where -20 <= n and n <= 20 { move down k in 1..3 where n - k > -9 -> G(n - k) }\nsolve G(4)",
        None,
    ),
    (
        "game G(n, done: bool) { move take k in 1..min(n, 3) -> G(n - k, not done) move skip where not done -> G(n, true) }\nsolve G(9, false)",
        None,
    ),
    ("game G(t: text) { move cut i in indices(t) where t[i] == \"a\" -> G(t[i := \"b\"]) }\nsolve G(\"abaa\")", None),
    (
        "game G(t: text) { move cut i in 0..size(t) - 2 -> G(t[0..i] + t[i + 2..]) }\nsolve G(\"abaab\")",
        Some(OTHER_FORM),
    ),
    (
        "game G(xs: list of nat) { move take i in indices(xs), k in 1..xs[i] -> G(xs[i -= k]) }\nsolve G([2, 3, 1])",
        None,
    ),
    (
        "game G(xs: list of nat) { move drop i in indices(xs) -> G(xs[0..i - 1] + xs[i + 1..]) }\nsolve G([2, 3, 1])",
        Some(OTHER_FORM),
    ),
    (
        "game G(xs: bag of nat) { move take x in xs, k in 1..x -> G(xs - bag([x]) + bag([x - k])) }\nsolve G(bag([2, 3, 1]))",
        None,
    ),
    ("game G(xs: set of nat) { move take x in xs -> G(xs - {x}) }\nsolve G({1, 4, 6})", None),
    (
        "game G(xs: set of (nat, nat)) { move take (a, b) in xs -> G(xs - {(a, b), (b, a)}) }\nsolve G({(1, 4), (4, 1), (2, 2)})",
        None,
    ),
    (
        "game G(xs: bag of (nat, nat)) { move left (x, y) in xs, k in 1..x -> G(xs - [(x, y)] + [(x - k, y)]) move right (x, y) in xs, k in 1..y -> G(xs + [(x, y - k)] - [(x, y)]) }\nsolve G([(2, 3), (1, 1), (2, 3)])",
        None,
    ),
    (
        "let g = path(6)\ngame G(xs: bag of vertex of g) { move go v in xs, w in neighbours(g, v) where w > v -> G(xs - [v] + [w]) }\nsolve G(bag([0, 2, 2]))",
        None,
    ),
    (
        "game G(xs: bag of (int, bool)) where all(-4 <= x for (x, b) in xs) { move a (x, b) in xs where x > -2 -> G(xs - [(x, b)] + [(x - 2, not b)]) move b (x, b) in xs where b -> G(xs - [(x, b)] + [(x, false)]) }\nsolve G([(2, true), (1, false), (2, false)])",
        None,
    ),
    (
        "game G(xs: bag of bool) { move turn where true in xs -> G(xs - [true] + [false]) }\nsolve G([true, false, true])",
        None,
    ),
    (
        "game G(xs: bag of (nat, (nat, bool))) { move a (x, (y, b)) in xs where x > y -> G(xs - [(x, (y, b))] + [(x - 1, (y, not b))]) move b where size(set(xs)) < size(xs) and size(xs) > 2 -> G(bag([(0, (0, true))])) }\nsolve G([(2, (0, true)), (1, (0, false)), (3, (1, true))])",
        None,
    ),
    (
        "game G(xs: bag of (nat, nat)) { move left (x, y) in xs, k in 1..x - 1 -> G(xs - [(x, y)] + [(k, y), (x - k, y)]) move right (x, y) in xs, k in 1..y - 1 -> G(xs - [(x, y)] + [(x, k), (x, y - k)]) }\nsolve G([(2, 3), (1, 2)])",
        Some(OTHER_FORM),
    ),
    (
        "game G(xs: set of (nat, nat, nat)) { move take (a, b, c) in xs -> G(xs - {(a, b, c), (b, a, c), (c, b, a)}) move turn (a, b, c) in xs where a > 0 -> G(xs - {(a, b, c)} + {(a - 1, b, c)}) }\nsolve G({(1, 4, 2), (4, 1, 2), (0, 2, 2)})",
        Some(OTHER_FORM),
    ),
    (
        "game G(xs: set of int) { move take x in xs where x - 70 in xs or x + 70 in xs -> G(xs - {x}) move down x in xs where x > 0 -> G(xs - {x} + {x - 70}) }\nsolve G({-70, 0, 70, 140})",
        Some(OTHER_FORM),
    ),
    (
        "game G(xs: set of (nat, nat)) { move take (a, b) in xs, (c, d) in xs where a == c or b == d -> G(xs - {(c, d)} & {p for p in xs where p != (a, b)}) move swap (a, b) in xs where a > b -> G(xs xor {(a, b), (b, a)}) }\nsolve G({(1, 14), (14, 1), (2, 2), (1, 2)})",
        Some(OTHER_FORM),
    ),
    (
        "let g = path(80)\ngame G(xs: set of vertex of g) { move go v in xs, w in neighbours(g, v) where w > v and w < 30 -> G(xs - {v} + {w}) move end where size(xs) == 1 and 29 in xs -> G({}) }\nsolve G({23, 25, 29})",
        Some(NO_WORDS_THERE),
    ),
    ("game G(xs: set of text) { move take x in xs -> G(xs - {x}) }\nsolve G({\"a\", \"bc\"})", Some(NO_WORDS)),
    ("game G(p: (nat, bool)) { move take k in 1..p[0] -> G((p[0] - k, not p[1])) }\nsolve G((5, true))", None),
    (
        "game G(p: (nat, nat)) { let (a, b) = p move one k in 1..a -> G((a - k, b)) move two k in 1..b -> G((a, b - k)) }\nsolve G((3, 5))",
        None,
    ),
    (
        "let g = path(6)\ngame G(v: vertex of g, seen: set of vertex of g) { move go w in neighbours(g, v) where w not in seen -> G(w, seen + {w}) }\nsolve G(2, {2})",
        None,
    ),
    ("let g = cycle(5)\ngame G(s: set of edge of g) { move cut e in s -> G(s - {e}) }\nsolve G(edges(g))", None),
    ("game G(g: graph) { move cut v in vertices(g) -> G(g - {v}) }\nsolve G(path(5))", Some(NO_WORDS)),
    (
        "game G[g: digraph](v: vertex of g) { move go w in successors(g, v) -> G(w) }\nsolve G[digraph { a->b, b->c, a->c, c->a }](\"a\")",
        None,
    ),
    (
        "game G(b: grid) { move put c in cells(b, \".\") -> G(b[c := \"x\"]) end when size(cells(b, \"x\")) == 4: lost }\nsolve G(grid([\"...\", \".#.\"]))",
        None,
    ),
    (
        "game G(rows: list of list of nat) { move take i in indices(rows), j in indices(rows[i]) where rows[i][j] > 0 -> G(rows[i := rows[i][j -= 1]]) }\nsolve G([[1, 2], [1]])",
        None,
    ),
    (
        "game G[m: nat, n: nat](x) where x <= m * n { move take k in 1..m where k <= x -> G(x - k) }\nsolve G[3, 5](13)",
        None,
    ),
    ("input n = 9\ngame G[n](x) where x <= n { move take k in 1..3 where k <= x -> G(x - k) }\nsolve G[n](n)", None),
    (
        "def f(n: nat): nat = if n < 2 then n else f(n - 1) xor f(n - 2)\ngame G(x) { move take k in 1..x where f(k) == 1 -> G(x - k) }\nsolve G(12)",
        None,
    ),
    ("game G(x) { move split k in 1..x - 1 -> G(k) + G(x - k) }\nsolve G(9)", None),
    ("game G(x) { move split k in 1..x div 2 -> sum([G(k) for i in 1..2]) + G(0) }\nsolve G(9)", None),
    (
        "game G(x) { move a where x > 0 -> if x mod 3 == 0 then win else G(x - 1) move b where x > 1 -> G(x - 2) }\nsolve G(10)",
        None,
    ),
    (
        "game G(x) { move a where x > 0 -> if x mod 5 == 0 then lose else G(x - 1) move b where x > 1 -> again G(x - 2) }\nsolve G(10)",
        None,
    ),
    (
        "game G(x) { move a where x > 0 -> if x == 4 then draw else G(x - 1) move b where x > 1 -> G(x - 2) }\nsolve G(10)",
        None,
    ),
    ("game G(x) { end when x < 2: won move a k in 1..2 -> G(x - k) }\nsolve G(10)", None),
    ("game G(x) { end when x < 2: if x == 0 then lost else won move a k in 1..2 -> G(x - k) }\nsolve G(10)", None),
    ("game G(x) { end when x < 3: lost move a k in 1..2 -> G(x - k) }\nsolve G(10)", None),
    ("game G(x) { end when x < 2: score x move a k in 1..2 -> G(x - k) gain k }\nsolve G(10)", Some(POINTS)),
    (
        "game G(x) { move a k in 1..min(x, 3) -> again G(x - k) gain k mod 2 move b k in 1..min(x, 2) -> G(x - k) }\nsolve G(10)",
        Some(POINTS),
    ),
    (
        "game G(a, b) { same as G(b, a) when a > b legal when a != 3 move one k in 1..a -> G(a - k, b) move two k in 1..b -> G(a, b - k) }\nsolve G(4, 5)",
        None,
    ),
    ("misere game G(x) { move a k in 1..min(x, 3) -> G(x - k) }\nsolve G(10)", None),
    (
        "game A(x) { move a where x > 0 -> B(x - 1) }\ngame B(x) { move b k in 1..min(x, 2) -> A(x - k) }\nsolve A(9)",
        Some(OTHER_GAME),
    ),
    ("game G(x) { move around -> G((x + 2) mod 5) move stop where x == 3 -> win }\nsolve G(0)", None),
];

#[test]
fn every_type_and_move_is_native() {
    for (game, why) in GAMES {
        let text = format!("{game}\n");
        match (why, native(&text)) {
            (None, taken) => assert!(taken.is_ok(), "{taken:?}\n{text}"),
            (Some(why), Err(told)) => assert!(told.starts_with(why), "{told}\n{text}"),
            (Some(why), Ok(_)) => panic!("no longer `{why}`\n{text}"),
        }
        alike_in_answers(&[&text]);
    }
}

/// Lists that words make of a number, gone through as they are made, and the same numbers by arithmetic.
#[test]
fn numbers_that_are_made_one_by_one() {
    let families: &[&[&str]] = &[
        &[
            "move a i in indices(digits(n, 4)) where digits(n, 4)[i] > 0 -> G(n - digits(n, 4)[i])",
            "let d = digits(n, 4) move a i in indices(d) where d[i] > 0 -> G(n - d[i])",
            "move a i in 0..size(digits(n, 4)) - 1 where digits(n, 4)[i] != 0 -> G(n - digits(n, 4)[i])",
            "move a i in 0..3 where n div 4 ** i mod 4 > 0 -> G(n - n div 4 ** i mod 4)",
        ],
        &[
            "move a k in 1..min(n, 7) where sum(digits(n - k, 3)) mod 2 == 0 -> G(n - k)",
            "move a k in 1..min(n, 7) where count(d == 1 for d in digits(n - k, 3)) mod 2 == 0 -> G(n - k)",
            "move a k in 1..min(n, 7) where sum((n - k) div 3 ** i mod 3 for i in 0..5) mod 2 == 0 -> G(n - k)",
        ],
        &[
            "move a k in 1..9 where k in digits(n, 4) -> G(n - k)",
            "move a k in 1..9 where k in set(digits(n, 4)) -> G(n - k)",
            "move a k in 1..9 where any(d == k for d in digits(n, 4)) -> G(n - k)",
            "move a k in 1..9 where any(n div 4 ** i mod 4 == k for i in 0..3) -> G(n - k)",
        ],
        &[
            "move a k in 1..n where k == max(digits(n, 4)) or k == min(digits(n, 4)) -> G(n - k)",
            "move a k in 1..n where k == max(n mod 4, n div 4 mod 4, n div 16 mod 4) or k == (if n < 4 then n else if n < 16 then min(n mod 4, n div 4) else min(n mod 4, n div 4 mod 4, n div 16)) -> G(n - k)",
        ],
        &[
            "move a k in 1..n where k in zeckendorf(n) -> G(n - k)",
            "move a k in 1..n where any(f == k for f in zeckendorf(n)) -> G(n - k)",
            "move a k in zeckendorf(n) -> G(n - k)",
            "move a k in set(zeckendorf(n)) -> G(n - k)",
        ],
        &[
            "move a k in 2..n where k in prime_factors(n) -> G(n - k)",
            "move a k in primes(n) where n mod k == 0 -> G(n - k)",
            "move a k in 2..n where k in divisors(n) and k in primes(n) -> G(n - k)",
            "move a k in 2..n where n mod k == 0 and all(k mod d != 0 for d in 2..k - 1) -> G(n - k)",
        ],
        &[
            "move a k in 1..n where k == size(prime_factors(n)) -> G(n - k)",
            "move a k in 1..n where k == sum(valuation(n, p) for p in primes(n)) -> G(n - k)",
        ],
    ];
    for family in families {
        for start in [35, 62] {
            let texts: Vec<String> = family
                .iter()
                .map(|moves| {
                    format!(
                        "game G(n) {{\n  {moves}\n  move one where n mod 4 == 1 -> G(n - 1)\n}}\nsolve G({start})\n"
                    )
                })
                .collect();
            alike(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
}

/// The list of which a condition asks is none: the same fault in every form, at the list.
#[test]
fn lists_of_no_number() {
    for (condition, code) in [
        ("k in digits(n - 3)", "R01"),
        ("k in zeckendorf(n - 3)", "R01"),
        ("k in prime_factors(n - 3)", "R01"),
        ("k in divisors(n - 3)", "R01"),
        ("k in primes(n * 10 ** 9)", "R06"),
        ("any(k == p for p in primes(n * 10 ** 9))", "R06"),
        ("digits(n)[k] == 1", "R02"),
        ("max(digits(n - 4)) == k", "R02"),
    ] {
        error_in_every_form(
            &format!(
                "game G(n) {{ move a k in 1..min(n, 4) where {condition} -> G(n - k) move one where n > 0 -> G(n - 1) }}\nsolve G(9)\n"
            ),
            code,
        );
    }
}
