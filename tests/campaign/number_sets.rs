//! Games on sets of numbers, which lie in words while their members are small: random ones near 0 and around the greatest
//! member that a word can have, in every form of the engine and by the naive solver; closed forms from the literature.

use crate::naive::engine::{FORMS, answers, differences, program};
use crate::naive::{How, Rng, Rules, State, Target, set, solve};
use crate::rounds;
use std::collections::BTreeSet;
use std::fmt::Write as _;

type Coins = BTreeSet<i64>;

/// One kind of move: its line, with `B` for the least number, and what it does.
struct Line {
    text: &'static str,
    moves: fn(&Coins, i64) -> Vec<(String, Coins)>,
}

fn with(coins: &Coins, change: &[i64]) -> Coins {
    coins ^ &change.iter().copied().collect::<Coins>()
}

/// The subsets of some numbers with at most two members.
fn small(from: &Coins) -> Vec<Vec<i64>> {
    let one: Vec<Vec<i64>> = from.iter().map(|&a| vec![a]).collect();
    let two = from.iter().flat_map(|&a| from.iter().filter(move |&&b| a < b).map(move |&b| vec![a, b]));
    std::iter::once(Vec::new()).chain(one.clone()).chain(two).collect()
}

/// Numbers after one towards another, up to the first that is taken.
fn slide(from: i64, to: i64, coins: &Coins) -> Vec<i64> {
    let step = (to - from).signum();
    (1..=(to - from).abs()).map(|k| from + k * step).take_while(|at| !coins.contains(at)).collect()
}

