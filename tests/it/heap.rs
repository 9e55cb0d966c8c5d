//! Heap games: values against the reference, periods against known ones, certificates, the command, its errors.

use crate::heaps::{Random, game, naive};
use grundy_heap::Halt;
use grundy_heap::certificate::{Certificate, Refusal};
use grundy_heap::game::Game;
use grundy_heap::instructions::Instructions;
use grundy_heap::period::least_period;
use grundy_heap::sequence::Sequence;
use grundy_heap::state::{decode, encode};
use serde_json::Value as Json;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn searched(text: &str, len: usize) -> Sequence {
    let mut sequence = Sequence::new(game(text));
    sequence.search(len, &mut |_| Ok(())).expect("the values are small");
    sequence
}

impl Random {
    fn set(&mut self, size: u64, largest: u64) -> String {
        let members: Vec<String> = (0..=self.below(size)).map(|_| (1 + self.below(largest)).to_string()).collect();
        members.join(",")
    }

    fn game(&mut self) -> String {
        match self.below(8) {
            0 => format!("{{{}}}", self.set(9, 200)),
            1 => format!("all-but{{{}}}", self.set(4, 12)),
            _ => self.code(),
        }
    }
}

/// The values by the engine, whole and in pieces, and by the proved period, are those of the reference.
fn compare(text: &str, len: usize) {
    let expected = naive(text, len);
    for set in Instructions::all() {
        let mut whole = Sequence::with(game(text), Vec::new(), set);
        whole.extend(len, &mut |_| Ok(())).expect("the values are small");
        assert_eq!(&whole.values()[..len], expected, "{text} by {set:?}");
    }
    let mut pieces = Sequence::resumed(game(text), expected[..len / 3].to_vec());
    for step in [len / 2, len / 2 + 1, len / 2 + 7, len] {
        pieces.extend(step, &mut |_| Ok(())).expect("the values are small");
    }
    assert_eq!(&pieces.values()[..len], expected, "{text} in pieces");
    let sequence = searched(text, len);
    for (heap, value) in (0..).zip(&expected) {
        assert_eq!(sequence.value(heap), Some(u64::from(*value)), "{text} at {heap}: {:?}", sequence.period());
    }
}

#[test]
fn every_engine_agrees_with_the_reference() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..500 {
        let text = random.game();
        compare(&text, if round % 25 == 0 { 4000 } else { 700 });
    }
    // Values above 63, many rare heaps.
    for text in ["0.6", "4!.", "0.26", "4.01", "0.0007", "0.64!"] {
        compare(text, 6000);
    }
}

/// The values of `0.D1D2..` by the definition: all parts of all splits, one after the other. A digit is its bits and its mark.
fn by_definition(digits: &[(u8, char)], len: usize) -> Vec<u16> {
    let mut values: Vec<u16> = Vec::new();
    for heap in 0..len {
        let mut seen = vec![false; 1 << 12];
        let mut put = |value: u16| seen[usize::from(value)] = true;
        for (rest, (bits, mark)) in (0..heap).rev().zip(digits) {
            if bits & 1 != 0 && rest == 0 {
                put(0);
            }
            if bits & 2 != 0 && rest > 0 {
                put(values[rest]);
            }
            let fits = |equal: bool, different: bool| match mark {
                '=' => equal,
                '!' => different,
                '?' => !equal,
                _ => true,
            };
            for a in 1..rest {
                if bits & 4 != 0 && fits(a == rest - a, a != rest - a) {
                    put(values[a] ^ values[rest - a]);
                }
                for b in (1..rest - a).filter(|_| bits & 8 != 0) {
                    let c = rest - a - b;
                    if fits(a == b && b == c, a != b && b != c && a != c) {
                        put(values[a] ^ values[b] ^ values[c]);
                    }
                }
            }
        }
        values.push(u16::try_from(seen.iter().position(|seen| !seen).unwrap()).unwrap());
    }
    values
}

