//! JSON and data files: any bytes are a value or an error; a value that is written is read again.
#![no_main]

use grundy::input::datafile::{graph, grid};
use grundy::input::json::{from_json, to_json};
use grundy::model::GraphWord;
use grundy::model::kind::Kind;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, rest)) = bytes.split_first() else { return };
    let words = [GraphWord::Graph, GraphWord::Digraph, GraphWord::Multigraph];
    let word = words[usize::from(which) % 3];
    match which % 8 {
        0 => drop(grid(&mut &*rest)),
        1 => drop(graph(&mut &*rest, "f.txt", word, None)),
        2 => drop(graph(&mut &*rest, "f.g6", word, Some(1))),
        3 => drop(graph(&mut &*rest, "f.col", word, None)),
        _ => {
            let kinds = [
                Kind::Nat,
                Kind::Text,
                Kind::Real,
                Kind::List(Box::new(Kind::Int), 0),
                Kind::Set(Box::new(Kind::Tuple(vec![Kind::Int, Kind::Text]))),
                Kind::Bag(Box::new(Kind::Nat)),
                Kind::Graph(word, 0),
                Kind::Grid,
                Kind::NatGrid,
            ];
            let kind = &kinds[usize::from(which / 8) % kinds.len()];
            let Ok(json) = std::str::from_utf8(rest) else { return };
            let Ok(value) = from_json(json, kind, "x") else { return };
            let written = to_json(&value).to_string();
            let again = from_json(&written, kind, "x").expect("what was written is read");
            assert_eq!(to_json(&again).to_string(), written);
        }
    }
});
