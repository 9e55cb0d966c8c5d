//! `grundy explore` in a real browser: Chromium without a window. `GRUNDY_DRAW=1` draws `docs/explore.png` anew.

use crate::support::browser::Browser;
use crate::support::server::Server;
use serde_json::json;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::thread;

fn place(test: &str, game: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("grundy-browser-{}-{test}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the test");
    fs::write(folder.join("it.game"), game).expect("a file for the test");
    folder
}

const NIM: &str = "game Nim(n) {\n  move take k in 1..n -> Nim(n - k)\n}\nsolve Nim(6) + Nim(7)\n";

const HARD: &str = "game Hard(a: list of nat) {\n  \
    move take i in 0..size(a) - 1, k in 1..2 where a[i] >= k -> Hard(a[i := a[i] - k])\n  \
    move swap i in 1..size(a) - 1 where a[i] > a[i - 1] -> Hard(a[i := a[i - 1], i - 1 := a[i]])\n}\n\
    solve Hard([31, 32, 33, 34, 35, 36, 37, 38, 39, 40])\n";

#[test]
#[cfg_attr(not(has_chromium), ignore = "it needs Chromium")]
fn a_game_is_played_by_keys_and_pages_are_found_again() {
    let folder = place("keys", NIM);
    let server = Server::start(&folder, &["it.game"]);
    let home = format!("http://127.0.0.1:{}/", server.port);
    let mut browser = Browser::start();
    browser.open(&home);
    assert_eq!(browser.title(), "Nim(6) + Nim(7)");
    // Two digits: there are thirteen moves.
    browser.key("1", "1");
    browser.key("3", "3");
    browser.at("Nim(6) + Nim(0)");
    assert_eq!(browser.eval("location.search"), json!("?m=13"));
    browser.key("u", "u");
    browser.at("Nim(6) + Nim(7)");
    // One digit stands for itself after a moment.
    browser.key("1", "1");
    browser.at("Nim(5) + Nim(7)");
    browser.eval("history.back()");
    browser.at("Nim(6) + Nim(7)");
    browser.eval("history.forward()");
    browser.at("Nim(5) + Nim(7)");
    // The old page has the same title: what was set on it is gone from the new one.
    browser.eval("window.old = true; location.reload()");
    browser.until("window.old === undefined");
    browser.at("Nim(5) + Nim(7)");
    // Arrows and Enter.
    browser.key("ArrowDown", "");
    browser.key("ArrowDown", "");
    browser.key("ArrowUp", "");
    assert_eq!(browser.eval("document.activeElement.innerText"), json!("take 1 in Nim(5)"));
    browser.key("Enter", "\r");
    browser.at("Nim(4) + Nim(7)");
    for _ in 0..40 {
        if browser.text().contains("No move is left") {
            break;
        }
        let before = browser.eval("location.href").as_str().expect("an address").to_string();
        browser.key("b", "b");
        browser.until(&format!("location.href !== {before:?} && document.readyState === 'complete'"));
    }
    assert!(browser.text().contains("No move is left: the other player has won."), "{}", browser.text());
    // A position is asked for.
    browser.key("/", "/");
    browser.call("Input.insertText", &json!({ "text": "misere Nim(2) + Nim(2)" }));
    browser.key("Enter", "\r");
    browser.at("misere Nim(2) + Nim(2)");
    browser.key("s", "s");
    browser.until(&format!("location.href === {home:?}"));
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "it needs Chromium")]
fn long_work_is_shown_when_it_is_done_and_puts_nothing_off() {
    let folder = place("long", HARD);
    let server = Server::start(&folder, &["it.game", "--time", "2s"]);
    let home = format!("http://127.0.0.1:{}/", server.port);
    let mut browser = Browser::start();
    browser.open(&home);
    assert!(browser.text().contains("being worked out"), "{}", browser.text());
    // Another position is opened at once meanwhile.
    browser.eval("document.querySelectorAll('.moves a')[28].click()");
    browser.until("location.search === '?m=29' && document.readyState === 'complete'");
    browser.eval("history.back()");
    browser.until("location.search === '' && document.readyState === 'complete'");
    // The page changes by itself, and keeps the focus.
    browser.eval("document.querySelectorAll('.moves a')[3].focus()");
    browser.until("document.body.innerText.includes('Who wins was not worked out within')");
    assert_eq!(browser.eval("[...document.querySelectorAll('.moves a')].indexOf(document.activeElement)"), json!(3));
    // It follows the file.
    fs::write(folder.join("it.game"), NIM).expect("a file");
    browser.at("Nim(6) + Nim(7)");
    fs::write(folder.join("it.game"), "game").expect("a file");
    browser.at("The file has errors");
    fs::write(folder.join("it.game"), NIM).expect("a file");
    browser.at("Nim(6) + Nim(7)");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "it needs Chromium")]