#[test]
fn splits_in_three_are_those_of_the_definition() {
    let mut random = Random(0x0dd5_eed5_1234_5677);
    for _ in 0..150 {
        let mut digits = Vec::new();
        let mut code = "0.".to_string();
        for _ in 0..=random.below(3) {
            let bits = u8::try_from(random.below(16)).unwrap();
            let mark = random.of(&["", "!", "?", "="]);
            digits.push((bits, mark.chars().next().unwrap_or(' ')));
            write!(code, "{bits:x}{mark}").expect("memory");
        }
        assert_eq!(naive(&code, 70), by_definition(&digits, 70), "{code}");
    }
}

#[test]
fn three_equal_parts_cost_no_more_than_one() {
    // Three equal heaps have the value of one: removing 1 or 2 first leaves a third of the rest.
    let len = 200_000;
    let values = searched("0.8=8=", len);
    let mut expected: Vec<u16> = Vec::new();
    for heap in 0..len {
        let parts = [1, 2].map(|taken| heap.checked_sub(taken).filter(|rest| *rest > 0 && rest % 3 == 0));
        let options: Vec<u16> = parts.iter().flatten().map(|rest| expected[rest / 3]).collect();
        let most = u16::try_from(options.len()).unwrap();
        expected.push((0..=most).find(|value| !options.contains(value)).unwrap());
    }
    assert_eq!(&values.values()[..len], expected);
}

#[test]
fn sets_of_all_sizes_agree_with_the_reference() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..40 {
        // Values below 16, 32 and 64, amounts within and beyond a block.
        let size = [5, 50, 70][usize::try_from(random.below(3)).unwrap()];
        let largest = [60, 300, 1000][usize::try_from(random.below(3)).unwrap()];
        compare(&format!("{{{}}}", random.set(size, largest)), 5000);
    }
    // Values that outgrow 16, 32 and 64 on the way.
    for text in ["{1..20}", "{1..40}", "{1..90}", "{1..9,500..600}", "{33,700..760}", "{4000,1}"] {
        compare(text, 9000);
    }
}

#[test]
fn long_codes_agree_with_the_reference() {
    let mut random = Random(0xd1b5_4a32_d192_ed03);
    for _ in 0..60 {
        let mut code = random.of(&["0.", "4.", "4!."]).to_string();
        for _ in 0..=random.below(40) {
            code += random.of(&["0", "0", "2", "4", "6", "7", "4!", "6="]);
        }
        compare(&code, 1500);
    }
}

#[test]
fn a_second_thread_changes_no_value() {
    // Enough rare heaps, and heaps, for it to be worth a thread.
    for (text, len) in [("0.6", 70_000), ("4!.", 70_000)] {
        let values = |threads: usize| {
            let mut sequence = Sequence::new(game(text));
            sequence.use_threads(threads);
            sequence.extend(len, &mut |_| Ok(())).expect("the values are small");
            sequence.values().to_vec()
        };
        assert!(values(1) == values(2), "{text}");
    }
    // Told to stop while there are two, and taken up again.
    let mut sequence = Sequence::new(game("4!."));
    sequence.use_threads(2);
    let stop = &mut |values: &[u16]| if values.len() > 50_000 { Err(Halt::Stopped) } else { Ok(()) };
    assert_eq!(sequence.extend(70_000, stop), Err(Halt::Stopped));
    let count = sequence.values().len();
    assert!(count > 50_000 && count < 60_000, "{count}");
    sequence.extend(70_000, &mut |_| Ok(())).expect("the values are small");
    let mut whole = Sequence::new(game("4!."));
    whole.extend(70_000, &mut |_| Ok(())).expect("the values are small");
    assert!(whole.values() == sequence.values());
}

