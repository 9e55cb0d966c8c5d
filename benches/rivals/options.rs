//! The options of the bench.

use crate::cases::Case;

const HELP: &str = "cargo bench --bench rivals -- [OPTIONS] [NAME..]

  NAME..            only cases whose name contains one of these
  --runs K          runs of every program, of which the best counts (default: as the case says, mostly 3)
  --limit SECONDS   the time the tool gets for a case (default 300)
  --big             also the cases that take many gigabytes
  --tool PATH       another binary instead of the one just built
  --list            the names of the cases";

/// What is asked of the bench.
pub(crate) struct Options {
    names: Vec<String>,
    runs: Option<usize>,
    limit: u32,
    big: bool,
    tool: String,
}

impl Options {
    /// Reads the arguments; the message is to be shown, and nothing run.
    pub(crate) fn read(arguments: Vec<String>) -> Result<Options, String> {
        let mut options = Options { names: Vec::new(), runs: None, limit: 300, big: false, tool: String::new() };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("`{argument}` needs a value\n\n{HELP}"));
            match argument.as_str() {
                "--bench" => {}
                "--big" => options.big = true,
                "--list" => {
                    let names: Vec<&str> = crate::cases::ALL.iter().map(|case| case.name).collect();
                    return Err(names.join("\n"));
                }
                "--runs" => options.runs = Some(number(&value()?)?.max(1) as usize),
                "--limit" => options.limit = number(&value()?)?,
                "--tool" => {
                    let path = std::fs::canonicalize(value()?).map_err(|error| format!("--tool: {error}"))?;
                    options.tool = path.to_string_lossy().into_owned();
                }
                name if !name.starts_with('-') => options.names.push(name.to_string()),
                _ => return Err(HELP.to_string()),
            }
        }
        if options.tool.is_empty() {
            options.tool = crate::program::grundy()?.to_string_lossy().into_owned();
        }
        Ok(options)
    }

    /// Is this case to be run?
    pub(crate) fn wants(&self, case: &Case) -> bool {
        (self.big || !case.big) && (self.names.is_empty() || self.names.iter().any(|name| case.name.contains(name)))
    }

    /// How often every program of a case is run.
    pub(crate) fn runs(&self, case: &Case) -> usize {
        self.runs.unwrap_or(case.runs)
    }

    /// The command of the tool for a case.
    pub(crate) fn tool(&self, case: &Case) -> Vec<String> {
        let mut command = vec![self.tool.clone()];
        command.extend(case.command.iter().map(ToString::to_string));
        // What `run` prints is what the file says.
        if case.command[0] != "run" {
            command.push("--json".into());
        }
        command.extend(["--quiet", "--time"].map(String::from));
        command.push(format!("{}s", self.limit));
        if !case.command.contains(&"--threads") {
            // As the rivals.
            command.extend(["--threads", "1"].map(String::from));
        }
        command
    }
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("`{text}` is no number\n\n{HELP}"))
}
