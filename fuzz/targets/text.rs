//! Text to tree: any bytes are a tree or errors; what is laid out is understood, and laid out is the same again.
#![no_main]

use grundy::source::Sources;
use grundy::syntax::{decode, format, parse_file};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = decode(bytes.to_vec(), "f.game") else { return };
    let mut sources = Sources::default();
    let id = sources.add("f.game", text);
    if parse_file(&sources, id).is_err() {
        return;
    }
    let laid = format(&sources, id).expect("what was parsed is laid out");
    let again = sources.add("g.game", laid.as_str());
    parse_file(&sources, again).expect("what was laid out is parsed");
    assert_eq!(format(&sources, again).expect("it is laid out"), laid);
});