const LINES: [Line; 20] = [
    Line {
        text: "move take i in coins -> G(coins - {i})",
        moves: |coins, _| coins.iter().map(|&i| (format!("take {i}"), with(coins, &[i]))).collect(),
    },
    Line {
        text: "move turn i in coins, j in B..i - 1 -> G(coins xor {i, j})",
        moves: |coins, b| {
            let of = |&i: &i64| (b..i).map(move |j| (format!("turn {i} {j}"), with(coins, &[i, j])));
            coins.iter().flat_map(of).collect()
        },
    },
    Line {
        text: "move run i in coins, j in B..i -> G(coins xor (j..i))",
        moves: |coins, b| {
            let run = |j: i64, i: i64| with(coins, &(j..=i).collect::<Vec<_>>());
            coins.iter().flat_map(|&i| (b..=i).map(move |j| (format!("run {i} {j}"), run(j, i)))).collect()
        },
    },
    Line {
        text: "move to c in coins, t in (B..c - 1) - coins -> G(coins - {c} + {t})",
        moves: |coins, b| {
            let free = |c: i64| (b..c).filter(|t| !coins.contains(t));
            coins.iter().flat_map(|&c| free(c).map(move |t| (format!("to {c} {t}"), with(coins, &[c, t])))).collect()
        },
    },
    Line {
        text: "move slide c in coins, t in slide(c, B, coins) -> G(coins - {c} + {t})",
        moves: |coins, b| {
            let name = |c: i64, t: i64| (format!("slide {c} {t}"), with(coins, &[c, t]));
            coins.iter().flat_map(|&c| slide(c, b, coins).into_iter().map(move |t| name(c, t))).collect()
        },
    },
    Line {
        text: "move some i in coins, others in subsets(B..i - 1, 0..2) -> G(coins xor (others + {i}))",
        moves: |coins, b| {
            let of = |&i: &i64| {
                let below: Coins = (b..i).collect();
                small(&below).into_iter().map(move |s| (format!("some {i} {s:?}"), with(&with(coins, &s), &[i])))
            };
            coins.iter().flat_map(of).collect()
        },
    },
    Line {
        text: "move two s in subsets(coins, 2) -> G(coins - s)",
        moves: |coins, _| {
            let two = small(coins).into_iter().filter(|s| s.len() == 2);
            two.map(|s| (format!("two {s:?}"), with(coins, &s))).collect()
        },
    },
    Line {
        text: "move low where coins != {} -> G(coins - {min(coins)})",
        moves: |coins, _| coins.first().map(|&i| ("low".to_string(), with(coins, &[i]))).into_iter().collect(),
    },
    Line {
        text: "move high where size(coins) > 1 -> G(coins - {max(coins)})",
        moves: |coins, _| {
            let high = coins.last().filter(|_| coins.len() > 1);
            high.map(|&i| ("high".to_string(), with(coins, &[i]))).into_iter().collect()
        },
    },
    Line {
        text: "move drop k in coins where k + 1 not in coins and sum(coins) mod 3 != 1 -> G({c for c in coins where c != k})",
        moves: |coins, _| {
            let fine = |k: &&i64| !coins.contains(&(**k + 1)) && coins.iter().sum::<i64>() % 3 != 1;
            coins.iter().filter(fine).map(|&k| (format!("drop {k}"), with(coins, &[k]))).collect()
        },
    },
    Line {
        text: "move down where B not in coins and size(coins) > 0 -> G({c - 1 for c in coins})",
        moves: |coins, b| {
            let fine = !coins.contains(&b) && !coins.is_empty();
            if fine { vec![("down".to_string(), coins.iter().map(|c| c - 1).collect())] } else { Vec::new() }
        },
    },
    Line {
        text: "move fill where B not in coins and size(coins) >= 2 -> G(coins - {max(coins)} - {min(coins)} + {B})",
        moves: |coins, b| match (coins.first(), coins.last()) {
            (Some(&low), Some(&high)) if low > b && low < high => {
                vec![("fill".to_string(), with(coins, &[low, high, b]))]
            }
            _ => Vec::new(),
        },
    },
    Line {
        text: "move keep i in coins -> G(coins & (B..i - 1))",
        moves: |coins, _| {
            let below = |i: i64| coins.iter().copied().filter(|&c| c < i).collect();
            coins.iter().map(|&i| (format!("keep {i}"), below(i))).collect()
        },
    },
    Line {
        text: "move swap i in coins -> G(if i mod 2 == 0 or i == B then coins - {i} else (coins - {i}) + {i - 1})",
        moves: |coins, b| {
            let next = |i: i64| {
                let mut next = with(coins, &[i]);
                if i % 2 != 0 && i != b {
                    next.insert(i - 1);
                }
                next
            };
            coins.iter().map(|&i| (format!("swap {i}"), next(i))).collect()
        },
    },
    Line {
        text: "move odd i in coins where xor(coins) mod 2 == 1 -> G(coins + {} - {i})",
        moves: |coins, _| {
            let odd = coins.iter().fold(0, |a, b| a ^ b) % 2 == 1;
            coins.iter().filter(|_| odd).map(|&i| (format!("odd {i}"), with(coins, &[i]))).collect()
        },
    },
    Line {
        text: "move less i in coins where coins - {i} >= {min(coins)} and all(c >= i for c in coins - {min(coins)}) -> G(coins - {i})",
        moves: |coins, _| {
            let low = coins.first().copied().unwrap_or(0);
            let fine = |i: &&i64| **i != low && coins.iter().all(|c| *c == low || c >= *i);
            coins.iter().filter(fine).map(|&i| (format!("less {i}"), with(coins, &[i]))).collect()
        },
    },
    Line {
        text: "move gap where mex(coins) < 2 and coins != {} -> G(coins - {max(coins)})",
        moves: |coins, _| {
            let mex = (0..9).find(|n| !coins.contains(n)).unwrap_or(9);
            let high = coins.last().filter(|_| mex < 2);
            high.map(|&i| ("gap".to_string(), with(coins, &[i]))).into_iter().collect()
        },
    },
    Line {
        text: "move all s in subsets(coins) where 1 <= size(s) <= 3 and B not in s -> G(coins - s)",
        moves: |coins, b| {
            let members: Vec<i64> = coins.iter().copied().collect();
            let chosen = |bits: u32| {
                let all = members.iter().enumerate();
                all.filter(|(k, _)| bits >> k & 1 == 1).map(|(_, &c)| c).collect::<Vec<_>>()
            };
            let sets = (0..1u32 << members.len()).map(chosen);
            let fine = sets.filter(|s| (1..=3).contains(&s.len()) && !s.contains(&b));
            fine.map(|s| (format!("all {s:?}"), with(coins, &s))).collect()
        },
    },
    Line {
        text: "move up c in coins, t in slide(c, B + 5, coins) where c <= B + 5 -> G(coins - {c} + {t})",
        moves: |coins, b| {
            let name = |c: i64, t: i64| (format!("up {c} {t}"), with(coins, &[c, t]));
            let low = coins.iter().filter(|c| **c <= b + 5);
            low.flat_map(|&c| slide(c, b + 5, coins).into_iter().map(move |t| name(c, t))).collect()
        },
    },
    Line {
        text: "move grow where coins != {} and max(coins) < B + 6 -> G(coins - {max(coins)} + {max(coins) + 1})",
        moves: |coins, b| {
            let high = coins.last().filter(|&&c| c < b + 6);
            high.map(|&c| ("grow".to_string(), with(coins, &[c, c + 1]))).into_iter().collect()
        },
    },
];

