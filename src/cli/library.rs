//! The library: game files that are part of the program.

/// Names (`nim`, `folklore/moore`) and texts, by name.
static LIBRARY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// The library file called `name`: by its whole name, or by its last part when only one file ends so.
pub(crate) fn find(name: &str) -> Option<(&'static str, &'static str)> {
    let name = name.strip_suffix(".game").unwrap_or(name);
    if let Some(exact) = LIBRARY.iter().find(|(known, _)| *known == name) {
        return Some(*exact);
    }
    let mut ending = LIBRARY.iter().filter(|(known, _)| known.rsplit('/').next() == Some(name));
    let first = ending.next()?;
    ending.next().is_none().then_some(*first)
}

#[cfg(test)]
mod tests {
    use crate::cli::library::find;

    #[test]
    fn a_library_file_is_found_by_its_name() {
        let (name, text) = find("nim").expect("the library has nim");
        assert!(name.ends_with("nim") && text.contains("game Nim"));
        assert!(find("no such game").is_none());
    }
}
