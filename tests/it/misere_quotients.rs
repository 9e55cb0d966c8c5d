//! Misere quotients: against the table of the literature and a search that the test contains, as certificates, and in answers.

use crate::heaps::game;
use crate::naive::engine::{self, each, program};
use crate::program::stdout;
use crate::rng::Rng;
use crate::rounds;
use grundy::answer::{Answer, Method};
use grundy::engines as solve;
use grundy::input::data::NoFiles;
use grundy::value::limits::Limits;
use grundy::vm::context::{Context, Policy};
use grundy_heap::misere::certificate::{Certificate, Refusal};
use grundy_heap::misere::period::{Period, proved};
use grundy_heap::misere::presentation::{Presentation, Word};
use grundy_heap::misere::quotient::{Bounds, Quotient};
use serde_json::Value as Json;
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

/// The quotient of heaps up to `heaps`, or of all heaps.
fn quotient(code: &str, heaps: usize) -> (Quotient, Option<Period>) {
    let mut quotient = Quotient::new(game(code));
    let mut bounds = Bounds::default();
    while quotient.images().len() <= heaps {
        quotient.add(&mut bounds, &mut |_| Ok(())).unwrap_or_else(|stop| panic!("{code}: {stop:?}"));
        if let Some(period) = proved(quotient.game(), quotient.images()) {
            return (quotient, Some(period));
        }
    }
    (quotient, None)
}

fn lost(quotient: &Quotient) -> usize {
    quotient.monoid().elements().filter(|x| quotient.monoid().is_lost(*x)).count()
}

/// Order, lost elements, pairs, pre-period and period: computed outside of this project, those of Kayles, 0.123 and 0.75 by Plambeck and
/// Siegel, too.
#[test]
fn complete_quotients_are_those_of_the_literature() {
    let table = [
        ("0.77", 40, 9, 1417, (71, 12)),
        ("0.123", 20, 5, 306, (5, 5)),
        ("0.75", 8, 2, 33, (8, 2)),
        ("0.34", 12, 3, 75, (7, 8)),
        ("0.71", 36, 9, 406, (3, 6)),
        ("0.52", 6, 2, 21, (6, 4)),
        ("0.31", 6, 2, 17, (3, 2)),
        ("0.32", 6, 2, 24, (1, 3)),
        ("0.33", 6, 2, 24, (1, 3)),
        ("0.333", 6, 2, 16, (1, 4)),
        ("0.122", 6, 2, 24, (1, 5)),
        ("0.73", 6, 2, 12, (2, 4)),
        ("0.53", 16, 3, 146, (21, 9)),
        ("0.72", 24, 5, 215, (16, 4)),
    ];
    for (code, order, lost_count, pairs, (start, length)) in table {
        let (quotient, period) = quotient(code, 400);
        let found = (quotient.monoid().order(), lost(&quotient), quotient.pairs(), period);
        assert_eq!(found, (order, lost_count, pairs, Some(Period { start, length })), "{code}");
    }
    for code in ["0.3", "0.7", "0.1", "0.03", "0.12"] {
        let (quotient, period) = quotient(code, 40);
        assert_eq!((quotient.monoid().order(), lost(&quotient), quotient.pairs()), (2, 1, 3), "{code}");
        assert!(period.is_some(), "{code}");
    }
}

/// The same for heaps up to a size; those of 0.07 are in the literature.
#[test]
fn quotients_of_heaps_up_to_a_size_are_those_of_the_literature() {
    let table = [
        ("0.07", 24, (24, 5)),
        ("0.07", 33, (638, 109)),
        ("0.14", 13, (10, 2)),
        ("0.16", 13, (44, 8)),
        ("0.17", 24, (24, 5)),
        ("0.35", 9, (106, 26)),
        ("0.36", 19, (96, 12)),
        ("0.37", 14, (96, 12)),
        ("0.54", 13, (12, 2)),
        ("0.56", 40, (18, 2)),
        ("0.74", 8, (10, 2)),
        ("0.76", 11, (34, 9)),
        ("4.7", 16, (70, 17)),
        ("0.152", 23, (18, 4)),
        ("0.26", 24, (60, 15)),
        ("0.3122", 6, (52, 10)),
        ("0.144", 19, (12, 2)),
        ("0.175", 24, (34, 8)),
        ("0.115", 27, (16, 4)),
        ("0.157", 27, (18, 4)),
        ("0.57", 23, (34, 8)),
        ("0.44", 79, (40, 9)),
        ("0.15", 19, (16, 4)),
    ];
    for (code, heaps, expected) in table {
        let (quotient, _) = quotient(code, heaps);
        assert_eq!((quotient.monoid().order(), lost(&quotient)), expected, "{code} up to {heaps}");
    }
}