struct Chosen {
    lines: Vec<usize>,
    least: i64,
}

impl Rules for Chosen {
    fn moves(&self, state: &State) -> Vec<(String, Target)> {
        let coins: Coins = state[1..].iter().copied().collect();
        let all = self.lines.iter().flat_map(|&line| (LINES[line].moves)(&coins, self.least));
        all.map(|(name, next)| (name, Target::to(std::iter::once(0).chain(next).collect()))).collect()
    }
}

/// Compares all forms on some random games; how many positions were asked about.
fn trials(seeds: std::ops::Range<u64>, least: &[i64]) -> u64 {
    let (mut asked, mut wrong) = (0, Vec::new());
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let least = *rng.pick(least);
        let mut lines: Vec<usize> = (0..rng.range(1, 3)).map(|_| rng.below(LINES.len())).collect();
        lines.sort_unstable();
        lines.dedup();
        let misere = rng.chance(20);
        let mut text = format!("{} G(coins: set of nat) {{\n", if misere { "misere game" } else { "game" });
        for &line in &lines {
            let line = LINES[line].text.replace('B', &least.to_string());
            writeln!(text, "  {line}").expect("memory");
        }
        text.push_str("}\n");
        let rules = Chosen { lines, least };
        let mut wanted = Vec::new();
        for _ in 0..3 {
            let coins = rng.some(least, least + 6, 45);
            writeln!(text, "solve G({})", set(&coins)).expect("memory");
            let verdict = solve(&rules, &[std::iter::once(0).chain(coins).collect()], How::Sum, misere, false, 5000)
                .expect("a small game");
            wanted.push(verdict);
        }
        asked += 3;
        let program = program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        for form in FORMS {
            for (verdict, answer) in wanted.iter().zip(answers(&program, form)) {
                let differ = match answer {
                    Ok(answer) => differences(&answer, verdict, !verdict.cyclic && !misere),
                    Err((code, message)) => vec![format!("{code}: {message}")],
                };
                if !differ.is_empty() {
                    wrong.push(format!("seed {seed} {form:?}: {}\n{text}", differ.join("; ")));
                }
            }
        }
    }
    wrong.sort_by_key(String::len);
    wrong.truncate(4);
    assert!(wrong.is_empty(), "{}", wrong.join("\n----\n"));
    asked
}