/// Start, period, saltus, whether it is proved.
fn period(text: &str, len: usize) -> Option<(usize, usize, usize, bool)> {
    searched(text, len).period().map(|p| (p.start, p.length, p.saltus, p.proof.is_some()))
}

#[test]
fn known_periods_are_proved_and_least() {
    for (text, start, length) in [
        (".77", 71, 12),
        (".07", 53, 34),
        (".137", 52, 34),
        (".4", 54, 34),
        (".16", 105_351, 149_459),
        (".165", 5181, 1550),
        (".127", 46_578, 4),
        (".156", 3479, 349),
        (".644", 3256, 442),
        (".356", 7315, 142),
        (".34", 7, 8),
        (".123", 5, 5),
        ("{2,5}", 0, 7),
        ("{1,2,3}", 0, 4),
        ("{1,4,10}", 16, 11),
        ("{}", 0, 1),
        ("0.", 0, 1),
    ] {
        assert_eq!(period(text, 1_000_000), Some((start, length, 0, true)), "{text}");
    }
    // {a < b}: 2a if b is an odd multiple of a, else a + b.
    // Equal parts, alone and among others: by plain arithmetic outside of this program.
    for (text, start, length) in
        [("4=.3", 3, 2), ("0.6=2", 4, 4), (".15=4", 4, 12), ("0.36=", 8, 4), ("4=.02202", 1, 8), ("0.2=4!4=", 4, 2)]
    {
        assert_eq!(period(text, 1000), Some((start, length, 0, true)), "{text}");
    }
    for (a, b) in (1..20).flat_map(|a| (a + 1..40).map(move |b| (a, b))) {
        let least = if b % a == 0 && b / a % 2 == 1 { 2 * a } else { a + b };
        assert_eq!(period(&format!("{{{a},{b}}}"), 5000).map(|p| (p.1, p.3)), Some((least, true)), "{a} {b}");
    }
    for (text, length, saltus) in
        [("all-but{}", 1, 1), ("all-but{1}", 2, 1), ("all-but{1,2,3}", 4, 1), ("all-but{2,5}", 4, 2)]
    {
        assert_eq!(period(text, 1000).map(|p| (p.1, p.2, p.3)), Some((length, saltus, true)), "{text}");
    }
    assert_eq!(period(".3F", 600).map(|p| (p.1, p.2, p.3)), Some((6, 3, false)));
    assert_eq!(period("lasker", 600).map(|p| (p.1, p.2, p.3)), Some((4, 4, true)));
    assert_eq!(period(".6", 20_000), None);
}

#[test]
fn published_sequences() {
    // The first terms of OEIS A002186 (Kayles), A002187 (Dawson's chess, shifted by one for 0.07), A002188 (Grundy's game);
    // Lasker's Nim by its closed form (Winning Ways, chapter 4); Treblecross by its moves: a cross needs two places beside it.
    for (name, expected) in [
        ("kayles", "0 1 2 3 1 4 3 2 1 4 2 6 4 1 2 7 1 4 3 2 1 4 6 7 4 1 2 8 5 4 7 2 1 8 6 7"),
        ("dawson", "0 1 1 2 0 3 1 1 0 3 3 2 2 4 0 5 2 2 3 3 0 1 1 3 0 2 1 1 0 4 5 2 7 4"),
        ("Dawson's Kayles", "0 0 1 1 2 0 3 1 1 0 3 3 2 2 4 0 5 2 2 3 3 0 1 1 3 0 2 1 1 0 4 5 2 7 4"),
        ("Grundy's game", "0 0 0 1 0 2 1 0 2 1 0 2 1 3 2 1 3 2 4 3 0 4 3 0 4 3 0 4 1 2 3 1 2 4 1 2 4 1 2 4"),
        ("lasker", "0 1 2 4 3 5 6 8 7 9 10 12 11 13 14 16 15"),
        ("treblecross", "0 0 0 1 1 1 2 2 0 3 3 1 1 1 0 4 3 3 3 2 2 2 4"),
    ] {
        let expected: Vec<u16> = expected.split(' ').map(|value| value.parse().unwrap()).collect();
        let mut sequence = Sequence::new(game(name));
        sequence.extend(expected.len(), &mut |_| Ok(())).unwrap();
        assert_eq!(&sequence.values()[..expected.len()], expected, "{name}");
    }
}

