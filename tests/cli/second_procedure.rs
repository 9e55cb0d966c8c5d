//! `prove --mona` where the program `mona` is missing, or lies.

use std::process::Command;

fn grundy(args: &[&str], path: &str) -> (String, Option<i32>) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_grundy")).args(args).env("PATH", path).output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (text(output.stdout) + &text(output.stderr), output.status.code())
}

#[test]
fn without_mona_the_option_is_refused() {
    let (text, code) = grundy(&["prove", "--mona", "games/nim.game"], "/nowhere");
    assert!(text.contains("error[D03]") && text.contains("apt-get install mona"), "{text}");
    assert_eq!(code, Some(2));
}

/// A program that always says the opposite is told from one that works.
#[cfg(unix)]
#[test]
fn a_contradiction_is_loud() {
    use std::os::unix::fs::PermissionsExt;
    let folder = std::env::temp_dir().join(format!("grundy-mona-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let program = folder.join("mona");
    let file = folder.join("nim.game");
    std::fs::write(
        &file,
        "game Nim(n) { move take k in 1..n -> Nim(n - k) }\nclaim \"n\" for n in nat: grundy(Nim(n)) == n\n",
    )
    .expect("a game");
    let run = |script: &str| {
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("a program");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("it may run");
        grundy(&["prove", "--mona", &file.display().to_string()], &format!("{}:/usr/bin:/bin", folder.display()))
    };
    let (text, code) =
        run("printf 'A satisfying example of least length (0) is:\\nv0 = {}\\nv1 = {}\\nv2 = {}\\nv3 = {}\\n'");
    assert!(text.contains("error[D07]") && !text.contains("PROVED"), "{text}");
    assert_eq!(code, Some(2));
    let (text, code) = run("echo rubbish");
    assert!(text.contains("PROVED") && text.contains("not decided (mona printed `rubbish`)"), "{text}");
    assert_eq!(code, Some(0));
    let _ = std::fs::remove_dir_all(&folder);
}