/// What the digits `d0, d1, ..` of an octal code let be left of a heap, by the test's own reading.
fn left(digits: &[u8], heap: u8) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (taken, digit) in (0..=heap).zip(digits) {
        let rest = heap - taken;
        if rest == 0 && digit & 1 != 0 {
            all.push(Vec::new());
        }
        if rest > 0 && digit & 2 != 0 {
            all.push(vec![rest]);
        }
        if digit & 4 != 0 {
            all.extend((1..rest).map(|part| vec![part, rest - part]));
        }
    }
    all
}

/// Whether who has the turn loses a sum in misere play, by going through all plays.
fn loses(digits: &[u8], sum: &[u8], known: &mut HashMap<Vec<u8>, bool>) -> bool {
    if let Some(lost) = known.get(sum) {
        return *lost;
    }
    let (mut moves, mut wins) = (false, false);
    for at in 0..sum.len() {
        for option in left(digits, sum[at]) {
            moves = true;
            let mut next = [&sum[..at], &sum[at + 1..], &option[..]].concat();
            next.sort_unstable();
            wins |= loses(digits, &next, known);
        }
    }
    let lost = moves && !wins;
    known.insert(sum.to_vec(), lost);
    lost
}

/// All ascending sums of so many beans, of heaps from `least` on.
fn each_sum(beans: u8, least: u8, sum: &mut Vec<u8>, each: &mut dyn FnMut(&[u8])) {
    each(sum);
    for heap in least..=beans {
        sum.push(heap);
        each_sum(beans - heap, heap, sum, each);
        sum.pop();
    }
}

/// Every sum of few beans is lost by its element just when it is lost by search.
fn agrees_with_search(digits: &[u8], quotient: &Quotient, beans: u8) {
    let mut known = HashMap::new();
    let images = quotient.images();
    let period = proved(quotient.game(), images);
    let image = |heap: u8| {
        let heap = usize::from(heap);
        match period {
            Some(Period { start, length }) if heap >= images.len() => images[start + (heap - start) % length],
            _ => images[heap],
        }
    };
    each_sum(beans, 1, &mut Vec::new(), &mut |sum| {
        if sum.iter().all(|heap| period.is_some() || usize::from(*heap) < images.len()) {
            let element = quotient.monoid().product(sum.iter().map(|heap| image(*heap)));
            let expected = loses(digits, sum, &mut known);
            assert_eq!(quotient.monoid().is_lost(element), expected, "{:?}: {sum:?}", quotient.game());
        }
    });
}

#[test]
fn outcomes_are_those_of_a_search() {
    let beans = rounds(14, 24);
    let beans = u8::try_from(beans).expect("few");
    let codes = "0.77 0.123 0.75 0.34 0.71 0.52 0.31 0.32 0.33 0.333 0.122 0.73 0.3 0.7 0.1 0.03 0.12 0.53 0.72 0.07 0.14 0.16 0.17 0.35 \
                 0.36 0.37 0.54 0.56 0.74 0.76 4.7 0.152 0.26 0.3122 0.144 0.175 0.115 0.157 0.57 0.44 0.15";
    for code in codes.split(' ') {
        let digits: Vec<u8> = code.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        let mut quotient = Quotient::new(game(code));
        let mut bounds = Bounds { order: 300, pairs: 20_000, products: 3_000_000 };
        while quotient.images().len() <= 24 && quotient.add(&mut bounds, &mut |_| Ok(())).is_ok() {}
        assert!(quotient.images().len() > 6, "{code}");
        agrees_with_search(&digits, &quotient, beans);
    }
    let mut rng = Rng::new(28);
    for _ in 0..rounds(30, 400) {
        let first = *rng.pick(&[0, 0, 0, 4]);
        let count = rng.range(1, 4);
        let mut digits: Vec<u8> = (0..count).map(|_| u8::try_from(rng.range(0, 7)).expect("a digit")).collect();
        digits.insert(0, first);
        let text: Vec<String> = digits.iter().map(u8::to_string).collect();
        let code = format!("{}.{}", text[0], text[1..].concat());
        let mut quotient = Quotient::new(game(&code));
        let mut bounds = Bounds { order: 100, pairs: 5_000, products: 300_000 };
        while quotient.images().len() <= 30 && quotient.add(&mut bounds, &mut |_| Ok(())).is_ok() {}
        agrees_with_search(&digits, &quotient, beans - 2);
        let verdict = Certificate::of(&quotient).verify(&mut |_| Ok(()));
        assert_eq!(verdict, Ok(()), "{code}");
    }
}

