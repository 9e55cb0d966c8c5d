//! Files whose statements are proved or refuted: those of the page on proofs, of the library, and of the books.

use std::fs;

/// Games of the books.
pub(crate) const GAMES: &str = "
game Bash[m](n) { move take k in 1..min(n, m) -> Bash(n - k) }
misere game Mis[m](n) { move take k in 1..min(n, m) -> Mis(n - k) }
game Nim(heaps: list of nat) { move take i in indices(heaps), k in 1..heaps[i] -> Nim(heaps[i -= k]) }
misere game MisNim(heaps: list of nat) { move take i in indices(heaps), k in 1..heaps[i] -> MisNim(heaps[i -= k]) }
game Lasker(n) {
  move take k in 1..n -> Lasker(n - k)
  move split a in 1..n div 2 -> Lasker(a) + Lasker(n - a)
}
game Wythoff(a, b) {
  move left k in 1..a -> Wythoff(a - k, b)
  move right k in 1..b -> Wythoff(a, b - k)
  move both k in 1..min(a, b) -> Wythoff(a - k, b - k)
}
game Stairs(steps: list of nat) {
  move down i in indices(steps), k in 1..steps[i] ->
    Stairs(if i == 0 then steps[0 -= k] else steps[i -= k, i - 1 += k])
}
game Moore[k](heaps: list of nat) {
  move reduce next in choices(0..h for h in heaps)
      where count(next[i] != heaps[i] for i in indices(heaps)) in 1..k -> Moore(next)
}
game Fibonacci(n, cap: nat) { move take k in 1..min(n, cap) -> Fibonacci(n - k, 2 * k) }
game Start(n) { move go where n > 0 -> Rest(n - 1, 2) }
game Rest(n, m) { move take k in 1..min(n, m) -> Rest(n - k, m) }
";

/// What is true of them.
pub(crate) const TRUE: &str = "
claim \"nim 2\" for a, b in nat: grundy(Nim([a, b])) == a xor b
claim \"nim 3\" for a, b, c in nat: grundy(Nim([a, b, c])) == a xor b xor c
claim \"nim 4\" for a, b, c, d in nat: grundy(Nim([a, b, c, d])) == a xor b xor c xor d
claim \"misere nim\" for a, b in nat: loses(MisNim([a, b])) iff (if max(a, b) <= 1 then a xor b == 1 else a == b)
claim \"lasker\" for n in nat:
  grundy(Lasker(n)) == (if n mod 4 == 3 then n + 1 else if n > 0 and n mod 4 == 0 then n - 1 else n)
claim \"bash\" for m in 0..50, n in nat: grundy(Bash[m](n)) == n mod (m + 1)
claim \"misere bash\" for m in 1..50, n in nat: loses(Mis[m](n)) iff n mod (m + 1) == 1
claim \"wythoff\" for a, b in nat: loses(Wythoff(a, b)) iff min(a, b) == floor(abs(a - b) * (1 + sqrt(5)) / 2)
claim \"stairs\" for a, b, c, d, e in nat: grundy(Stairs([a, b, c, d, e])) == a xor c xor e
claim \"moore\" for a, b, c in nat:
  loses(Moore[2]([a, b, c])) iff all(count(bit(h, i) for h in [a, b, c]) mod 3 == 0 for i in 0..bits(a + b + c))
claim \"fibonacci\" for n, cap in nat: loses(Fibonacci(n, cap)) iff all(cap < part for part in zeckendorf(n))
claim \"two phases\" for n in nat: loses(Rest(n, 2)) iff n mod 3 == 0
claim \"squares of pairs\" for a in nat: loses(Nim([a, a]))
claim \"the next pair\" for k in nat: loses(Wythoff(floor(k * (1 + sqrt(5)) / 2), k + floor(k * (1 + sqrt(5)) / 2)))
";

/// What is false.
pub(crate) const FALSE: &str = "
claim \"inversion\" for n in nat: loses(Mis[4](n)) iff n mod 5 != 0
claim \"zero\" for n in nat: grundy(Lasker(n)) == (if n mod 4 == 3 then n + 1 else if n mod 4 == 0 then n - 1 else n)
claim \"from 5000 on\" for n in nat: grundy(Bash[3](n)) == (if n < 5000 then n mod 4 else (n + 1) mod 4)
claim \"from a million on\" for n in nat: grundy(Bash[3](n)) == (if n < 1000000 then n mod 4 else (n + 1) mod 4)
claim \"sum\" for a, b in nat: grundy(Nim([a, b])) == a + b
claim \"wythoff as nim\" for a, b in nat: loses(Wythoff(a, b)) iff a == b
claim \"every place\" for a in nat: wins(Moore[1]([a])) iff all(bit(a, i) for i in 0..bits(a) - 1)
";

/// All files, with names.
#[allow(dead_code)] // not every test asks for all
pub(crate) fn texts() -> Vec<(String, String)> {
    let mut all =
        vec![("books".to_string(), format!("{GAMES}{TRUE}")), ("false".to_string(), format!("{GAMES}{FALSE}"))];
    let page = fs::read_to_string("docs/proving.md").expect("the page is in the tree");
    for block in page.split("\n```game").skip(1) {
        let (info, rest) = block.split_once('\n').expect("an opening fence");
        let (text, _) = rest.split_once("\n```").expect("a closing fence");
        all.push((format!("docs/proving.md {info}"), format!("{text}\n")));
    }
    let mut files: Vec<_> = fs::read_dir("games")
        .expect("the library is in the tree")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    for path in files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "game")) {
        all.push((path.display().to_string(), fs::read_to_string(&path).expect("a text")));
    }
    all
}
