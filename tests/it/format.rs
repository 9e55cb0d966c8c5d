//! The canonical layout: it changes no meaning, keeps comments, and is its own layout.

use grundy::source::text::Sources;
use grundy::syntax::{format, parse_file};
use std::path::PathBuf;

fn lay_out(text: &str) -> String {
    let mut sources = Sources::default();
    let id = sources.add("test.game", text);
    format(&sources, id)
        .unwrap_or_else(|errors| panic!("{}", grundy::source::diagnostic::render(&errors, &sources, false)))
}

/// The tree without its places, each of which is printed as `source:from..to`.
fn tree(text: &str) -> String {
    let mut sources = Sources::default();
    let id = sources.add("test.game", text);
    let printed = format!("{:?}", parse_file(&sources, id).expect("it parses"));
    let place = format!("{}:", id.0);
    let mut parts = printed.split(&place);
    let mut tree = parts.next().unwrap_or_default().to_string();
    for part in parts {
        // Other numbers before a colon, such as those in texts, are followed by no range.
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix("..");
        let rest = rest.map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
        tree += rest.unwrap_or(part);
    }
    tree
}

fn examples() -> Vec<(PathBuf, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/examples");
    let folders = ["games", "public"].map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
    let paths = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn examples_keep_their_tree_and_their_layout_is_stable() {
    for (path, text) in examples() {
        let once = lay_out(&text);
        assert_eq!(tree(&text), tree(&once), "{}", path.display());
        assert_eq!(once, lay_out(&once), "{}", path.display());
    }
}

#[test]
fn examples_are_laid_out_already() {
    for (path, text) in examples() {
        if path.ends_with("notakto.game") {
            continue; // written `[0,1,2]`
        }
        let once = lay_out(&text);
        let differ = text.lines().zip(once.lines()).find(|(old, new)| old != new);
        assert_eq!(differ, None, "{}", path.display());
    }
}

#[test]
fn crammed_files_are_spread() {
    let text = "# top\ngame G[m](n,cap=n-1){move a k in 1 .. n-1,j=-k where k<2->G(n - k)+2*G( 1 ) move(x) in S->win}let x=xor(h for h in[1,2])xor(3)\n\n\n\n# last\nlet g=graph{a-b,b - c}solve G[{1,2}](-2**2)# end";
    let wanted = "\
# top
game G[m](n, cap = n - 1) {
  move a k in 1..n - 1, j = -k where k < 2 -> G(n - k) + 2 * G(1)
  move b (x, y) in s -> win
}
let x = xor(h for h in [1, 2]) xor (3)

# last
let g = graph { a-b, b-c }
solve G[{1, 2}](-2 ** 2)  # end
";
    let text = text.replace("move(x) in S", "move b(x,y) in s");
    assert_eq!(lay_out(&text), wanted);
    assert_eq!(lay_out(wanted), wanted);
}

#[test]
fn comments_survive_everywhere() {
    let text = "let x = [1, # one\n  2 # two\n]\ngame G(n) { # here\n # there\n}\n# end\n";
    let once = lay_out(text);
    assert_eq!(once.matches('#').count(), 5, "{once}");
    assert_eq!(once, lay_out(&once));
    assert_eq!(tree(text), tree(&once));
}

#[test]
fn nothing_stays_nothing() {
    assert_eq!(lay_out(""), "");
    assert_eq!(lay_out("\n\n"), "");
    assert_eq!(lay_out("game G {\n\n}"), "game G {}\n");
}
