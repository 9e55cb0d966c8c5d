//! The genus and the tameness of positions: against their definitions, worked out on whole sums.

use crate::program::{run, stdout};
use crate::rng::Rng;
use crate::rounds;
use serde_json::Value as Json;
use std::collections::HashMap;

/// A game on numbers: from `v` a move leads to one of the sums `options[v]`, of smaller numbers.
struct Plays {
    options: Vec<Vec<Vec<usize>>>,
    /// Values of sums in normal and in misere play.
    values: HashMap<Vec<usize>, (u32, u32)>,
    tame: HashMap<Vec<usize>, &'static str>,
    /// The number of a Nim heap of two.
    two: usize,
}

fn mex(values: impl Iterator<Item = u32>) -> u32 {
    let values: Vec<u32> = values.collect();
    (0..=u32::MAX).find(|value| !values.contains(value)).expect("few values")
}

impl Plays {
    fn new(mut options: Vec<Vec<Vec<usize>>>) -> Plays {
        let nothing = options.len();
        options.push(vec![]);
        options.push(vec![vec![nothing]]);
        options.push(vec![vec![nothing], vec![nothing + 1]]);
        Plays { options, values: HashMap::new(), tame: HashMap::new(), two: nothing + 2 }
    }

    /// What a move makes of a sum, sorted.
    fn after(&self, sum: &[usize]) -> Vec<Vec<usize>> {
        let mut all = Vec::new();
        for (i, &v) in sum.iter().enumerate() {
            for option in &self.options[v] {
                let mut next: Vec<usize> = sum[..i].iter().chain(&sum[i + 1..]).chain(option).copied().collect();
                next.sort_unstable();
                all.push(next);
            }
        }
        all
    }

    fn values(&mut self, sum: &[usize]) -> (u32, u32) {
        let mut key = sum.to_vec();
        key.sort_unstable();
        if let Some(values) = self.values.get(&key) {
            return *values;
        }
        let options: Vec<(u32, u32)> = self.after(&key).iter().map(|next| self.values(next)).collect();
        let misere = if options.is_empty() { 1 } else { mex(options.iter().map(|pair| pair.1)) };
        let values = (mex(options.iter().map(|pair| pair.0)), misere);
        self.values.insert(key, values);
        values
    }

    fn genus(&mut self, sum: &[usize]) -> String {
        const TWOS: usize = 10;
        let beside = |k| sum.iter().copied().chain(vec![self.two; k]).collect::<Vec<usize>>();
        let sums: Vec<Vec<usize>> = (0..TWOS).map(beside).collect();
        let misere: Vec<u32> = sums.iter().map(|sum| self.values(sum).1).collect();
        let len = (2..TWOS).find(|&len| (len..TWOS).all(|k| misere[k] == misere[k - 2])).expect("steady by then");
        assert!(len < TWOS - 2, "{misere:?}");
        let separator = if misere[..len].iter().any(|value| *value > 9) { "," } else { "" };
        let misere: Vec<String> = misere[..len].iter().map(u32::to_string).collect();
        format!("{}^{{{}}}", self.values(sum).0, misere.join(separator))
    }

