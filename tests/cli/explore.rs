//! `grundy explore`: pages of positions by requests, walks along their links, strangers, limits.

use crate::rounds;
use crate::server::Server;
use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

/// A folder with the game file.
fn place(test: &str, game: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("grundy-explore-{}-{test}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the test");
    fs::write(folder.join("it.game"), game).expect("a file for the test");
    folder
}

const NIM: &str = "game Nim(n) {\n  move take k in 1..n -> Nim(n - k)\n}\nsolve Nim(3) + Nim(5)\n";

/// The numbers in a text.
fn numbers(text: &str) -> Vec<u64> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

#[test]
fn a_sum_is_walked_to_its_end_by_the_best_moves() {
    let folder = place("walk", NIM);
    let server = Server::start(&folder, &["it.game"]);
    let (mut path, mut moves) = ("/".to_string(), 0);
    loop {
        let page = server.page(&path);
        let heaps = numbers(&page.title);
        let xor = heaps.iter().fold(0, |a, b| a ^ b);
        if heaps.iter().all(|heap| *heap == 0) {
            let told = "No move is left: the other player has won.";
            assert_eq!((&*page.verdict, page.moves.len()), (told, 0));
            break;
        }
        let told =
            if xor > 0 { "The player to move wins." } else { "The player to move loses, the other player wins." };
        assert_eq!(page.verdict, told, "{}", page.title);
        assert!(page.text.contains(&format!("<dt>Grundy value</dt><dd>{xor}</dd>")), "{}", page.text);
        assert_eq!(page.moves.len() as u64, heaps.iter().sum::<u64>());
        for one in &page.moves {
            let behind = numbers(&one.to).iter().fold(0, |a, b| a ^ b);
            assert!(one.worth.starts_with(if behind == 0 { "wins in " } else { "loses in " }), "{one:?}");
        }
        // Components lead to themselves alone.
        if heaps.len() == 2 {
            let step = if path == "/" { "/?m=".into() } else { format!("{path}.") };
            let link = format!("<a href=\"{step}c1\">Nim({})</a>", heaps[0]);
            assert!(page.text.contains(&link), "{link}: {}", page.text);
            assert_eq!(server.page(&format!("{step}c1")).title, format!("Nim({})", heaps[0]));
        }
        path.clone_from(&page.best().link);
        moves += 1;
    }
    assert!(moves % 2 == 1, "who began has won");
    // Back by the links of the way, which is that of the address alone: another program knows it too.
    let again = Server::start(&folder, &["it.game"]);
    let page = again.page(&path);
    let steps: Vec<&str> = page.text.split("rel=\"prev\"").collect();
    assert_eq!(steps.len(), 2, "one link leads back");
    let before = steps[0].rsplit_once("href=\"").expect("a link").1.trim_end_matches("\" ");
    assert_eq!(again.page(before).moves.len(), 1);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn draws_compounds_points_ends_and_names_are_told() {
    let cases: [(&str, &str, &str, &str); 6] = [
        (
            "draw",
            "game Walk(n: int) {\n  move step k in [1, 4] -> Walk((n + k) mod 5)\n}\nsolve Walk(0)\n",
            "A draw: nobody can force a win.",
            "draws",
        ),
        (
            "compound",
            "game Nim(n) {\n  move take k in 1..n -> Nim(n - k)\n}\nsolve selective(Nim(2), Nim(1))\n",
            "The player to move wins.",
            "wins in 1",
        ),
        (
            "points",
            "game Coins(a: list of nat) {\n  move left where size(a) > 0 -> Coins(a[1..]) gain first(a)\n}\nsolve Coins([3, 9])\n",
            "The player to move loses, the other player wins.",
            "-6",
        ),
        (
            "end",
            "game T(n) {\n  move go where n == 0 -> T(1)\n  move stop where n == 1 -> win\n}\nsolve T(1)\n",
            "The player to move wins.",
            "wins in 1",
        ),
        (
            "misere",
            "game Nim(n) {\n  move take k in 1..n -> Nim(n - k)\n}\nsolve misere Nim(1) + Nim(1) + Nim(1)\n",
            "The player to move loses, the other player wins.",
            "loses in 3",
        ),
        (
            "names",
            "game Nim(n, ann: bool = true) {\n  players if ann then \"Ann\" else \"B<b>\", if ann then \"B<b>\" else \"Ann\"\n  \
             move take k in 1..n -> Nim(n - k, not ann)\n}\nsolve Nim(0)\n",
            "No move is left: B<b> has won.",
            "",
        ),
    ];
    for (name, game, verdict, worth) in cases {
        let folder = place(name, game);
        let server = Server::start(&folder, &["it.game"]);
        let page = server.page("/");
        assert_eq!(page.verdict, verdict, "{name}");
        let best = page.moves.iter().find(|one| one.best);
        assert_eq!(best.map_or("", |one| &*one.worth), worth, "{name}: {}", page.text);
    }
    // A move ends the play: whoever made it has won.
    let server = Server::start(&place("end", cases[3].1), &["it.game", "-p", "T(0)"]);
    let over = server.page("/?m=1.1");
    assert_eq!((&*over.title, &*over.verdict), ("The play is over", "Second has won."));
    // What is over brings its points once, to the player who then moves, and not to each.
    let over = "game S(n) {\n  end when n == 0: score 3\n  move go where n > 0 -> S(n - 1) gain 1\n}\n\
                game K(n) {\n  move take k in 1..n -> K(n - k)\n}\nsolve S(1) + K(2)\n";
    let server = Server::start(&place("over", over), &["it.game"]);
    // First goes to S(0): one point, and three for Second.
    let page = server.page("/?m=1");
    assert!(page.text.contains("First 1, Second 3"), "{}", page.text);
    for (path, told) in [
        ("/?m=1.1", "No"),
        ("/?m=1", "The player to move wins."),
        ("/?m=1.1.1", "No move is left: the player to move has won."),
        ("/?m=1.2", "No move is left: the other player has won."),
    ] {
        let page = server.page(path);
        if told == "No" {
            assert_eq!(page.verdict, "The player to move loses, the other player wins.");
        } else {
            assert_eq!(page.verdict, told, "{path}");
        }
        assert!(page.text.contains("First 1, Second 3"), "{path}");
    }
    // Points on the way belong to those who made the moves.
    let server = Server::start(&place("points", cases[2].1), &["it.game"]);
    let page = server.page("/?m=1.1");
    assert!(page.text.contains("First 3, Second 9"));
    assert_eq!(page.verdict, "No move is left: the other player has won.");
    // A limit is told by its name, and so is what is wrong.
    let wrong =
        "game G(n) {\n  move go where n < 3 -> G(n + 1)\n  move bad where n == 3 -> G(1 div (n - 3))\n}\nsolve G(0)\n";
    let server = Server::start(&place("wrong", wrong), &["it.game"]);
    let page = server.page("/");
    assert!(page.verdict.contains("Who wins is not known. R03: `div` by 0 (it.game:3)"), "{}", page.verdict);
    let kayles = "game Kay(n) {\n  move take k in 1..min(n, 2), left in 0..n - k -> Kay(left) + Kay(n - k - left)\n}\nsolve Kay(14)\n";
    let server = Server::start(&place("few", kayles), &["it.game", "--max-positions", "5"]);
    assert!(server.page("/").verdict.contains("Who wins is not known. L01"));
}

#[test]
fn what_is_too_large_is_told_and_still_has_moves() {
    let folder = place(
        "large",
        "game Nim(n) {\n  theorem grundy = n\n  move take k in 1..n -> Nim(n - k)\n}\nsolve Nim(1)\n\
         game Hard(a: list of nat) {\n  move take i in 0..size(a) - 1, k in 1..2 where a[i] >= k -> Hard(a[i := a[i] - k])\n  \
         move swap i in 1..size(a) - 1 where a[i] > a[i - 1] -> Hard(a[i := a[i - 1], i - 1 := a[i]])\n}\n",
    );
    let server = Server::start(&folder, &["it.game", "--time", "300ms"]);
    let query = "/?p=Hard%28%5B31%2C32%2C33%2C34%2C35%2C36%2C37%2C38%2C39%2C40%5D%29";
    let first = server.get(query).1;
    assert!(first.contains("Who wins is being worked out"), "{first}");
    let page = server.page(query);
    assert!(page.verdict.starts_with("Who wins was not worked out within 300.0 ms"), "{}", page.verdict);
    assert_eq!(page.moves.len(), 29);
    assert!(page.moves.iter().all(|one| one.worth.is_empty() && !one.best));
    // It is as far as that goes, and is not tried again.
    assert!(server.get(query).1.contains("Who wins was not worked out"));
    // Moves behind it are walked all the same.
    assert_eq!(server.page(&page.moves[28].link).moves.len(), 28);
    // Too many moves: the first of them, and those that win where they are known.
    let page = server.page("/?p=Nim%281000000000000%29");
    assert!(page.text.contains("More than 5,000 moves can be made"), "{}", page.text);
    assert_eq!((page.moves.len(), &*page.moves[399].to), (400, "Nim(999999999600)"));
    assert!(page.moves.iter().all(|one| one.worth == "loses"), "{:?}", page.moves[0]);
    assert_eq!(server.page(&page.moves[0].link).title, "Nim(999999999999)");
    // The move that wins is found behind those that are shown, with ten times the time that it takes.
    let unhurried = Server::start(&folder, &["it.game", "--time", "3s"]);
    let page = unhurried.page("/?p=Nim%2850000%29");
    assert_eq!((page.moves.len(), &*page.moves[400].to), (401, "Nim(0)"));
    assert_eq!(unhurried.page(&page.moves[400].link).title, "Nim(0)");
    // What is left out is told, and what wins is not.
    let page = server.page("/?p=Nim%281000%29");
    assert_eq!((page.moves.len(), &*page.best().to), (400, "Nim(0)"));
    assert!(page.text.contains("1,000 moves can be made"));
    let page = server.page("/?p=Nim%281000%29&all=1");
    assert_eq!(page.moves.len(), 1000);
    // Where there are no numbers for the moves those that win have a name.
    let server = Server::start(std::path::Path::new(env!("CARGO_MANIFEST_DIR")), &["games/nim.game"]);
    let page = server.page("/?p=Nim%2810+**+21%29+%2B+Nim%285%29");
    assert_eq!(page.moves.len(), 1, "{}", page.text);
    let page = server.page("/?p=Nim%281000000%29+%2B+Nim%285%29");
    assert!(page.moves.iter().any(|one| one.worth.starts_with("wins")), "{}", page.text);
}

#[test]
fn without_the_points_of_what_is_over_nobody_wins() {
    let game = "game S(n) {\n  end when n == 0: score 1 div n\n  move take k in 1..n -> S(n - k) gain k\n}\nsolve S(0) + S(2)\n";
    let server = Server::start(&place("points-wrong", game), &["it.game"]);
    let page = server.page("/");
    assert!(
        page.verdict.starts_with("Who wins is not known.") && page.verdict.contains("`div` by 0"),
        "{}",
        page.verdict
    );
    assert!(page.moves.is_empty());
    assert!(!page.text.contains("Score"), "{}", page.text);
}

#[test]
fn links_of_graphs_with_edges_lead_on() {
    let server = Server::start(std::path::Path::new(env!("CARGO_MANIFEST_DIR")), &["games/hackenbush.game"]);
    let graph = server.get("/graph").1;
    let links: Vec<&str> = graph.split("<a href=\"").skip(1).filter(|link| link.contains("<ellipse")).collect();
    assert!(links.len() > 5, "{graph}");
    for link in links {
        let to = link.split('"').next().expect("an address");
        assert!(server.page(to).title.starts_with("Hackenbush"), "{to}");
    }
    // Where a position cannot be read again nothing says so.
    assert!(!server.get("/").1.contains("Begin here"));
}

#[test]
fn pictures_of_what_is_near_lead_on() {
    let game = "game W(a, b) where a <= 9 {\n  move left k in 1..a -> W(a - k, b)\n  move right k in 1..b -> W(a, b - k)\n}\nsolve W(2, 1)\n";
    let server = Server::start(&place("near", game), &["it.game"]);
    let (status, graph) = server.get("/graph");
    assert_eq!((status, graph.matches("<ellipse").count(), graph.matches("<a href=\"/?m=").count()), (200, 6, 5));
    // All links of the graph lead to what they are called.
    for link in graph.split("<a href=\"").skip(1).filter(|link| link.contains("<ellipse")) {
        let to = link.split('"').next().expect("an address");
        let name =
            crate::server::between(link, "y=\"", "</text>").and_then(|text| text.rsplit_once('>')).expect("a name").1;
        assert_eq!(server.page(to).title, name);
    }
    let (status, map) = server.get("/map");
    // What the header does not allow is no square; each of the others leads to its position.
    assert_eq!((status, map.matches("<a href=\"/?p=W").count()), (200, 10 * 21));
    assert!(
        map.contains("<a href=\"/?p=W%283%2C+5%29\"><rect class=\"c\"") && map.contains("a = 3, b = 5: 6"),
        "{map}"
    );
    let (status, none) = server.get("/map?p=W%281%2C+1%29+%2B+W%281%2C+1%29");
    assert!(status == 404 && none.contains("a map is of one component that has a number"));
}

#[test]
fn the_page_follows_the_file() {
    let folder = place("follows", NIM);
    let server = Server::start(&folder, &["it.game"]);
    let version = |server: &Server| server.get("/version").1;
    let (before, page) = (version(&server), server.page("/?m=1"));
    assert_eq!(page.moves.len(), 7);
    fs::write(folder.join("it.game"), NIM.replace("1..n", "1..min(n, 2)")).expect("a file");
    assert_ne!(version(&server), before);
    assert_eq!(server.page("/").moves.len(), 4);
    fs::write(folder.join("it.game"), NIM.replace("1..n", "1..m + 1")).expect("a file");
    let (status, text) = server.get("/?m=1");
    assert!(status == 200 && text.contains("The file has errors") && text.contains("it.game:2:21"), "{text}");
    fs::write(folder.join("it.game"), NIM).expect("a file");
    assert_eq!(server.page("/?m=1").title, page.title);
    // Also one that another asks for, whether it is there or not.
    fs::write(folder.join("it.game"), "use \"other\"\nsolve Nim(2)\n").expect("a file");
    assert!(server.get("/").1.contains("The file has errors"));
    fs::write(folder.join("other.game"), NIM).expect("a file");
    assert_eq!(server.page("/").title, "Nim(2)");
    fs::remove_file(folder.join("other.game")).expect("a file");
    assert!(server.get("/").1.contains("The file has errors"));
    fs::write(folder.join("other.game"), NIM).expect("a file");
    assert_eq!(server.page("/").title, "Nim(2)");
    fs::remove_file(folder.join("it.game")).expect("a file");
    assert!(server.get("/").1.contains("there is no file"));
}

#[test]
fn strangers_and_broken_addresses_are_refused() {
    let server = Server::start(&place("strangers", NIM), &["it.game", "--time", "500ms"]);
    let own = format!("127.0.0.1:{}", server.port);
    let status = |head: &str| server.ask(&format!("{head}\r\nConnection: close\r\n\r\n")).0;
    for host in ["localhost", "127.0.0.1", "[::1]"] {
        assert_eq!(status(&format!("GET / HTTP/1.1\r\nHost: {host}:{}", server.port)), 200, "{host}");
    }
    let refused = [
        "GET / HTTP/1.1\r\nHost: example.com".to_string(),
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:1".to_string(),
        "GET / HTTP/1.1\r\nHost: 127.0.0.1".to_string(),
        format!("GET / HTTP/1.1\r\nHost: {own}.example.com"),
        format!("GET http://example.com/ HTTP/1.1\r\nHost: {own}"),
        format!("GET http://{own}/ HTTP/1.1\r\nHost: example.com"),
        format!("GET / HTTP/1.1\r\nHost: {own}\r\nOrigin: http://example.com"),
        format!("GET / HTTP/1.1\r\nHost: {own}\r\nOrigin: https://{own}"),
        format!("GET / HTTP/1.1\r\nHost: {own}\r\nOrigin: null"),
        format!(
            "GET / HTTP/1.1\r\nHost: {own}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image"
        ),
        format!(
            "GET / HTTP/1.1\r\nHost: {own}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe"
        ),
        format!(
            "GET /version HTTP/1.1\r\nHost: {own}\r\nSec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty"
        ),
    ];
    for head in &refused {
        let status = status(head);
        assert!(status == 403 || status == 400, "{head}: {status}");
    }
    let opened = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document";
    assert_eq!(status(&format!("GET / HTTP/1.1\r\nHost: {own}\r\n{opened}")), 200);
    assert_eq!(status(&format!("GET / HTTP/1.1\r\nHost: {own}\r\nOrigin: http://{own}")), 200);
    assert_eq!(status(&format!("POST / HTTP/1.1\r\nHost: {own}\r\nContent-Length: 0")), 405);
    assert_eq!(
        status(&format!("PUT /?m=1 HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc")),
        405
    );
    assert_eq!(status("GET / HTTP/1.1"), 400);
    assert_eq!(status("nonsense"), 400);
    let head = server.ask(&format!("GET / HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n")).1;
    for told in ["x-frame-options: DENY", "default-src 'none'", "frame-ancestors 'none'", "nosniff", "no-store"] {
        assert!(head.contains(told), "{head}");
    }
    assert!(!head.to_lowercase().contains("access-control"), "{head}");
    let broken = [
        ("/nothing", 404),
        ("/page.css/..", 404),
        ("/../../etc/passwd", 404),
        ("/?m=99", 404),
        ("/?m=0", 404),
        ("/?m=1.99", 404),
        ("/?m=x", 400),
        ("/?m=-1", 400),
        ("/?m=99999999999999999999999", 400),
        ("/?m=1..2", 400),
        ("/?p=Nim%28", 404),
        ("/?p=Nim%28-1%29", 404),
        ("/?p=Unknown%283%29", 404),
        ("/?p=3", 404),
        ("/?p=%ff%fe", 404),
        ("/?p=%", 404),
        ("/?p=graph%20from%20%22x%22", 404),
        ("/?p=Nim(1)+Nim(1)", 404),
        ("/?p=sum(Nim(1)%20for%20i%20in%201..100000000000)", 404),
        ("/?&&&=&m", 400),
        ("/?m=", 400),
        ("/graph?m=77", 404),
        ("/map?m=x", 400),
    ];
    for (path, wanted) in broken {
        assert_eq!(server.get(path).0, wanted, "{path}");
    }
    let deep = format!("/?p={}", "%28".repeat(1500));
    assert_eq!(server.get(&deep).0, 404);
    let far = format!("/?m={}", vec!["1"; 1600].join("."));
    assert_eq!(server.get(&far).0, 400);
    let long = format!("/?p={}", "9".repeat(100_000));
    assert!([0, 400].contains(&server.get(&long).0), "the address is too long to be read");
    assert_eq!(server.get("/").0, 200);
    assert_eq!(server.end(), Some(0));
}

/// Memory that the program holds, in KiB.
fn held(server: &Server) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or("0");
    numbers(line).first().copied().unwrap_or(0)
}

