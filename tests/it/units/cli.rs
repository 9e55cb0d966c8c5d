//! The command line.

#[test]
fn the_command_line_is_consistent() {
    grundy::cli::command().debug_assert();
}

#[test]
fn help_begins_with_what_a_command_does() {
    let mut cli = grundy::cli::command();
    cli.build();
    for command in cli.get_subcommands_mut().filter(|command| command.get_name() != "help") {
        let about = command.get_about().unwrap().to_string();
        for help in [command.render_help(), command.render_long_help()] {
            let help = help.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(about.len() > 20 && help.starts_with(&about), "{}: {help}", command.get_name());
        }
    }
}

mod args {
    use grundy::cli::args::{count, memory, time};
    use std::time::Duration;

    #[test]
    fn times_have_units() {
        assert_eq!(time("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("2m"), Ok(Duration::from_mins(2)));
        assert_eq!(time("0.5"), Ok(Duration::from_millis(500)));
        assert!(time("-1").is_err() && time("soon").is_err() && time("1d").is_err() && time("1e300s").is_err());
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(memory("2G"), Ok(2 << 30));
        assert_eq!(memory("500MiB"), Ok(500 << 20));
        assert_eq!(memory("4096"), Ok(4096));
        assert!(memory("much").is_err() && memory("-1G").is_err());
    }

    #[test]
    fn counts_may_be_grouped() {
        assert_eq!(count("1_000_000"), Ok(1_000_000));
        assert_eq!(count("1e6"), Ok(1_000_000));
        assert!(count("1.5").is_err() && count("-3").is_err() && count("x").is_err());
    }
}

mod load {
    use grundy::cli::load::find;

    #[test]
    fn a_library_file_is_found_by_its_name() {
        let (name, text) = find("nim").expect("the library has nim");
        assert!(name.ends_with("nim") && text.contains("game Nim"));
        assert!(find("no such game").is_none());
    }
}
