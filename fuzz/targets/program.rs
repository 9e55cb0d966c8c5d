//! Tree to program: any text is a program or errors, which can be told.
#![no_main]

use grundy::source::{SourceId, Sources};
use grundy::source::diagnostic::{Diagnostic, render};
use grundy::syntax::parse_file;
use grundy::typing::{Loader, check};
use libfuzzer_sys::fuzz_target;

struct Nothing;

impl Loader for Nothing {
    fn load(&mut self, _: &str, _: SourceId, _: &mut Sources) -> Option<Result<SourceId, Diagnostic>> {
        None
    }
}

fuzz_target!(|text: &str| {
    let mut sources = Sources::default();
    let id = sources.add("f.game", text);
    let tree = parse_file(&sources, id);
    let checked = tree.and_then(|tree| check(&tree, id, &mut sources, &mut Nothing));
    if let Err(errors) = checked {
        assert!(!errors.is_empty());
        let _ = render(&errors, &sources, false);
    }
});