    /// By the definitions of the language's reference.
    fn tameness(&mut self, sum: &[usize]) -> &'static str {
        if let Some(word) = self.tame.get(sum) {
            return word;
        }
        let options = self.after(sum);
        let of_options: Vec<&str> = options.iter().map(|option| self.tameness(option)).collect();
        let (normal, misere) = self.values(sum);
        let is_tame = |word: &str| word.ends_with("tame");
        let all_tame = of_options.iter().all(|word| is_tame(word));
        let like_heaps = normal == misere || normal + misere == 1;
        let tame: Vec<(u32, u32)> =
            (0..options.len()).filter(|&i| is_tame(of_options[i])).map(|i| self.values(&options[i])).collect();
        let by_tame = (mex(tame.iter().map(|v| v.0)), mex(tame.iter().map(|v| v.1)));
        let mut taken_back = true;
        for option in options.iter().zip(&of_options).filter(|(_, word)| !is_tame(word)).map(|(option, _)| option) {
            let replies = self.after(option);
            let tame: Vec<&Vec<usize>> = replies.iter().filter(|reply| is_tame(self.tameness(reply))).collect();
            let values: Vec<(u32, u32)> = tame.into_iter().map(|reply| self.values(reply)).collect();
            taken_back &= values.iter().any(|v| v.0 == normal) && values.iter().any(|v| v.1 == misere);
        }
        let word = if like_heaps && of_options.iter().all(|word| word.starts_with("hereditarily")) {
            "hereditarily tame"
        } else if like_heaps && taken_back && (all_tame || by_tame == (normal, misere)) {
            "tame"
        } else if all_tame && normal < 2 && misere > 1 {
            "restive"
        } else if all_tame && normal > 1 && misere < 2 {
            "restless"
        } else {
            "wild"
        };
        self.tame.insert(sum.to_vec(), word);
        word
    }
}

fn told(text: &str, query: &str) -> Json {
    let out = stdout(&format!("{text}table {query}\n"), &["table", "--json"]);
    let json: Json = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{text} {query} {out}"));
    json["values"].clone()
}

/// Random games whose moves lead to sums of up to two: all their positions, and sums of two of them.
#[test]
fn genera_and_tameness_are_by_their_definitions() {
    let mut rng = Rng::new(28);
    let mut met: HashMap<&str, usize> = HashMap::new();
    for _ in 0..rounds(60, 2_000) {
        let split = rng.chance(40);
        let size = if split { rng.below(4) + 4 } else { rng.below(8) + 8 };
        let mut options: Vec<Vec<Vec<usize>>> = Vec::new();
        for v in 0..size {
            let some = if v == 0 { 0 } else { rng.below(6) };
            let mut option =
                || (0..if split && rng.chance(30) { 2 } else { 1 }).map(|_| v - 1 - rng.below(v.min(8))).collect();
            options.push((0..some).map(|_| option()).collect());
        }
        let text = format!(
            "let d = {options:?}\ngame Play(v) {{\n  move to xs in d[v] -> sum(Play(x) for x in xs)\n}}\n\
             misere game Lost(v) {{\n  move to xs in d[v] -> sum(Lost(x) for x in xs)\n}}\n"
        );
        // A list without members says nothing of their type.
        let text = text.replace("let d = [[]", "let d = [[[0] for i in 1..0]");
        let mut plays = Plays::new(options);
        let game = *rng.pick(&["Play", "Lost"]);
        let found = told(&text, &format!("[genus({game}(v)), tameness({game}(v))] for v in 0..{}", size - 1));
        for v in 0..size {
            let word = plays.tameness(&[v]);
            assert_eq!(found[v], serde_json::json!([plays.genus(&[v]), word]), "{v} of {text}");
            *met.entry(word).or_default() += 1;
        }
        let w = rng.below(size.min(8));
        let found = told(&text, &format!("genus(Play(v) + Play({w})) for v in 0..{}", size - 1));
        for _ in 0..4 {
            let v = rng.below(size);
            assert_eq!(found[v], plays.genus(&[v, w]), "{v} + {w} of {text}");
        }
        // The theorem of tame games.
        let tame: Vec<usize> = (0..size).filter(|v| plays.tameness(&[*v]).ends_with("tame")).collect();
        for _ in 0..8 {
            let sum: Vec<usize> = (0..=rng.below(3)).map(|_| *rng.pick(&tame)).collect();
            let values: Vec<(u32, u32)> = sum.iter().map(|v| plays.values(&[*v])).collect();
            let normal = values.iter().fold(0, |all, v| all ^ v.0);
            let firm = values.iter().any(|(a, b)| a == b);
            assert_eq!(plays.values(&sum), (normal, normal ^ u32::from(!firm)), "{sum:?} of {text}");
        }
    }
    for word in ["hereditarily tame", "tame", "restive", "restless", "wild"] {
        assert!(met.contains_key(word), "{word} was not met: {met:?}");
    }
}

