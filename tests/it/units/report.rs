//! How answers are written.

use grundy::report::page::{Choice, Frame, Link, Tone, View};
use grundy::report::{counted, duration, grouped};
use std::time::Duration;

#[test]
fn numbers_are_grouped() {
    assert_eq!(grouped(0), "0");
    assert_eq!(grouped(999), "999");
    assert_eq!(grouped(1000), "1,000");
    assert_eq!(grouped(1_234_567), "1,234,567");
    assert_eq!(counted(1, "move"), "1 move");
    assert_eq!(counted(2000, "move"), "2,000 moves");
}

#[test]
fn times_are_readable() {
    assert_eq!(duration(Duration::from_micros(800)), "0.8 ms");
    assert_eq!(duration(Duration::from_millis(1250)), "1.25 s");
    assert_eq!(duration(Duration::from_secs(200)), "3 min 20 s");
}

mod paint {
    use grundy::report::paint::{left, right};

    #[test]
    fn of_any_width() {
        assert_eq!((left("äb", 4).as_str(), right("äb", 4).as_str(), left("abc", 2).as_str()), ("äb  ", "  äb", "abc"));
        let wide = 70_000;
        assert_eq!(left("a", wide).trim_end(), "a");
        assert_eq!(right("a", wide).len(), wide);
    }
}

mod rules {
    use grundy::report::rules::instruction;

    #[test]
    fn instructions_are_short() {
        assert_eq!(instruction("Stop"), "Stop");
        assert_eq!(instruction("Jump(7)"), "Jump           7");
        assert_eq!(instruction("Add { d: 3, a: 1, b: 2 }"), "Add            d=3 a=1 b=2");
    }
}

mod table {
    use grundy::report::table::record;
    use std::fmt::Display;

    #[test]
    fn fields_are_quoted_where_they_must() {
        let mut text = String::new();
        let fields: [&dyn Display; 5] = [&12, &"(1, 2)", &"a \"b\"", &"two\nlines", &""];
        record(&mut text, fields.into_iter());
        assert_eq!(text, "12,\"(1, 2)\",\"a \"\"b\"\"\",\"two\nlines\",\r\n");
    }
}

#[test]
fn nothing_that_is_told_can_end_a_tag() {
    let evil = "\"><script>alert(1)</script>&amp;'\u{7}";
    let frame = Frame { file: evil.into(), version: evil.into(), entered: evil.into() };
    let to = || Link { text: evil.into(), to: evil.into() };
    let choice = Choice { number: 1, link: to(), to: evil.into(), worth: Some((Tone::Wins, evil.into())), best: true };
    let view = View {
        title: evil.into(),
        trail: vec![to(), to(), to()],
        verdict: Some((Tone::Loses, evil.into())),
        facts: vec![(evil.into(), evil.into())],
        parts: vec![(to(), evil.into())],
        moves: vec![choice],
        moves_note: Some(evil.into()),
        more: vec![to()],
        wait: Some(evil.into()),
        svg: String::new(),
    };
    for page in [frame.position(&view), frame.message(evil, evil), frame.picture(evil, &to(), "", &[evil.into()])] {
        assert_eq!(page.matches("<script").count(), 1, "{page}");
        assert!(!page.contains("\"><script>"), "{page}");
    }
}