#[test]
fn certificates_hold_and_changed_ones_fail() {
    for text in [
        ".77",
        ".07",
        "4.7",
        ".33",
        "{2,5}",
        "{1,4,10}",
        "all-but{2,5}",
        "all-but{}",
        ".7!",
        "{}",
        "lasker",
        "4=.3",
        ".7=",
        ".15=4",
    ] {
        let mut sequence = searched(text, 20_000);
        let good = Certificate::of(&mut sequence, &mut |_| Ok(())).unwrap().unwrap_or_else(|| panic!("{text}"));
        assert_eq!(good.verify(&mut |_| Ok(())), Ok(()), "{text}: {good:?}");
        let mut changed = vec![good.clone(); 7];
        changed[0].period += 1;
        changed[1].period *= 2;
        changed[2].preperiod += 1;
        changed[3].saltus += 1;
        changed[4].values += 1;
        changed[5].fingerprint = good.fingerprint.replace(['0', '1', '2', '3'], "f") + "0";
        changed[6].code = "0.71".into();
        for (which, bad) in changed.iter().enumerate() {
            assert!(matches!(bad.verify(&mut |_| Ok(())), Err(Refusal::Wrong(_))), "{text}, change {which}: {bad:?}");
        }
    }
    assert!(Certificate::of(&mut searched(".6", 3000), &mut |_| Ok(())).unwrap().is_none());
}

struct Place(PathBuf);