/// Sets, all-but sets, marks and names: the heaps' own rules, by codes that are the same game.
#[test]
fn other_games_have_the_quotients_of_the_same_rules() {
    for (one, other) in [("{1,2}", "0.33"), ("{2}", "0.03"), ("kayles", "0.77"), ("4!.", "4!.0"), ("0.7!", "0.7?")] {
        let ((first, _), (second, _)) = (quotient(one, 14), quotient(other, 14));
        assert_eq!((first.monoid(), first.pairs()), (second.monoid(), second.pairs()), "{one} and {other}");
    }
    // Nim is tame: the quotient of heaps up to 2^k - 1 has 2^k + 2 elements (Plambeck and Siegel: T_k).
    for (heaps, order) in [(1, 2), (3, 6), (7, 10), (15, 18)] {
        assert_eq!(quotient("nim", heaps).0.monoid().order(), order, "{heaps}");
    }
    let (nothing, period) = quotient("0.", 3);
    assert_eq!((nothing.monoid().order(), lost(&nothing), period.is_some()), (1, 0, true));
}

/// Every row of the table in the documents; of each row the first code, and in the long form all.
#[test]
fn the_table_of_the_survey_is_true() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/misere.md")).expect("a page");
    let mut rows = 0;
    for row in page.lines().filter(|line| line.starts_with("| ") && line.contains(" 0.")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [numbers @ .., codes] = &cells[..] else { panic!("{row}") };
        let numbers: Vec<usize> = numbers.iter().map(|n| n.replace(',', "").parse().expect("a number")).collect();
        for code in codes.split(' ').take(rounds(1, 1000)) {
            let (quotient, period) = quotient(code, 800);
            let Period { start, length } = period.expect("complete");
            let found = [quotient.monoid().order(), lost(&quotient), quotient.pairs(), start, length];
            assert_eq!(found[..], numbers, "{code}");
        }
        rows += 1;
    }
    assert!(rows > 40, "{rows}");
}

/// A period that a theorem proves goes on.
#[test]
fn a_proved_period_is_that_of_further_heaps() {
    for code in ["0.75", "0.34", "0.53", "0.72", "0.123", "0.71", "{2,5}", "{1,4,6}"] {
        let (mut quotient, period) = quotient(code, 200);
        let Some(Period { start, length }) = period else { continue };
        let order = quotient.monoid().order();
        for _ in 0..60 {
            quotient.add(&mut Bounds::default(), &mut |_| Ok(())).expect("its pair is known");
        }
        let images = quotient.images();
        assert!((start..images.len() - length).all(|n| images[n] == images[n + length]), "{code}");
        assert!(start == 1 || images[start - 1] != images[start - 1 + length], "{code}");
        assert_eq!(quotient.monoid().order(), order, "{code}");
    }
}

/// The relations hold, and by them just as many words are left as there are elements.
#[test]
fn a_presentation_determines_the_monoid() {
    for (code, heaps) in [("0.77", 170), ("0.123", 20), ("0.71", 20), ("0.72", 50), ("0.16", 13), ("0.", 2)] {
        let (quotient, _) = quotient(code, heaps);
        let monoid = quotient.monoid();
        let Presentation { generators, order, words, relations } = Presentation::new(monoid, quotient.images());
        let value = |word: &Word| {
            let powers = generators.iter().zip(word);
            monoid.product(powers.flat_map(|((_, x), times)| std::iter::repeat_n(*x, *times as usize)))
        };
        assert!(monoid.elements().all(|x| value(&words[usize::from(x)]) == x), "{code}");
        assert!(relations.iter().all(|(left, right)| value(left) == value(right) && left != right), "{code}");
        let divides = |part: &Word, word: &Word| part.iter().zip(word).all(|(a, b)| a <= b);
        let (mut left, mut todo) = (Vec::new(), vec![vec![0; generators.len()]]);
        while let Some(word) = todo.pop() {
            assert!(left.len() <= order.len(), "{code}");
            for at in 0..generators.len() {
                let mut longer = word.clone();
                longer[at] += 1;
                let is_word = !relations.iter().any(|(left, _)| divides(left, &longer));
                if is_word && !todo.contains(&longer) && !left.contains(&longer) {
                    todo.push(longer);
                }
            }
            left.push(word);
        }
        let mut words = words;
        left.sort_unstable();
        words.sort_unstable();
        assert_eq!(left, words, "{code}");
    }
}