/// Other seeds than those of every day, for a longer look.
fn shift() -> u64 {
    std::env::var("GRUNDY_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(0) << 32
}

#[test]
fn random_games_on_small_numbers() {
    let shift = shift();
    assert!(trials(shift..shift + rounds(40, 250), &[0, 1, 40]) > 0);
}

#[test]
fn random_games_where_words_for_sets_end() {
    // The greatest member is 62.
    let shift = shift() + (1 << 16);
    assert!(trials(shift..shift + rounds(40, 250), &[55, 56, 57, 58, 60, 62, 63]) > 0);
}

/// Closed forms: Winning Ways, chapter 14 (Turning Turtles, Mock Turtles, the Ruler game); Welter's game with two coins,
/// On Numbers and Games, chapter 13. In two games at once, one of them with sets too large for words.
#[test]
fn closed_forms() {
    let text = "
game Turtles(heads: set of nat) where 0 not in heads {
  move one i in heads -> Turtles(heads xor {i})
  move two i in heads, j in 1..i - 1 -> Turtles(heads xor {i, j})
}
game Mock(heads: set of nat) {
  move turn i in heads, others in subsets(0..i - 1, 0..2) -> Mock(heads xor (others + {i}))
}
game Ruler(heads: set of nat) where 0 not in heads {
  move turn i in heads, j in 1..i -> Ruler(heads xor (j..i))
}
game Welter(coins: set of nat) {
  move take c in coins, to in (0..c - 1) - coins -> Welter(coins - {c} + {to})
}
";
    let mut text = text.to_string();
    let mut expected: Vec<u64> = Vec::new();
    let odious = |n: u32| if n.count_ones() % 2 == 1 { 2 * n } else { 2 * n + 1 };
    for heads in 1u32..1 << 9 {
        if heads % 7 != 0 {
            continue;
        }
        let coins: Vec<u32> = (1..=9).filter(|i| heads >> (i - 1) & 1 == 1).collect();
        let listed = crate::naive::join(&coins);
        writeln!(text, "solve Turtles({{{listed}}})\nsolve Ruler({{{listed}}})\nsolve Mock({{{listed}}})")
            .expect("memory");
        let xor = |of: &dyn Fn(u32) -> u32| u64::from(coins.iter().fold(0, |a, &c| a ^ of(c)));
        expected.extend([xor(&|c| c), xor(&|c| c & c.wrapping_neg()), xor(&odious)]);
    }
    for (a, b) in [(0u64, 1u64), (3, 17), (12, 61), (12, 62), (12, 63), (5, 70), (61, 62), (62, 63), (64, 66)] {
        writeln!(text, "solve Welter({{{a}, {b}}})").expect("memory");
        expected.push((a ^ b) - 1);
    }
    let program = program(&text).unwrap_or_else(|e| panic!("{e}"));
    for form in FORMS {
        if form == crate::naive::engine::Form::Plain {
            // The same on values is slow, and tried above.
            continue;
        }
        let all = answers(&program, form);
        assert_eq!(all.len(), expected.len());
        for (answer, expected) in all.iter().zip(&expected) {
            let answer = answer.as_ref().unwrap_or_else(|e| panic!("{form:?} {e:?}"));
            let Some(grundy::answer::GrundyValue::Nimber(value)) = answer.grundy else {
                panic!("{form:?} {}: {:?}", answer.position, answer.grundy)
            };
            assert_eq!(value, *expected, "{form:?} {}", answer.position);
        }
    }
}

/// A short search sees few of the sets that are met: the table of what is met gives way to one of the whole box. The value is
/// that of Winning Ways, chapter 14.
#[test]
fn a_box_that_is_full_after_all() {
    use grundy::input::data::NoFiles;
    use grundy::tables::Table;
    use grundy::value::limits::Limits;
    use grundy::vm::context::Context;
    let heads: Vec<i64> = vec![1, 2, 4, 6, 7, 9, 12, 13, 15, 17, 18, 20, 21, 22];
    let text = format!(
        "game Turtles(heads: set of nat) where 0 not in heads {{
  move one i in heads -> Turtles(heads xor {{i}})
  move two i in heads, j in 1..i - 1 -> Turtles(heads xor {{i, j}})
}}
solve Turtles({})",
        set(&heads)
    );
    let program = program(&text).unwrap_or_else(|e| panic!("{e}"));
    let mut ctx = Context::new(program, std::sync::Arc::new(NoFiles), Limits::default(), grundy::engines::ask);
    ctx.give(Vec::new());
    let answer = crate::naive::engine::only(&mut ctx).expect("an answer");
    let expected = heads.iter().fold(0, |a, b| a ^ b).unsigned_abs();
    assert_eq!(answer.grundy, Some(grundy::answer::GrundyValue::Nimber(expected)));
    assert!(ctx.memo.tables.values().all(|table| matches!(table, Table::Dense(_))));
    assert!(!ctx.memo.tables.is_empty());
}

/// Cram on a set of free cells, by a plain recursion on pairs.
struct Cram;

