//! Positions that fall apart: taken apart or searched whole they have the same values and the same winning moves, and what
//! cannot be told to fall apart is not taken apart.

use crate::naive::engine::{self, EVERYTHING, each, program, told};
use grundy::answer::{Answer, Method};
use grundy::engines as solve;
use grundy::input::data::NoFiles;
use grundy::model::Program;
use grundy::value::limits::Limits;
use grundy::vm::context::{Context, Policy};
use grundy_heap::game::Game;
use grundy_heap::sequence::Sequence;
use std::fmt::Write as _;
use std::sync::Arc;

/// The answers to all `solve` lines.
fn answers(program: &Arc<Program>, split: Policy) -> Vec<Result<Answer, String>> {
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
    ctx.options.split = split;
    ctx.give(vec![None; program.inputs.len()]);
    let answers = each(&mut ctx, |ctx, position| solve::solve(ctx, position, EVERYTHING));
    answers.into_iter().map(|answer| answer.map_err(|e| format!("{} {}", e.code, e.message))).collect()
}

/// What `show --stage plan` says of taking the only position apart.
fn planned(text: &str) -> Result<String, String> {
    let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
    ctx.options.split = Policy::Always;
    engine::planned(&mut ctx, "a state that is a sum")
}

/// Compares both ways on every `solve` line; how many were taken apart.
fn agree(text: &str) -> usize {
    let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let (apart, whole) = (answers(&program, Policy::Always), answers(&program, Policy::Never));
    for (apart, whole) in apart.iter().zip(&whole) {
        assert_eq!(told(apart), told(whole), "{text}");
    }
    apart.iter().flatten().filter(|a| a.method == Method::Components).count()
}

/// Games on what is left of a graph, all deletion games.
const DELETIONS: [&str; 14] = [
    "move pick v in left -> G(left - {v} - neighbours(g, v))",
    "move pick (a, b) in edges(g, left) -> G(left - {a, b})",
    "move pick e in edges(g, left), (a, _) = ends(e) -> G(left - {a})",
    "move pick v in left -> G(left - {v})\n  move both (a, b) in edges(g, left) -> G(left - {a, b})",
    "move pick v in left where degree(g, v) mod 2 == 1 -> G(left - {v})\n  move two v in left, u in neighbours(g, v) & left -> G(left - {u, v})",
    "move pick v in left, u in neighbours(g, v) where u in left and v < u -> G(left - neighbours(g, u) - {u})",
    "move pick v in left, next = left - reach(g, v) -> G(next + (left & {u for u in left where u < v}))",
    "move pick v in left -> G({u for u in left where u != v and (u + v) mod 3 != 0})",
    "move pick v in left, k in 0..1 -> G(if k == 0 then left - {v} else left - neighbours(g, v) - {v})",
    "move pick v in left, k in 0..1 -> if k == 0 then G(left - {v}) else G(left - neighbours(g, v) - {v})",
    "let outer = {v for v in g where degree(g, v) <= 1}\n  move pick v in left - outer -> G(left - {v} - outer)\n  move off v in left & outer -> G(left - {v})",
    "def around(v) = neighbours(g, v) + {v}\n  move pick v in left -> G(left - around(v))",
    "move all v in left where v == 0 -> G({})\n  move one v in left -> G(left - {v})",
    "let free = left - {0}\n  move pick v in free -> G(free - {v})",
];

#[test]
fn deletion_games_on_all_small_graphs() {
    use grundy_graphs::enumerate::graphs;
    let (mut lines, mut apart) = (0, 0);
    for rule in DELETIONS {
        let mut text = format!("game G[g: graph](left: set of vertex of g = vertices(g)) {{\n  {rule}\n}}\n");
        for n in 1..=5 {
            for edges in graphs(n).expect("few") {
                let edges: Vec<String> = edges.iter().map(|(u, v)| format!("({u}, {v})")).collect();
                writeln!(text, "solve G[graph({n}, [{}])]", edges.join(", ")).expect("memory");
                lines += 1;
            }
        }
        let taken = agree(&text);
        assert!(taken > 0, "never taken apart: {rule}");
        assert!(planned(&text).is_ok(), "{rule}");
        apart += taken;
    }
    assert!(apart * 3 > lines * 2, "{apart} of {lines} taken apart");
}