impl Place {
    fn new(test: &str) -> Place {
        let folder = std::env::temp_dir().join(format!("grundy-heap-{}-{test}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for the test");
        Place(folder)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
        command.args(args).current_dir(&self.0).env("NO_COLOR", "1");
        command
    }

    /// Exit code, stdout, stderr.
    fn run(&self, args: &[&str]) -> (Option<i32>, String, String) {
        let output = self.command(args).output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    fn json(&self, args: &[&str]) -> Json {
        let (code, out, err) = self.run(args);
        assert_eq!(code, Some(0), "{err}");
        serde_json::from_str(&out).expect("a line of JSON")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_object_of_the_contract() {
    let place = Place::new("json");
    let json = place.json(&["heap", "0.77", "--json", "-n", "1e18", "--values", "5"]);
    let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    let contract = ["code", "values_computed", "period", "preperiod", "last_exception", "saltus", "proved"];
    assert!(contract.iter().all(|key| keys.contains(key)), "{keys:?}");
    assert_eq!((&json["period"], &json["preperiod"], &json["last_exception"]), (&12.into(), &71.into(), &70.into()));
    assert_eq!((&json["proved"], &json["max_value"], &json["saltus"]), (&true.into(), &8.into(), &0.into()));
    // 10^18 leaves 4 when divided by 12.
    assert_eq!((&json["value_at"], &json["values"]), (&1.into(), &serde_json::json!([0, 1, 2, 3, 1])));
    let json = place.json(&["heap", "all-but{2,5}", "--json", "-n", "1000000000000000000"]);
    assert_eq!(json["value_at"], Json::from(500_000_000_000_000_000_u64));
    let json = place.json(&["heap", "0.6", "--json"]);
    assert_eq!(
        (&json["period"], &json["proved"], json["values"].as_array().unwrap().len()),
        (&Json::Null, &false.into(), 100)
    );
    let (code, out, _) = place.run(&["heap", "0.77", "--svg"]);
    assert!(code == Some(0) && out.starts_with("<svg") && out.contains("period 12 from 71"), "{out}");
}

#[test]
fn errors_point_at_their_place() {
    let place = Place::new("errors");
    let mut all = String::new();
    let wrong = [
        "0.7g",
        "77",
        "3.7",
        "0.[3]",
        "0.7.7",
        "!.7",
        "00.7",
        "{2,0}",
        "{2,x}",
        "{2,5",
        "some-but{2}",
        "chess",
        ".",
        "{1,,2}",
        "{5..2}",
    ];
    for text in wrong {
        let (code, out, err) = place.run(&["heap", text]);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{text}");
        all.extend(["$ grundy heap ", text, "\n", &err, "\n"]);
    }
    insta::assert_snapshot!("heap_errors", all);
    let (code, out, err) = place.run(&["heap", "0.6", "--prove", "--time", "100ms"]);
    assert_eq!(code, Some(3), "{out}{err}");
    assert!(out.contains("none proved so far") && err.contains("error[L03]"), "{out}{err}");
}

#[test]
fn a_certificate_file_is_confirmed_or_not() {
    let place = Place::new("verify");
    assert_eq!(place.run(&["heap", "0.77", "--prove=kayles.json"]).0, Some(0));
    let (code, out, _) = place.run(&["verify", "kayles.json"]);
    assert!(code == Some(0) && out.starts_with("CONFIRMED"), "{out}");
    let file = place.0.join("kayles.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"period\": 12", "\"period\": 24")).unwrap();
    let (code, out, _) = place.run(&["verify", "kayles.json"]);
    assert!(code == Some(1) && out.starts_with("WRONG"), "{out}");
    fs::write(&file, "{}").unwrap();
    assert_eq!(place.run(&["verify", "kayles.json"]).0, Some(2));
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let place = Place::new("kill");
    let file = place.0.join("run.state");
    let mut child = place
        .command(&["heap", "0.6", "--prove", "--state", "run.state"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let start = Instant::now();
    while !file.exists() && start.elapsed() < Duration::from_mins(10) {
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().expect("it was still running");
    child.wait().expect("it has ended");
    let bytes = fs::read(&file).expect("a state was kept");
    let kept = grundy_heap::state::decode(&game("0.6"), &bytes).expect("the state is whole");
    assert!(kept.len() > 2000, "only {} values were kept", kept.len());
    assert_eq!(kept[..2000], naive("0.6", 2000));
    let more = (kept.len() + 1000).to_string();
    let json = place.json(&["heap", "0.6", "--state", "run.state", "-n", &more, "--json"]);
    let mut fresh = Sequence::new(game("0.6"));
    fresh.extend(kept.len() + 1001, &mut |_| Ok(())).unwrap();
    assert_eq!(json["value_at"].as_u64(), fresh.value(kept.len() as u64 + 1000));
    assert_eq!(kept, fresh.values()[..kept.len()]);
    let (code, _, err) = place.run(&["heap", "0.77", "--state", "run.state"]);
    assert!(code == Some(2) && err.contains("it belongs to the game `0.6`"), "{err}");
}

#[test]
fn a_state_comes_back_whole_or_not_at_all() {
    let (kayles, dawson) = (Game::parse("0.77").unwrap(), Game::parse("0.137").unwrap());
    let bytes = encode(&kayles, &[0, 1, 300, 10]);
    assert_eq!(decode(&kayles, &bytes), Ok(vec![0, 1, 300, 10]));
    assert!(decode(&dawson, &bytes).unwrap_err().contains("0.77"));
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(decode(&kayles, &damaged).is_err(), "byte {at}");
        assert!(decode(&kayles, &bytes[..at]).is_err(), "up to byte {at}");
    }
}

#[test]
fn least_periods_of_words() {
    let period = |word: &str| least_period(word.as_bytes(), |a, b| a == b);
    assert_eq!((period("abcabcab"), period("aaaa"), period("abcd"), period("aabaab"), period("")), (3, 1, 4, 3, 0));
}
