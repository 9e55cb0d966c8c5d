//! Certificates and states: whatever the bytes are, they are refused or hold; nothing panics.
#![no_main]

use grundy_heap::certificate::Certificate as Heaps;
use grundy_heap::game::Game;
use grundy_heap::{Halt, state};

use grundy_verify::{Certificate, Limits};
use libfuzzer_sys::fuzz_target;
use std::time::{Duration, Instant};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(certificate) = serde_json::from_slice::<Certificate>(bytes) {
        let limits = Limits {
            deadline: Some(Instant::now() + Duration::from_millis(300)),
            entries: 1 << 20,
            ..Limits::default()
        };
        let _ = certificate.verify(&limits);
    }
    if let Ok(certificate) = serde_json::from_slice::<Heaps>(bytes) {
        let _ = certificate.verify(&mut |values| if values.len() > 3000 { Err(Halt::Stopped) } else { Ok(()) });
    }
    if let Ok(game) = Game::parse("0.77") {
        let _ = state::decode(&game, bytes);
    }
});