/// A number of a certificate is another: it is refused.
#[test]
fn changed_certificates_are_refused() {
    let mut rng = Rng::new(77);
    for (code, heaps) in [("0.75", 40), ("0.123", 40), ("0.31", 10), ("0.16", 9)] {
        let certificate = Certificate::of(&quotient(code, heaps).0);
        assert_eq!(certificate.verify(&mut |_| Ok(())), Ok(()), "{code}");
        let whole = serde_json::to_value(&certificate).expect("JSON");
        for _ in 0..rounds(60, 2_000) {
            let mut json = whole.clone();
            let old = json.clone();
            change(&mut json, &mut rng);
            if json == old {
                continue;
            }
            let Ok(changed) = serde_json::from_value::<Certificate>(json.clone()) else { continue };
            let verdict = changed.verify(&mut |_| Ok(()));
            assert!(matches!(verdict, Err(Refusal::Wrong(_))), "{code}: {json}");
        }
    }
}

/// Changes one number somewhere, or leaves out or doubles a member of a list.
fn change(json: &mut Json, rng: &mut Rng) {
    match json {
        Json::Object(object) => {
            let keys: Vec<String> = object.keys().filter(|key| *key != "code").cloned().collect();
            change(&mut object[rng.pick(&keys)], rng);
        }
        Json::Array(list) if list.is_empty() => list.push(1.into()),
        Json::Array(list) if rng.chance(15) => {
            let at = rng.below(list.len());
            if rng.chance(50) {
                list.remove(at);
            } else {
                list.insert(at, list[at].clone());
            }
        }
        Json::Array(list) => {
            let at = rng.below(list.len());
            change(&mut list[at], rng);
        }
        Json::Number(number) => {
            let old = number.as_i64().unwrap_or(0);
            *json = (old + *rng.pick(&[-1, 1, 1, 2, 7])).into();
        }
        Json::Null => *json = serde_json::json!([1, 2]),
        _ => {}
    }
}

/// Sums in misere play by their quotient, and by search: outcome, winning moves and their number.
#[test]
fn answers_by_the_quotient_are_those_of_a_search() {
    let rules = [
        "game K(n) { move knock k in 1..2, i in 0..n - k where k <= n -> K(i) + K(n - k - i) }",
        "game K(n) { move knock a in 1..2, b in 0..(n - a) div 2 where a <= n -> K(b) + K(n - a - b) }",
        "misere game K(n) { move knock k in 1..2, i in 0..n - k where k <= n -> K(i) + K(n - k - i) }",
        "game K(n) { move one where n > 0 -> K(n - 1)\n move two i in 1..n - 3 where n > 3 -> K(i) + K(n - 2 - i) }",
        "game K(n) { move take k in [2, 5] where k <= n -> K(n - k) }",
        "game K(n) { move s a in 1..n - 1 where 2 * a < n -> K(a) + K(n - a) }",
        "game K(n) { move take k in 1..3 where k <= n and (k < 3 or n == k) -> K(n - k) }",
    ];
    let mut rng = Rng::new(3);
    let mut by_quotient = 0;
    for rules in rules {
        let misere = if rules.starts_with("misere") { "" } else { "misere " };
        let mut text = rules.to_string() + "\n";
        for _ in 0..rounds(8, 60) {
            let count = rng.range(1, 4);
            let sum: Vec<String> = (0..count).map(|_| format!("K({})", rng.range(0, 11))).collect();
            text += &["solve ", misere, &sum.join(" + "), "\n"].concat();
        }
        let program = program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let answers = |heaps: Policy| {
            let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
            ctx.options.heaps = heaps;
            ctx.give(vec![None; program.inputs.len()]);
            each(&mut ctx, |ctx, position| {
                let choice = solve::Choice { remoteness: false, ..engine::EVERYTHING };
                let mut answer = solve::solve(ctx, position, choice)?;
                answer.remoteness = None;
                Ok(answer)
            })
        };
        for (coded, searched) in answers(Policy::Always).into_iter().zip(answers(Policy::Never)) {
            let (coded, searched) = (coded.expect("an answer"), searched.expect("an answer"));
            let nothing_searched = |answer: &Answer| answer.method == Method::Components && answer.positions == 0;
            by_quotient += u64::from(nothing_searched(&coded) && !nothing_searched(&searched));
            assert_eq!(coded.outcome, searched.outcome, "{}", coded.position);
            assert_eq!(coded.winning, searched.winning, "{}", coded.position);
        }
    }
    assert!(by_quotient > 20, "{by_quotient}");
}

