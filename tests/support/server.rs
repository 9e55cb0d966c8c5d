//! `grundy explore` while it runs, and what its pages say.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The program, listening on a port of its own; ended when dropped.
pub struct Server {
    child: Child,
    pub port: u16,
}

/// A move as a page lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub name: String,
    pub to: String,
    pub link: String,
    /// `wins in 3`; empty where it was not worked out.
    pub worth: String,
    pub best: bool,
}

/// A page, taken apart.
#[derive(Clone, Debug)]
pub struct Page {
    pub title: String,
    pub verdict: String,
    pub moves: Vec<Listed>,
    /// Where the page comes from when more is known.
    pub wait: Option<String>,
    pub text: String,
}

impl Server {
    /// `grundy explore` with these arguments in this folder.
    pub fn start(folder: &Path, arguments: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
            .args(["explore", "--port", "0"])
            .args(arguments)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("a pipe")).read_line(&mut line).expect("an address");
        let port = line.trim().trim_end_matches('/').rsplit(':').next().and_then(|port| port.parse().ok());
        Server { child, port: port.unwrap_or_else(|| panic!("{line}")) }
    }

    /// Status, headers and text of a request.
    pub fn ask(&self, request: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_mins(2))).expect("a limit");
        // Whoever is refused early is not read to the end.
        let _ = stream.write_all(request.as_bytes());
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, head.to_string(), body.to_string())
    }

    /// Status and text of a page.
    pub fn get(&self, path: &str) -> (u16, String) {
        let host = format!("127.0.0.1:{}", self.port);
        let (status, _, text) = self.ask(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
        (status, text)
    }

    /// A page of a position, waited for until it is worked out.
    pub fn page(&self, path: &str) -> Page {
        let mut path = path.to_string();
        loop {
            let (status, text) = self.get(&path);
            assert_eq!(status, 200, "{path}: {text}");
            let page = Page::read(text);
            match &page.wait {
                Some(wait) => path.clone_from(wait),
                None => return page,
            }
        }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to end, and tells its exit code.
    pub fn end(mut self) -> Option<i32> {
        let asked = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(asked.is_ok_and(|status| status.success()));
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What stands between two texts, the first time.
pub fn between<'t>(text: &'t str, from: &str, to: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(from)?;
    Some(rest.split_once(to)?.0)
}

fn plain(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

impl Page {
    fn read(text: String) -> Page {
        let part = |from: &str, to: &str| between(&text, from, to).map(plain).unwrap_or_default();
        let list = between(&text, "<ol class=\"moves\">", "</ol>").unwrap_or("");
        let moves = list.split("<li").skip(1).map(|item| {
            let link = between(item, "<a href=\"", "\"").map(plain).unwrap_or_default();
            let name = between(item, "<a href", "</a>").and_then(|a| a.split_once('>')).map(|(_, name)| plain(name));
            let worth = between(item, "<span class=\"worth", "</span>").and_then(|span| span.split_once('>'));
            Listed {
                name: name.unwrap_or_default(),
                to: between(item, "<span class=\"to\">", "</span>").map(plain).unwrap_or_default(),
                link,
                worth: worth.map(|(_, worth)| plain(worth)).unwrap_or_default(),
                best: item.starts_with(" class=\"best\""),
            }
        });
        let verdict = between(&text, "<p class=\"verdict", "</p>").and_then(|verdict| verdict.split_once('>'));
        Page {
            title: part("<h1>", "</h1>"),
            verdict: verdict.map(|(_, verdict)| plain(verdict)).unwrap_or_default(),
            moves: moves.collect(),
            wait: between(&text, "<main data-wait=\"", "\"").map(plain),
            text,
        }
    }

    pub fn best(&self) -> &Listed {
        self.moves.iter().find(|one| one.best).unwrap_or_else(|| panic!("no best move: {}", self.text))
    }
}
