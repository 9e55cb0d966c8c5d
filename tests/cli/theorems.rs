//! The theorems of the literature in `games/theorems/`, each in four wordings, and the lemmas that are found on the way.

use crate::program::{run, stdout};
use crate::{LONG, rounds};
use serde_json::Value as Json;
use std::fs;
use std::path::Path;
use std::process::Command;

fn grundy(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program starts");
    (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
}

fn lines(text: &str) -> Vec<Json> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Each theorem is proved in each of its four wordings, and search denies none. In the usual run a quarter of them.
#[test]
fn theorems_of_the_literature_are_proved_in_all_wordings() {
    let mut files: Vec<_> =
        fs::read_dir("games/theorems").expect("the folder").map(|file| file.expect("a file").path()).collect();
    files.sort();
    assert!(files.len() >= 64, "{files:?}");
    let mut all = 0;
    for path in files.iter().step_by(rounds(4, 1)) {
        let path = path.display().to_string();
        for (command, verdict) in [("prove", "PROVED"), ("check", "VERIFIED")] {
            let (code, text) = grundy(&[command, &path, "--json"]);
            let found = lines(&text);
            assert_eq!(code, Some(0), "{text}");
            assert!(found.len() >= 4 && found.iter().all(|finding| finding["verdict"] == verdict), "{text}");
            all += found.len();
        }
    }
    assert!(all >= rounds(120, 500), "{all}");
}

/// Each file says in its head what the theorem is, and whose.
#[test]
fn each_theorem_has_its_source() {
    for file in fs::read_dir("games/theorems").expect("the folder") {
        let path = file.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a text");
        let head: Vec<&str> = text.lines().take_while(|line| line.starts_with("# ")).collect();
        let year = |line: &&str| line.split(|c: char| !c.is_ascii_digit()).any(|number| number.len() == 4);
        assert!(head.len() >= 2 && head.iter().any(year), "{}", path.display());
    }
}

const PASS: &str = "game Count(n, passes) where passes <= 1 {
  move take k in 1..n -> Count(n - k, passes)
  move pass where passes == 1 and n != 0 -> Count(n, 0)
}
game Nim(heaps: list of nat) { move take i in indices(heaps), k in 1..heaps[i] -> Nim(heaps[i -= k]) }
game Wythoff(a, b) {
  move left k in 1..a -> Wythoff(a - k, b)
  move right k in 1..b -> Wythoff(a, b - k)
  move both k in 1..min(a, b) -> Wythoff(a - k, b - k)
}
game Bar(a, b) where a > 0 and b > 0 {
  move across k in 1..a - 1 -> Bar(k, b) + Bar(a - k, b)
  move along k in 1..b - 1 -> Bar(a, k) + Bar(a, b - k)
}
game Antonim(coins: set of nat) where 0 not in coins and size(coins) <= 2 {
  move left c in coins, to in 1..c - 1 where to not in coins -> Antonim(coins - {c} + {to})
  move away c in coins -> Antonim(coins - {c})
}
claim \"pass\" for n in nat: grundy(Count(n, 1)) == (if n == 0 then 0 else n + 2 * (n mod 2) - 1)
claim \"sum\" for a, b in nat: loses(Nim([a]) + Nim([b])) iff a == b
claim \"third row\" for n in nat: wins(Wythoff(n + 3, 1))
claim \"diagonal\" for n in nat: loses(Wythoff(n, n)) iff n == 0
claim \"bars\" for a, b in nat where a > 0 and b > 0: loses(Bar(a, b)) iff a mod 2 == 1 and b mod 2 == 1
claim \"antonim\" for a, b in nat where 0 < a < b: loses(Antonim({a, b})) iff b == a + 1 and b mod 2 == 0
claim \"false by far\" for n in nat: loses(Wythoff(n, n)) iff n == 0 or n == 100000
";

/// What a proof needs and the file does not say is guessed and proved; as lines of the file it is proved by itself, and then nothing
/// is guessed.
#[test]
fn lemmas_are_found_and_stand_by_themselves() {
    // In the usual run without the two that take longest.
    let fits = |line: &&str| LONG || !line.starts_with("claim \"third row") && !line.starts_with("claim \"antonim");
    let text = PASS.lines().filter(fits).collect::<Vec<_>>().join("\n") + "\n";
    let true_ones = rounds(4, 6);
    let folder = std::env::temp_dir().join(format!("grundy-lemmas-{}", std::process::id()));
    let output = run(&text, &["prove", "--json", "--certificates", &folder.display().to_string()]);
    assert_eq!(output.status.code(), Some(1));
    certificates_are_confirmed(&folder, true_ones);
    let found = lines(&String::from_utf8(output.stdout).expect("UTF-8"));
    let told: Vec<&str> = found.iter().filter_map(|finding| finding["verdict"].as_str()).collect();
    assert_eq!(told, [vec!["PROVED"; true_ones], vec!["REFUTED"]].concat(), "{found:#?}");
    assert_eq!(found[true_ones]["counterexample"]["n"], 100_000);
    let lemmas = |finding: &Json| -> Vec<String> {
        let lines = finding["lemmas"].as_array().map(Vec::as_slice).unwrap_or_default();
        lines.iter().map(|line| line.as_str().expect("a line").to_string()).collect()
    };
    let mut all: Vec<String> = found.iter().flat_map(lemmas).collect();
    all.sort();
    all.dedup();
    assert!(all.len() >= true_ones, "{all:?}");
    let more = "claim \"fourth row\" for n in nat: grundy(Nim([n, 1])) == n xor 1\n";
    let again = lines(&stdout(&format!("{text}{}\n{more}", all.join("\n")), &["prove", "--json"]));
    assert_eq!(again.len(), found.len() + all.len() + 1);
    for finding in &again {
        let title = finding["title"].as_str().expect("a title");
        assert_eq!(finding["verdict"], if title == "false by far" { "REFUTED" } else { "PROVED" }, "{title}");
        // The one that is new has lemmas of its own, numbered behind those.
        assert!(title == "fourth row" || lemmas(finding).is_empty(), "{title}");
        assert!(lemmas(finding).iter().all(|line| !all.contains(line)), "{title}");
    }
}

/// Certificates of what rests on lemmas, and of the lemmas, are confirmed.
fn certificates_are_confirmed(folder: &Path, least: usize) {
    let files: Vec<_> = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    let of_lemmas = files.iter().filter(|file| file.display().to_string().contains("-lemma-")).count();
    assert!(of_lemmas >= least && files.len() >= of_lemmas + least, "{files:?}");
    // Each by itself in the usual run: some of them.
    let some = files.iter().step_by(rounds(5, files.len())).map(|file| file.display().to_string());
    for what in some.chain((LONG).then(|| folder.display().to_string())) {
        let (code, text) = grundy(&["verify", &what]);
        assert_eq!(code, Some(0), "{what}: {text}");
    }
    fs::remove_dir_all(folder).expect("it is there");
}