/// Kayles and Dawson's Kayles.
#[test]
fn genera_of_heaps() {
    for (code, most) in [("0.77", 11), ("0.07", 11)] {
        let splits = |n: usize, taken: usize| (0..=n - taken).map(move |left| vec![left, n - taken - left]);
        let least = if code == "0.77" { 1 } else { 2 };
        let options = |n| (least..=2).filter(move |k| *k <= n).flat_map(move |k| splits(n, k));
        let mut plays = Plays::new((0..=most).map(|n| options(n).collect()).collect());
        let text = format!(
            "game Heap(n) {{\n  move take k in {least}..2, left in 0..n - k -> Heap(left) + Heap(n - k - left)\n}}\n"
        );
        let found = told(&text, &format!("[genus(Heap(n)), tameness(Heap(n))] for n in 0..{most}"));
        for n in 0..=most {
            assert_eq!(found[n], serde_json::json!([plays.genus(&[n]), plays.tameness(&[n])]), "{code} {n}");
        }
    }
}

/// The definition is asked of games that it is for; and limits hold.
#[test]
fn no_genus() {
    let text = "game Won(n) {\n  move a where n > 0 -> Won(n - 1)\n  move b where n > 3 -> win\n}\n\
                game Round(n) {\n  move a -> Round(1 - n)\n}\n\
                game Ended(n) {\n  end when n == 2: lost\n  move a where n > 0 -> Ended(n - 1)\n}\n\
                game Points(n) {\n  move a where n > 0 -> Points(n - 1) gain 2\n}\n\
                game Nim(n) {\n  move take k in 1..n -> Nim(n - k)\n}\n\
                game Kayles(n) {\n  move take k in 1..2, left in 0..n - k -> Kayles(left) + Kayles(n - k - left)\n}\n";
    let refused = [
        ("genus(Won(5))", "a move of it ends the whole play"),
        ("tameness(Won(4) + Won(1))", "a move of it ends the whole play"),
        ("genus(Round(0))", "can come back to a position"),
        ("[genus(Ended(1)), genus(Ended(2))]", "an `end when` of it ends the whole play"),
        ("genus(Ended(3))", "an `end when` of it ends the whole play"),
        ("genus(Points(2))", "it is a scoring game"),
    ];
    for (expression, why) in refused {
        let out = run(text, &["eval", expression]);
        let errors = String::from_utf8(out.stderr).expect("text");
        assert!(errors.contains("E20") && errors.contains(why), "{expression}: {errors}");
        assert_eq!(out.status.code(), Some(2), "{expression}");
    }
    for limit in [["--max-positions", "500"], ["--memory", "20M"]] {
        let out = run(text, &["eval", "genus(Kayles(60))", limit[0], limit[1]]);
        assert_eq!(out.status.code(), Some(3), "{limit:?}");
    }
    // What is reached ends nothing; a compound is a game, too.
    let fine =
        ["genus(Won(2))", "genus(Ended(1))", "genus(conjunctive(Nim(2), Nim(3)))", "genus(sum(Won(1) for i in 1..0))"];
    let mut found = Vec::new();
    for expression in fine {
        found.push(stdout(text, &["eval", expression]).trim().to_string());
    }
    // Of *2 and *3 moved together: the shorter part ends it. *0 of a zero position.
    let mut plays = Plays::new(vec![vec![], vec![vec![0]], vec![vec![0], vec![1]]]);
    let [zero, one, two] = [0, 1, 2].map(|n| plays.genus(&[n]));
    assert_eq!(found, [zero.clone(), one, two, zero]);
}