impl Rules for Cram {
    fn moves(&self, state: &State) -> Vec<(String, Target)> {
        let free: BTreeSet<(i64, i64)> = state[1..].chunks(2).map(|c| (c[0], c[1])).collect();
        let mut all = Vec::new();
        for &(x, y) in &free {
            for (name, other) in [("h", (x + 1, y)), ("v", (x, y + 1))] {
                if free.contains(&other) {
                    let left = free.iter().filter(|&&cell| cell != (x, y) && cell != other);
                    let next = std::iter::once(0).chain(left.flat_map(|&(x, y)| [x, y])).collect();
                    all.push((format!("{name} {x} {y}"), Target::to(next)));
                }
            }
        }
        all
    }
}

#[test]
fn sets_of_pairs() {
    let mut rng = Rng::new(7);
    let mut text = "
game Cram(free: set of (nat, nat)) {
  move h (x, y) in free where (x + 1, y) in free -> Cram(free - {(x, y), (x + 1, y)})
  move v (x, y) in free where (x, y + 1) in free -> Cram(free - {(x, y), (x, y + 1)})
}
"
    .to_string();
    let mut wanted = Vec::new();
    // The greatest pair that a word for sets has is (7, 6).
    for left in [0, 0, 0, 3, 4, 4, 5, 5, 6, 7, 8] {
        let grid = (0..16).map(|i| (left + i / 4, left + i % 4));
        let free: Vec<(i64, i64)> = grid.filter(|_| rng.chance(60)).collect();
        let cells: Vec<String> = free.iter().map(|(x, y)| format!("({x}, {y})")).collect();
        writeln!(text, "solve Cram({{{}}})", cells.join(", ")).expect("memory");
        let state = std::iter::once(0).chain(free.iter().flat_map(|&(x, y)| [x, y])).collect();
        wanted.push(solve(&Cram, &[state], How::Sum, false, false, 50_000).expect("a small game"));
    }
    let program = program(&text).unwrap_or_else(|e| panic!("{e}"));
    for form in FORMS {
        for (verdict, answer) in wanted.iter().zip(answers(&program, form)) {
            let answer = answer.unwrap_or_else(|e| panic!("{form:?} {e:?}"));
            assert_eq!(differences(&answer, verdict, true), Vec::<String>::new(), "{form:?} {}", answer.position);
        }
    }
}

/// In a comprehension some ways end in a number that is known when code is made, others in one that is not.
#[test]
fn known_and_unknown_members_in_one_set() {
    // {1, 2, 7, 9}, {1, 2, 6, 7}, {1, 2, 6}, {1, 2}: over. And {1, 2, 7, 70}, {1, 2, 7}, {1, 2, 70}, {1, 2}.
    let lines = [
        ("move a -> G({if i == 0 then 6 else c for i in [0, 1], c in coins} - {max(coins)})", 3),
        ("move a -> G({if i == 0 then c else 6 for i in [0, 1], c in coins} - {max(coins)})", 3),
        ("move a -> G({if i == 0 then 70 else c for i in [0, 1], c in coins} - {max(coins)})", 4),
    ];
    for (line, moves) in lines {
        let text = format!(
            "game G(coins: set of nat) {{\n  end when size(coins) < 3\n  {line}\n}}\nsolve G({{1, 2, 7, 9}})\n"
        );
        let program = program(&text).unwrap_or_else(|e| panic!("{e}"));
        for form in FORMS {
            let answer = answers(&program, form).remove(0).unwrap_or_else(|e| panic!("{form:?} {e:?}\n{text}"));
            assert_eq!(answer.remoteness, Some(moves), "{form:?}\n{text}");
        }
    }
}

/// Ranges as what subsets are of: one too long for a word, one that is known only when the rules run.
#[test]
fn subsets_of_ranges() {
    for source in ["subsets(0..70, 1)", "subsets(r, 1), n = size(r)"] {
        let name = if source.contains("(r,") { "  let r = 0..max(coins + {9})\n" } else { "" };
        let text = format!(
            "game G(coins: set of nat) {{\n{name}  move m s in {source} where s <= coins -> G(coins - s)\n}}\nsolve G({{1, 3}})\n"
        );
        let program = program(&text).unwrap_or_else(|e| panic!("{e}"));
        for form in FORMS {
            let answer = answers(&program, form).remove(0).unwrap_or_else(|e| panic!("{form:?} {e:?}\n{text}"));
            // One coin goes in each move.
            assert_eq!((answer.remoteness, answer.winning.count), (Some(2), 0), "{form:?}\n{text}");
        }
    }
}
