//! Chromium without a window, told what to do through a pipe (the developer tools protocol).

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A browser with one page; ended when dropped.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: String,
    count: u64,
    /// What the pages complained of.
    pub complaints: Vec<String>,
}

impl Browser {
    pub fn start() -> Browser {
        static STARTED: AtomicU32 = AtomicU32::new(0);
        // The protocol is spoken on the third and fourth file.
        let script = "exec chromium --headless --no-sandbox --disable-gpu --remote-debugging-pipe --user-data-dir=\"$0\" \
                      3<&0 4>&1 >/dev/null 2>/dev/null";
        let nth = STARTED.fetch_add(1, Ordering::Relaxed);
        let profile = std::env::temp_dir().join(format!("grundy-browser-{}-{nth}", std::process::id()));
        let mut child = Command::new("sh")
            .args(["-c", script])
            .arg(profile)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a browser");
        let to = child.stdin.take().expect("a pipe");
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut browser = Browser { child, to, from, session: String::new(), count: 0, complaints: Vec::new() };
        let target = browser.call("Target.createTarget", &json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", &json!({ "targetId": target, "flatten": true }));
        browser.session = attached["sessionId"].as_str().expect("a session").to_string();
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        browser
    }

    /// The result of a command.
    pub fn call(&mut self, method: &str, params: &Value) -> Value {
        self.count += 1;
        let mut message = json!({ "id": self.count, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.to.write_all(message.to_string().as_bytes()).expect("it listens");
        self.to.write_all(&[0]).expect("it listens");
        self.to.flush().expect("it listens");
        loop {
            let mut bytes = Vec::new();
            assert!(self.from.read_until(0, &mut bytes).expect("it speaks") > 0, "the browser has ended");
            bytes.pop();
            let told: Value = serde_json::from_slice(&bytes).expect("JSON");
            if told["id"] == json!(self.count) {
                assert!(told.get("error").is_none(), "{method}: {told}");
                return told["result"].clone();
            }
            match told["method"].as_str() {
                Some("Runtime.exceptionThrown") => {
                    self.complaints.push(told["params"]["exceptionDetails"].to_string());
                }
                Some("Log.entryAdded") => self.complaints.push(told["params"]["entry"].to_string()),
                _ => {}
            }
        }
    }

    /// What an expression of the page's language is.
    pub fn eval(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        self.call("Runtime.evaluate", &params)["result"]["value"].clone()
    }

    /// Opens a page.
    pub fn open(&mut self, url: &str) {
        self.call("Page.navigate", &json!({ "url": url }));
        self.until("document.readyState === 'complete'");
    }

    /// Waits until an expression is true.
    pub fn until(&mut self, expression: &str) {
        let start = Instant::now();
        while self.eval(expression) != json!(true) {
            assert!(start.elapsed() < Duration::from_mins(1), "never: {expression}: {}", self.text());
            sleep(Duration::from_millis(20));
        }
    }

    /// Waits for a page with this title.
    pub fn at(&mut self, title: &str) {
        self.until(&format!("document.title === {title:?} && document.readyState === 'complete'"));
    }

    /// Presses a key, which makes this text if it makes any.
    pub fn key(&mut self, key: &str, text: &str) {
        let mut params = json!({ "type": "keyDown", "key": key });
        if !text.is_empty() {
            params["text"] = json!(text);
        }
        if key == "Enter" {
            params["windowsVirtualKeyCode"] = json!(13);
        }
        self.call("Input.dispatchKeyEvent", &params);
        self.call("Input.dispatchKeyEvent", &json!({ "type": "keyUp", "key": key }));
    }

    /// What is read on the page.
    pub fn text(&mut self) -> String {
        self.eval("document.body.innerText").as_str().unwrap_or_default().to_string()
    }

    pub fn title(&mut self) -> String {
        self.eval("document.title").as_str().unwrap_or_default().to_string()
    }

    /// A window of this size, dark or light.
    pub fn window(&mut self, width: u32, height: u32, dark: bool) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.call("Emulation.setDeviceMetricsOverride", &size);
        let scheme = json!({ "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } });
        self.call("Emulation.setEmulatedMedia", &json!({ "features": [scheme] }));
    }

    /// The window as PNG.
    pub fn picture(&mut self) -> Vec<u8> {
        let data = self.call("Page.captureScreenshot", &json!({ "format": "png" }))["data"].clone();
        base64(data.as_str().expect("a picture"))
    }
}

/// RFC 4648.
fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0_u32, 0);
    for digit in text.bytes().filter_map(|byte| DIGITS.iter().position(|digit| *digit == byte)) {
        held = held << 6 | u32::try_from(digit).expect("below 64");
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(held >> bits & 255).expect("a byte"));
            held &= (1 << bits) - 1;
        }
    }
    bytes
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