fn pages_fit_a_phone_and_the_dark() {
    let folder = place(
        "phone",
        "game Walk[g: graph](at: vertex of g) {\n  move go v in neighbours(g, at) -> Walk(v)\n}\n\
         game Far(a: list of nat, name_that_is_long: nat) {\n  move take_away_from i in 0..size(a) - 1 where a[i] > 0 -> Far(a[i := a[i] - 1], name_that_is_long)\n}\n\
         game W(a, b) {\n  move left k in 1..a -> W(a - k, b)\n}\n\
         solve Walk[graph(20, [(i, (i + 1) mod 20) for i in 0..19])](0)\n",
    );
    let server = Server::start(&folder, &["it.game"]);
    let home = format!("http://127.0.0.1:{}", server.port);
    let mut browser = Browser::start();
    let pages = [
        "/",
        "/?m=1.1.1.1.1.1.1.1.1.1.1.1.1",
        "/graph",
        "/?p=Far(%5B12345678901%5D*30%2C3)",
        "/?p=Far(%5B1%2C2%2C3%2C4%2C5%2C6%2C7%2C8%2C9%5D%2C123456789)",
        "/?p=W(3%2C4)",
        "/map?p=W(3%2C4)",
        "/?p=W(3",
    ];
    for page in pages {
        browser.window(360, 740, false);
        browser.open(&format!("{home}{page}"));
        let width = browser.eval("document.documentElement.scrollWidth");
        assert!(width.as_u64().is_some_and(|width| width <= 360), "{page}: {width}");
        let light = browser.eval("getComputedStyle(document.documentElement).backgroundColor");
        browser.window(360, 740, true);
        let dark = browser.eval("getComputedStyle(document.documentElement).backgroundColor");
        assert_eq!((light, dark), (json!("rgb(255, 255, 255)"), json!("rgb(23, 23, 28)")));
    }
    assert!(browser.complaints.iter().all(|told| told.contains("404")), "{:?}", browser.complaints);
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "it needs Chromium")]
fn draws_compounds_and_points_are_walked() {
    let folder = place(
        "kinds",
        "game Walk(n: int) {\n  move step k in [1, 4] -> Walk((n + k) mod 5)\n}\n\
         game Nim(n) {\n  move take k in 1..n -> Nim(n - k)\n}\n\
         game Coins(a: list of nat) {\n  move left where size(a) > 0 -> Coins(a[1..]) gain first(a)\n}\nsolve Walk(0)\n",
    );
    let server = Server::start(&folder, &["it.game"]);
    let home = format!("http://127.0.0.1:{}/", server.port);
    let mut browser = Browser::start();
    browser.open(&home);
    assert!(browser.text().contains("A draw: nobody can force a win."), "{}", browser.text());
    for step in 1..=6 {
        browser.key("b", "b");
        let way = vec!["1"; step].join(".");
        browser.until(&format!("location.search === '?m={way}' && document.readyState === 'complete'"));
        assert!(browser.text().contains("draws"), "{}", browser.text());
    }
    browser.open(&format!("{home}?p=selective(Nim(2)%2C+Nim(1))"));
    browser.key("b", "b");
    browser.until("document.body.innerText.includes('No move is left: the other player has won.')");
    browser.open(&format!("{home}?p=Coins(%5B3%2C+9%5D)"));
    browser.key("1", "1");
    browser.until("document.body.innerText.includes('First 3, Second 0')");
    browser.key("1", "1");
    browser.until("document.body.innerText.includes('First 3, Second 9')");
    assert!(browser.text().contains("No move is left: the other player has won."), "{}", browser.text());
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// A page of somebody else on this machine.
fn stranger(text: String) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("a port").port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let _ = stream.read(&mut [0; 4096]);
            let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n{text}");
        }
    });
    port
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "it needs Chromium")]
fn pages_of_strangers_learn_nothing() {
    let server = Server::start(&place("stranger", NIM), &["it.game"]);
    let port = stranger("<!doctype html><title>stranger</title>".into());
    let own = format!("http://127.0.0.1:{}/", server.port);
    let mut browser = Browser::start();
    browser.open(&format!("http://127.0.0.1:{port}/"));
    for host in ["127.0.0.1", "localhost"] {
        let asked = format!("http://{host}:{}/", server.port);
        let told = browser.eval(&format!("fetch({asked:?}).then((r) => r.status, () => 'refused')"));
        assert_eq!(told, json!("refused"));
        let told =
            browser.eval(&format!("fetch({asked:?}, {{ mode: 'no-cors' }}).then((r) => r.type, () => 'refused')"));
        assert!(told == json!("opaque") || told == json!("refused"), "{told}");
        let script = format!(
            "new Promise((told) => {{ const s = document.createElement('script'); s.src = {asked:?} + 'page.js'; \
             s.onload = () => told('loaded'); s.onerror = () => told('refused'); document.head.append(s); }})"
        );
        assert_eq!(browser.eval(&script), json!("refused"));
    }
    let frame = format!(
        "new Promise((told) => {{ const f = document.createElement('iframe'); f.src = {own:?}; \
         f.onload = () => told(f.contentDocument === null); document.body.append(f); }})"
    );
    assert_eq!(browser.eval(&frame), json!(true));
    // A link may lead there.
    browser.eval(&format!("location.href = {own:?}"));
    browser.at("Nim(6) + Nim(7)");
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "it needs Chromium")]
fn the_picture_of_the_readme() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let server = Server::start(root, &["games/hackenbush.game", "edges=[(0,1),(1,2),(2,3),(3,1),(2,4),(0,5),(5,6)]"]);
    let mut browser = Browser::start();
    browser.window(720, 780, false);
    browser.open(&format!("http://127.0.0.1:{}/", server.port));
    browser.until("!document.querySelector('main').dataset.wait");
    let picture = browser.picture();
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 10_000);
    if std::env::var_os("GRUNDY_DRAW").is_some() {
        fs::write(root.join("docs/explore.png"), picture).expect("a picture");
    }
}