#[test]
fn many_requests_ten_at_once_leave_nothing_behind() {
    let server = Server::start(&place("many", NIM), &["it.game"]);
    let each = rounds(60, 1000);
    let ask = |of: u64| {
        for n in 0..each {
            let (a, b) = ((of * each + n) % 40, n % 9);
            let path = match n % 4 {
                0 => format!("/?p=Nim%28{a}%29+%2B+Nim%28{b}%29"),
                1 => format!("/?p=Nim%28{a}%29+%2B+Nim%28{b}"),
                2 => format!("/?m={}", 1 + n % 8),
                _ => "/map?p=Nim%2812%29".into(),
            };
            let (status, text) = server.get(&path);
            assert_eq!(status, if n % 4 == 1 { 404 } else { 200 }, "{path}: {text}");
            if n % 4 == 0 && !text.contains("data-wait") {
                let wins = text.contains("class=\"verdict wins\"");
                assert_eq!(wins, a != b, "{path}: {text}");
            }
        }
    };
    ask(0);
    let before = held(&server);
    thread::scope(|scope| {
        for of in 0..10 {
            scope.spawn(move || ask(of));
        }
    });
    let after = held(&server);
    assert!(after < before + 64 * 1024, "{before} KiB before, {after} KiB after");
    // Connections that say nothing do not keep others away.
    let silent: Vec<_> = (0..10).map(|_| std::net::TcpStream::connect(("127.0.0.1", server.port))).collect();
    assert_eq!(server.get("/").0, 200);
    drop(silent);
    thread::sleep(Duration::from_millis(1));
    assert_eq!(server.end(), Some(0));
}

#[test]
fn a_port_that_is_taken_is_told() {
    let folder = place("port", NIM);
    let server = Server::start(&folder, &["it.game"]);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(["explore", "it.game", "--port", &server.port.to_string()])
        .current_dir(&folder)
        .output()
        .expect("it runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && told.contains("nobody can be answered at port"), "{told}");
}
