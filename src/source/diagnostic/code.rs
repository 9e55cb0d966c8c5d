//! The codes of all errors, what each means, and the class that decides how a command ends.

use std::fmt;

/// What an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The text of a file does not fit the grammar.
    Syntax,
    /// A file that fits the grammar says something that has no meaning.
    Meaning,
    /// The rules of a file ask for something undefined while they run.
    Running,
    /// What a command was given beside the file does not fit.
    Data,
    /// A limit ended the work before an answer.
    Limits,
    /// A defect of this program.
    Internal,
}

/// Makes the enum of codes and its tables from one list of classes, codes and meanings.
macro_rules! codes {
    ($($class:ident { $($code:ident $meaning:literal)* })*) => {
        /// The code of an error, as `error[E03]` shows it. `docs/language.md` lists all of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
        pub enum Code {
            $($(#[doc = $meaning] $code,)*)*
        }

        impl Code {
            /// All codes in the order of their list.
            pub const ALL: &[Code] = &[$($(Code::$code,)*)*];

            /// The code as it is written.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($(Code::$code => stringify!($code),)*)*
                }
            }

            /// What errors of this code are about.
            pub fn class(self) -> Class {
                match self {
                    $($(Code::$code)|* => Class::$class,)*
                }
            }

            /// What errors of this code mean, in one line.
            pub fn meaning(self) -> &'static str {
                match self {
                    $($(Code::$code => $meaning,)*)*
                }
            }
        }
    };
}

codes! {
    Syntax {
        S01 "what stands here does not fit the grammar"
        S02 "the file is not UTF-8"
    }
    Meaning {
        E01 "an unknown name; the nearest one is proposed"
        E02 "a name given twice, or hiding a local name"
        E03 "a wrong type"
        E04 "not a value, or not a function"
        E05 "arguments that do not fit: too many, missing, or named wrongly"
        E06 "rule parameters are missing"
        E07 "a reserved word, or a capital letter, in a name"
        E08 "`=` where `==` is meant"
        E09 "a move without a name"
        E10 "an input read inside a game, definition or claim"
        E11 "normal and misere play mixed"
        E12 "a game whose rules ask about itself"
        E13 "a definition that calls itself and does not state the type of its result"
        E14 "a chain such as `a < b > c`, `a iff b iff c` or `a..b..c`"
        E15 "a real where an int is needed: use `div`, `floor` or `ceil`"
        E16 "values defined in circles"
        E17 "a used file that is not found, or names of used files that clash"
        E18 "nesting of more than 200 levels"
        E19 "a name used before the clause that binds it"
        E20 "a Grundy value or remoteness where it is not defined; the message says why"
        E21 "a score where it is not defined"
        E22 "a compound where it cannot stand, or of games that it does not admit"
        E23 "`a..b - s` with a set s: put brackets round the range"
    }
    Running {
        R01 "a value outside its domain: a negative `nat`, a false header `where`"
        R02 "an index outside; the least, greatest, first or last of nothing"
        R03 "`div` or `mod` by zero or less, division by zero, a negative exponent"
        R04 "not a vertex or edge of the graph"
        R05 "a definition or `same as` that does not end"
        R06 "a number too big for an index, range or enumeration"
        R07 "a member taken out of a bag that does not hold it"
        R08 "verdicts that contradict each other in one sum at the start"
    }
    Data {
        D01 "an input without a value"
        D02 "JSON of the wrong shape or type; a wrong code or set of `grundy heap`"
        D03 "a file that cannot be read, or a data file that does not fit; the line is named"
        D04 "a repeated member of a set"
        D05 "an input that the file does not have; the nearest is proposed"
        D06 "a command without a question: no `solve` or `table` line"
    }
    Limits {
        L01 "the limit of positions, `--max-positions`"
        L02 "the limit of memory, `--memory`"
        L03 "the limit of time, `--time`, or an interruption"
        L04 "the positions seem to have no end; the field that grows is named"
    }
    Internal {
        X01 "a defect of this program: please report the file"
    }
}

impl Code {
    /// Whether a limit ended the work: such an error says nothing of the file.
    pub fn is_limit(self) -> bool {
        self.class() == Class::Limits
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Compares with a code as a user sees it.
impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

#[cfg(test)]
mod tests {
    use crate::source::diagnostic::code::Code;
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