#[test]
fn deletion_games_on_random_graphs_and_sums() {
    let mut state = 5u64;
    let mut random = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    for rule in DELETIONS {
        let mut text = format!(
            "game G[g: graph](left: set of vertex of g = vertices(g)) {{\n  {rule}\n}}\ngame Nim(n) {{\n  move take k in 1..n -> Nim(n - k)\n}}\ngame Enter[g: graph] {{\n  move enter v in g -> G[g](vertices(g) - {{v}}) + G[g]({{v}})\n}}\n"
        );
        for _ in 0..6 {
            let n = 6 + random(3);
            let mut graph = || {
                let mut edges = Vec::new();
                for u in 0..n {
                    for v in u + 1..n {
                        if random(4) == 0 {
                            edges.push(format!("({u}, {v})"));
                        }
                    }
                }
                format!("graph({n}, [{}])", edges.join(", "))
            };
            let (g, h) = (graph(), graph());
            writeln!(text, "solve G[{g}]\nsolve G[{g}] + G[{h}] + Nim(2)\nsolve misere G[{g}]\nsolve Enter[{h}]\nsolve G[{h}]({{1, 2, 3, 5}})").expect("memory");
        }
        assert!(agree(&text) > 0, "{rule}");
    }
}

#[test]
fn other_states_that_are_sets() {
    let taken = agree(
        "
game Chomp(left: set of (nat, nat)) {
  move bite (r, c) in left where (r, c) != (0, 0) -> Chomp({(x, y) for (x, y) in left where x < r or y < c})
}
game Cut[g: multigraph](left: set of edge of g = edges(g)) {
  move cut e in left -> Cut(left - {e})
}
game Queens[n](free: set of (nat, nat)) {
  move place (r, c) in free -> Queens({(x, y) for (x, y) in free where x != r and y != c and abs(x - r) != abs(y - c)})
}
game Words(left: set of text) {
  move say w in left -> Words(left - {u for u in left where starts(u, w)})
}
game Poset[above: digraph](left: set of vertex of above = vertices(above)) {
  move pick x in left -> Poset(left - reach(above, x))
}
solve Chomp({(r, c) for r in 0..2, c in 0..2})
solve Cut[multigraph { a-b, a-b, b-b, c-d }]
solve Queens[3]({(r, c) for r in 0..2, c in 0..3})
solve Words({\"a\", \"ab\", \"abc\", \"b\", \"ba\", \"c\"})
solve Poset[digraph(7, [(0, 1), (1, 2), (0, 3), (4, 5), (6, 5)])]
",
    );
    // Chomp by its comprehension, which meets the state, the others too.
    assert_eq!(taken, 5);
}

/// Rules of which it cannot be told that they fall apart.
const REFUSED: [&str; 17] = [
    "move pick v in left where size(left) > 2 -> G(left - {v})",
    "move pick v in left -> G(left - {v, size(left)})",
    "move pick v in left where v == min(left) -> G(left - {v})",
    "move pick v in left where left != {0, 1} -> G(left - {v})",
    "move pick v in left, u in g where u not in left -> G(left - {v})",
    "move pick v in left where count(u in left for u in neighbours(g, v)) mod 2 == 0 -> G(left - {v})",
    "move pick s in subsets(left, 2) -> G(left - s)",
    "move pick v in left, u in left - {v} where u < v -> G(left - {w for w in g where w < size(left)})",
    "move pick v in left, u in g - left -> G(left - {v} + {u})",
    "move pick v in left -> G(left - {v})\n  end when size(left) == 1",
    "move pick v in left -> G(left - {v})\n  end when left == {0}: lost",
    "move pick v in left -> G(left - {v})\n  legal when 0 in left or left == {}",
    "move pick v in left -> G(left - {v})\n  same as G({}) when left == {1}",
    "move pick v in left -> again G(left - {v})\n  move stop v in left -> G({})",
    "move pick v in left -> if v == 0 then win else G(left - {v})",
    "move pick v in left -> G(left - {v}) + G({})",
    "def few() = size(left) < 3\n  move pick v in left where few() -> G(left - {v})",
];

#[test]
fn what_reads_the_whole_state_is_not_taken_apart() {
    for rule in REFUSED {
        let text = format!(
            "game G[g: graph](left: set of vertex of g = vertices(g)) {{\n  {rule}\n}}\nsolve G[path(4)]\nsolve G[graph(5, [(0, 1), (2, 3)])]\nsolve G[graph(1, [])]\nsolve G[graph(3, [])]"
        );
        assert_eq!(agree(&text), 0, "{text}");
        assert!(planned(&text).is_err(), "{text}");
    }
    let heads = [
        "misere game G[g: graph](left: set of vertex of g = vertices(g))",
        "game G[g: graph](left: set of vertex of g = vertices(g)) where size(left) != 2 or 0 in left",
        "game G[g: graph](left: set of vertex of g = vertices(g), last = 0)",
    ];
    for head in heads {
        let target = if head.ends_with("0)") { "G(left - {v}, last)" } else { "G(left - {v})" };
        let text = format!("{head} {{\n  move pick v in left -> {target}\n}}\nsolve G[path(4)]\nsolve G[graph(1, [])]");
        assert_eq!(agree(&text), 0, "{text}");
        assert!(planned(&text).is_err(), "{text}");
    }
}

#[test]
fn independent_fields() {
    let taken = agree(
        "
game Two(a, b) {
  move left k in 1..min(a, 3) -> Two(a - k, b)
  move right k in 1..b where k mod 3 != 2 -> Two(a, b - k)
}
game Three[m](a, n, b: list of nat, flag = true) where a <= n and size(b) == 2 {
  let least = min(b)
  move one where a > 0 -> Three(a - 1, n, b, flag)
  move two k in 1..n where k <= a -> Three(a - k, n, b, flag)
  move list i in indices(b) where b[i] > 0 -> Three(a, n, b[i -= 1], flag)
  move all where least > 0 -> Three(a, n, [x - least for x in b], flag)
  move turn where flag -> Three(a, n, b, false)
}
game Choice(a, b) {
  move go k in 0..1 where a > k -> if k == 0 then Choice(a - 1, b) else Choice(a - 2, b)
  move down where b > 0 -> Choice(a, b div 2)
}
solve Two(5, 7)
solve Two(0, 0)
solve Two(3, 4) + Two(1, 1)
solve Three[1](4, 5, [2, 3])
solve Three[1](2, 3, [0, 1], false)
solve Three[1](3, 9, [1, 1])
solve Choice(5, 9)
",
    );
    assert_eq!(taken, 7);
}

#[test]
fn fields_that_are_tied_together() {
    let rules = [
        "move x where a > b -> F(a - 1, b)\n  move y where b > 0 -> F(a, b - 1)",
        "move x where a > 0 -> F(a - 1, b)\n  move y where b > 0 -> F(a, b - 1)\n  move both where a > 0 and b > 0 -> F(a - 1, b - 1)",
        "move x where a > 0 -> F(a - 1, b)\n  move y where b > 0 -> F(a, b - 1)\n  end when a == 0",
        "move x where a > 0 -> F(a - 1, b)\n  move y where b > 0 -> F(a, b - 1)\n  end when a == 0: lost",
        "move x where a > 0 -> F(a - 1, b)\n  move y where b > 0 -> F(a, b - 1)\n  legal when a != b",
        "move x where a > 0 -> F(a - 1, b)\n  move y where b > 0 -> F(a, b - 1)\n  same as F(b, a) when a < b",
        "move x where a > 0 -> again F(a - 1, b)\n  move y where b > 0 -> F(a, b - 1)",
        "move x where a > 0 -> F(a - 1, b)\n  move y where b > 0 -> F(b, a)",
        "move x where a > 0 -> F(a - 1, b)\n  move y where b > 0 -> F(a, b - 1) + F(0, 0)",
        "move x where a > 0 -> F(a - 1, b)\n  move y where b > 0 -> if b == 3 then win else F(a, b - 1)",
        "let s = a + b\n  move x where a > 0 and s > 2 -> F(a - 1, b)\n  move y where b > 0 -> F(a, b - 1)",
        "def s() = a + b\n  move x where a > 0 and s() > 2 -> F(a - 1, b)\n  move y where b > 0 -> F(a, b - 1)",
        "move x where a > 0 -> F(a - 1, b)\n  move y where b > 0 -> F(a, b - 1)\n  move pass -> F(a, b)",
    ];
    for rule in rules {
        let text = format!("game F(a, b) {{\n  {rule}\n}}\nsolve F(3, 4)\nsolve F(2, 2)\nsolve F(4, 0)\nsolve F(0, 1)");
        assert_eq!(agree(&text), 0, "{text}");
        assert!(planned(&text).is_err(), "{text}");
    }
    // Not tied, but a play in a block comes back.
    let loopy = "game F(a, b) {\n  move x -> F((a + 1) mod 3, b)\n  move y where b > 0 -> F(a, b - 1)\n}\nsolve F(3, 4)\nsolve F(4, 0)";
    assert_eq!(agree(loopy), 0);
    let header = "game F(a, b) where a + b != 3 or a == 0 {\n  move x where a > 0 -> F(a - 1, b)\n  move y where b > 0 -> F(a, b - 1)\n}\nsolve F(1, 1)\nsolve F(2, 2)";
    assert_eq!(agree(header), 0);
}

#[test]
fn values_of_large_positions() {
    let text = "
game NodeKayles[g: graph](left: set of vertex of g = vertices(g)) {
  move pick v in left -> NodeKayles(left - {v} - neighbours(g, v))
}
game Cram[g: graph](free: set of vertex of g = vertices(g)) {
  move cover (a, b) in edges(g, free) -> Cram(free - {a, b})
}
game Two(a, b) {
  move left k in 1..a -> Two(a - k, b)
  move right k in 1..min(b, 5) -> Two(a, b - k)
}
solve NodeKayles[grid(6, 6)]
solve Cram[grid(4, 5)]
solve NodeKayles[path(60)]
solve Two(3000, 2000)
";
    let program = program(text).expect("a program");
    let found: Vec<Answer> = answers(&program, Policy::Large).into_iter().map(|a| a.expect("an answer")).collect();
    let values: Vec<String> = found.iter().map(|a| format!("{:?} {}", a.grundy, a.winning.count)).collect();
    assert!(found.iter().all(|a| a.method == Method::Components), "{values:?}");
    let mut dawson = Sequence::new(Game::parse("0.137").expect("a code"));
    dawson.extend(61, &mut |_| Ok(())).expect("the values are small");
    let dawson = dawson.value(60).expect("it was computed");
    assert!(values[0].starts_with("Some(Nimber(0)) 0"), "{values:?}");
    assert!(values[1].starts_with("Some(Nimber(2)) 5"), "{values:?}");
    assert!(values[2].starts_with(&format!("Some(Nimber({dawson}))")), "{values:?}");
    // 3000 xor 2000 mod 6; too many states for a table at once.
    assert!(values[3].starts_with("Some(Nimber(3002))"), "{values:?}");
}

#[test]
fn a_move_of_a_block_may_change_how_long_a_list_is() {
    // A block of fields has code for each length: that for the first one once told of `left` that it could be made ten times.
    let agreed = agree(
        "game W(a: list of nat, b: nat) {
           move left where size(a) > 1 and a[0] > 0 -> W([a[0] - 1] + a[2..], b)
           move right k in 1..3 where k <= b -> W(a, b - k)
         }
         solve W([10, 1, 1, 1, 1, 1, 1, 1], 100)
         solve W([10, 1, 1, 1, 1, 1, 1, 1], 101)
         solve W([4, 1, 1], 6)
         solve W([1, 5, 7, 7, 2], 3)",
    );
    assert_eq!(agreed, 4);
}

/// Rules of lists whose members move alone.
const LISTS: [&str; 12] = [
    "move take i in indices(h), k in 1..h[i] -> G(h[i -= k], c)",
    "move take k in 1..3, i in indices(h) where k <= h[i] and k != c -> G(h[i := h[i] - k], c)",
    "move take i in 0..size(h) - 1, x = h[i], k in 1..x where k * k <= x -> G(h[i := x - k], c)",
    "move halve i in indices(h) where h[i] > 0 -> G(sort(h[i := h[i] div 2]), c)",
    "move split i in indices(h), k in 1..h[i] - 1 -> G(h[..i - 1] + [k, h[i] - k] + h[i + 1..], c)",
    "move grow i in indices(h), k in 2..h[i] -> G([1] + h[i -= k] + [0], c)",
    "move drop i in indices(h) where h[i] mod 3 != 1 -> G(h[i + 1..] + h[..i - 1], c)\n  move take i in indices(h) where h[i] > c -> G(h[i -= 1], c)",
    "move take i in indices(h), k in 1..2 where k <= h[i] -> if h[i] == k then G(reverse(h[..i - 1] + h[i + 1..]), c) else G(h[i -= k], c)",
    "move take i in indices(h), k in 1..2 where k <= h[i] -> G(if h[i] == k then h[..i - 1] + h[i + 1..] else h[i -= k], c)",
    "def less(x, y) = x - y\n  move take i in indices(h), k in 1..c + 1 where k <= h[i] -> G(h[i := less(h[i], k)], c)",
    "move take i in indices(h), k in 1..h[i] where gcd(k, h[i]) == 1 -> G(h[i -= k], c)\n  move all i in indices(h) where h[i] in {2, 5} -> G(h[i := 0], c)",
    "move take i in indices(h), d in [1, 3] where d <= h[i] -> G(h[i -= d] + [x for x in 0..h[i] - 4 where x mod 2 == 0], c)",
];

/// Rules of bags whose members move alone.
const BAGS: [&str; 8] = [
    "move take x in h, k in 1..x -> G(h - [x] + [x - k], c)",
    "move take x in h, k in 1..2 where k <= x -> G([x - k] + h - [x], c)",
    "move split x in h, k in 1..x - 1 -> G(h - [x] + [k, x - k], c)",
    "move take x in h, k in 1..x where k mod 3 != c -> G(if k == x then h - [x] else h - [x] + [x - k], c)",
    "move take x in h, k in 1..x where k != c -> if k == x then G(h - [x], c) else G(h + [x - k] - [x], c)",
    "move drop x in h where x mod 4 != 2 -> G(h - [x], c)\n  move take x in h where x > 0 -> G(h - [x] + [x - 1], c)",
    "let one = 1\n  move halve x in h where x > one -> G(h - [x] + [x div 2] + [x div 3 for i in 1..c], c)",
    "move take k in 1..2, x in h, y = x - k where y >= 0 -> G(h - [x] + [y], c)",
];

#[test]
fn members_that_move_alone() {
    let positions = ["[]", "[0]", "[5]", "[1, 2, 3]", "[4, 4]", "[2, 0, 2, 5]", "[6, 3, 1]"];
    for (kind, rules) in [("list of nat", &LISTS[..]), ("bag of nat", &BAGS[..])] {
        for rule in rules {
            let mut text = format!("game G(h: {kind}, c = 1) {{\n  {rule}\n}}\n");
            for position in positions {
                writeln!(text, "solve G({position}, 1)\nsolve G({position}, 2) + G([3, 1], 0)").expect("memory");
            }
            assert_eq!(
                planned(&format!("game G(h: {kind}, c = 1) {{\n  {rule}\n}}\nsolve G([1])")),
                Ok(String::new()),
                "{text}"
            );
            assert_eq!(agree(&text), 2 * positions.len(), "{text}");
        }
    }
    let others = agree(
        "
game From(h: list of nat from 1) {
  move take i in 1..size(h), k in 1..h[i] where k != 2 -> From(h[i -= k])
  move out i in 1..size(h) where h[i] == 2 -> From(h[..i - 1] + h[i + 1..])
}
game Cut(pieces: bag of (nat, nat)) {
  move upright (a, b) in pieces, k in 1..a - 1 -> Cut(pieces - [(a, b)] + [(k, b), (a - k, b)])
  move across (a, b) in pieces, k in 1..b - 1 -> Cut(pieces - [(a, b)] + [(a, k), (a, b - k)])
  move take (a, b) in pieces where a == b -> Cut(pieces - [(a, b)])
}
game Words(rows: list of text) {
  move cut i in indices(rows), j in indices(rows[i]) where rows[i][j] != \"b\" -> Words(rows[i := rows[i][..j - 1]])
}
game Both(a: list of nat, n) {
  move list i in indices(a) where a[i] > 0 -> Both(a[i -= 1], n)
  move number k in 1..min(n, 2) -> Both(a, n - k)
}
solve From([3, 2, 4])
solve Cut([(2, 3), (1, 1), (2, 2)])
solve Words([\"aab\", \"ba\", \"\"])
solve Both([1, 2, 3], 4)
solve Both([], 4)
",
    );
    assert_eq!(others, 5);
}

#[test]
fn members_that_do_not_move_alone() {
    let lists = [
        "move take i in indices(h), k in 1..i where k <= h[i] -> G(h[i -= k])",
        "move take i in indices(h) where h[i] > i -> G(h[i := i])",
        "move take i in indices(h) where h[i] > 0 and (i == 0 or h[i - 1] != 1) -> G(h[i -= 1])",
        "move take i in indices(h), j in indices(h) where h[i] > 0 -> G(h[i -= 1])",
        "move take i in indices(h), k in 1..h[i] where k <= size(h) -> G(h[i -= k])",
        "move take i in indices(h), k in 1..h[i] -> G(h[i := h[0] - k])\n  legal when h[0] < 5",
        "move take i in 0..size(h) - 2 where h[i] > 0 -> G(h[i -= 1])",
        "move take i in 1..size(h) - 1 where h[i] > 0 -> G(h[i -= 1])",
        "move first where h != [] and h[0] > 0 -> G(h[0 -= 1])",
        "move take i in indices(h), k in 1..h[i] -> G([x for x in h[i -= k] where x > 0])",
        "move take i in indices(h) where h[i] > 0 -> G([min(x, h[i] - 1) for x in h])",
        "move take i in indices(h) where h[i] > 0 -> G(h[i -= 1] + h[..-1])",
        "move cut i in indices(h) where h[i] > 0 -> G(h[..i - 1] + [h[i] - 1])",
        "move cut i in indices(h) where h[i] > 0 -> G(h[i + 1..])",
        "let all = xor(h)\n  move take i in indices(h), k in 1..h[i] where k != all -> G(h[i -= k])",
        "def most() = max([0] + h)\n  move take i in indices(h) where h[i] > 0 and h[i] == most() -> G(h[i -= 1])",
        "move take i in indices(h) where h[i] > 0 -> G(h[i -= 1])\n  end when h == [1]: lost",
    ];
    let bags = [
        "move take x in h, y in h where x > y -> G(h - [x])",
        "move take x in h where x > 0 -> G(h - [x, x] + [x - 1])",
        "move take x in h where x > 0 -> G(h - [x] - [x] + [x - 1])",
        "move take x in h where x > 0 -> G(h - [x - 1])",
        "move take x in h where x > 0 and x - 1 in h -> G(h - [x])",
        "move take x in h where x == max(h) and x > 0 -> G(h - [x] + [x - 1])",
        "move take x in set(h) where x > 0 -> G(h - [x] + [x - 1] + [0 for y in h where y > x])",
        "move pair x in h where count(y == x for y in h) > 1 -> G(h - [x])",
        "move take x in h, y = x - 1 where x > 0 -> G(h - [y] + [0])",
    ];
    for (kind, rules) in [("list of nat", &lists[..]), ("bag of nat", &bags[..])] {
        for rule in rules {
            let text = format!(
                "game G(h: {kind}) {{\n  {rule}\n}}\nsolve G([])\nsolve G([1, 2])\nsolve G([3, 1, 2])\nsolve G([2, 2])"
            );
            assert_eq!(agree(&text), 0, "{text}");
            assert!(planned(&text).is_err(), "{text}");
        }
        let heads = [
            format!("misere game G(h: {kind})"),
            format!("game G(h: {kind}) where size(h) != 2"),
            format!("game G(h: {kind}, k = 0)"),
        ];
        let list = kind.starts_with("list");
        for head in heads {
            let rest = if head.contains("k = 0") { ", k + 1" } else { "" };
            let mv = if list { "i in indices(h), x = h[i]" } else { "x in h" };
            let to = if list { "h[i := x - 1]" } else { "h - [x] + [x - 1]" };
            let text = format!("{head} {{\n  move take {mv} where x > 0 -> G({to}{rest})\n}}\nsolve G([3, 1, 2])");
            assert_eq!(agree(&text), 0, "{text}");
            assert!(planned(&text).is_err(), "{text}");
        }
    }
    // Alone, but a play comes back.
    let loopy = "game G(h: list of nat) {\n  move turn i in indices(h) -> G(h[i := (h[i] + 1) mod 3])\n}\nsolve G([0, 1])\nsolve G([])";
    assert_eq!(agree(loopy), 0);
}

#[test]
fn many_heaps_in_a_list_or_bag() {
    // By hand: heaps from which k with k * k <= n is taken, each by itself.
    let mut values: Vec<u64> = Vec::new();
    for n in 0..=400u64 {
        let options: Vec<u64> =
            (1..=n).take_while(|k| k * k <= n).map(|k| values[usize::try_from(n - k).expect("small")]).collect();
        values.push((0..=n).find(|v| !options.contains(v)).expect("a value"));
    }
    let heaps = [300, 311, 320, 333, 350, 277];
    let expected = heaps.iter().fold(0, |sum, &heap| sum ^ values[heap]);
    for (kind, mv) in [
        ("list of nat", "i in indices(h), k in 1..h[i] where k * k <= h[i] -> G(h[i -= k])"),
        ("bag of nat", "x in h, k in 1..x where k * k <= x -> G(h - [x] + [x - k])"),
    ] {
        let text = format!("game G(h: {kind}) {{\n  move take {mv}\n}}\nsolve G({heaps:?})");
        let found = answers(&program(&text).expect("a program"), Policy::Large);
        let [Ok(answer)] = &found[..] else { panic!("{found:?}") };
        assert_eq!(answer.method, Method::Components);
        assert_eq!(format!("{:?}", answer.grundy), format!("Some(Nimber({expected}))"));
    }
}