/// Large heaps, whose outcome is that of the elements which their period gives them.
#[test]
fn large_heaps_are_those_of_their_period() {
    let rules = "game K(n) { move knock k in 1..2, i in 0..n - k where k <= n -> K(i) + K(n - k - i) }\n";
    let (kayles, period) = quotient("0.77", 400);
    let Period { start, length } = period.expect("it is proved");
    let mut rng = Rng::new(12);
    for _ in 0..3 {
        let heaps: Vec<usize> = (0..5).map(|_| usize::try_from(rng.range(90_000, 999_999)).expect("small")).collect();
        let elements = heaps.iter().map(|heap| kayles.images()[start + (heap - start) % length]);
        let expected = if kayles.monoid().is_lost(kayles.monoid().product(elements)) { "second" } else { "first" };
        let sum: Vec<String> = heaps.iter().map(|n| format!("K({n})")).collect();
        let told = stdout(&format!("{rules}solve misere {}\n", sum.join(" + ")), &["solve", "--json", "--outcome"]);
        let json: Json = serde_json::from_str(&told).expect("JSON");
        assert_eq!(json["outcome"], expected, "{heaps:?}");
    }
}

fn grundy(folder: &PathBuf, words: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_grundy")).args(words).current_dir(folder).output().expect("it runs");
    (String::from_utf8(output.stdout).expect("text"), output.status.code())
}

#[test]
fn the_command_tells_quotients_and_keeps_surveys() {
    let folder = std::env::temp_dir().join(format!("grundy-misere-quotients-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (told, code) = grundy(&folder, &["heap", "kayles", "--misere", "--json", "--prove=kayles.json"]);
    let json: Json = serde_json::from_str(&told).expect("JSON");
    let told = |key: &str| json[key].as_u64();
    assert_eq!((code, json["status"].as_str()), (Some(0), Some("complete")));
    assert_eq!(
        ["order", "lost_count", "transitions", "period", "preperiod"].map(told),
        [Some(40), Some(9), Some(1417), Some(12), Some(71)]
    );
    // The table is that of the words: in each row the product with the identity comes first.
    let table = json["table"].as_array().expect("a table");
    assert!(table.iter().enumerate().all(|(x, row)| row[0] == x && row.as_array().map(Vec::len) == Some(40)));
    let (told, code) = grundy(&folder, &["verify", "kayles.json"]);
    assert!(
        told.starts_with("CONFIRMED  0.77, misere play: the quotient of all heaps, period 12 from heap 71"),
        "{told}"
    );
    assert_eq!(code, Some(0));
    let changed =
        std::fs::read_to_string(folder.join("kayles.json")).expect("it is there").replace("[71,12]", "[70,12]");
    std::fs::write(folder.join("changed.json"), changed).expect("it is written");
    let (told, code) = grundy(&folder, &["verify", "changed.json"]);
    assert!(told.starts_with("WRONG      0.77, misere play") && code == Some(1), "{told}");
    let (told, code) = grundy(&folder, &["heap", "lasker", "--misere"]);
    assert!(told.contains("at least 10 classes") && code == Some(3), "{told}");
    assert_eq!(grundy(&folder, &["heap", "0.75", "--misere", "--state", "state"]).1, Some(2));
    // A survey is the same when it is taken up again, and does not believe what was changed.
    let words = ["heap", "--misere", "--survey", "1", "--heaps", "40", "--state", "survey"];
    let (first, code) = grundy(&folder, &words);
    assert_eq!((first.lines().count(), code), (8, Some(0)), "{first}");
    let state = std::fs::read_to_string(folder.join("survey")).expect("it is there");
    let half: Vec<&str> = state.lines().take(4).collect();
    std::fs::write(folder.join("survey"), half.join("\n") + "\n").expect("it is written");
    assert_eq!(grundy(&folder, &words), (first, Some(0)));
    std::fs::write(folder.join("survey"), state.replacen("\"order\":2", "\"order\":4", 1)).expect("it is written");
    assert_eq!(grundy(&folder, &words).1, Some(2));
    std::fs::remove_dir_all(&folder).expect("it is there");
}
