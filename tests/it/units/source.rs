//! Errors as they are shown, and the list of their codes.

mod diagnostic {
    mod code {
        use grundy::source::diagnostic::Code;
        use std::fmt::Write;
        use std::{fs, path::Path};

        /// The tables of the document, written anew from the list of codes, stand in it.
        #[test]
        fn the_document_lists_the_codes() {
            let mut tables: Vec<String> = Vec::new();
            let mut last = None;
            for code in Code::ALL {
                if last.replace(code.class()) != Some(code.class()) {
                    tables.push(format!("### {:?}\n\n| code | means |\n|---|---|\n", code.class()));
                }
                writeln!(tables.last_mut().unwrap(), "| `{code}` | {} |", code.meaning()).unwrap();
            }
            let document = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/language.md")).unwrap();
            for table in tables {
                assert!(document.contains(&format!("\n{table}\n")), "docs/language.md is to hold\n{table}");
            }
        }
    }

    mod render {
        use grundy::source::diagnostic::render;
        use grundy::source::diagnostic::{Code, Diagnostic};
        use grundy::source::text::{SourceId, Sources, Span};

        fn one(text: &str, start: u32, end: u32) -> String {
            let mut sources = Sources::default();
            let source: SourceId = sources.add("f.game", text);
            let error =
                Diagnostic::new(Code::E01, Span { source, start, end }, "`x` is unknown").label("here").hint("try `y`");
            render(&[error], &sources, false)
        }

        #[test]
        fn without_a_place() {
            let errors = [
                Diagnostic::bare(Code::D01, "no value for `n`").hint("give `n=3`"),
                Diagnostic::bare(Code::L03, "too slow"),
            ];
            let told = render(&errors, &Sources::default(), false);
            assert_eq!(told, "error[D01]: no value for `n`\n |\n = help: give `n=3`\n\nerror[L03]: too slow\n");
        }

        #[test]
        fn far_down_and_far_right() {
            let text = "# comment\n".repeat(1_000_000) + &"a ".repeat(500_000) + "x" + &" b".repeat(500_000);
            let start = u32::try_from(text.find('x').unwrap()).unwrap();
            let told = one(&text, start, start + 1);
            assert!(told.contains("f.game:1000001:1000001"), "{told}");
            assert!(told.contains("a x b") && told.contains("^ here"), "{told}");
            assert!(told.len() < 2_000, "{told}");
        }

        #[test]
        fn tabs_wide_characters_and_ends() {
            assert!(one("\tlet é = x", 10, 11).contains("          ^ here"), "{}", one("\tlet é = x", 10, 11));
            for (start, end) in [(0, 0), (0, 4), (3, 3), (3, 4), (4, 4), (9, 99)] {
                assert!(one("é\nab", start, end).contains("try `y`"));
            }
            assert!(one("", 0, 0).contains("f.game:1:1"));
        }
    }
}
