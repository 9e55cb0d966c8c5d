//! States of long runs: the game and its values as bytes, with a checksum.
//!
//! Four lines of text (what it is, the game, how many values, the checksum), then the values, two bytes each, low byte first.

use crate::game::Game;

const KIND: &str = "grundy heap state 1";

/// The state of a run.
pub fn encode(game: &Game, values: &[u16]) -> Vec<u8> {
    let mut bytes = format!("{KIND}\n{game}\n{}\n{:016x}\n", values.len(), fingerprint(values)).into_bytes();
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

/// The values of a state; or why the bytes are no state of this game.
pub fn decode(game: &Game, bytes: &[u8]) -> Result<Vec<u16>, String> {
    let mut lines = bytes.splitn(5, |byte| *byte == b'\n');
    let mut line = || lines.next().and_then(|line| std::str::from_utf8(line).ok()).unwrap_or_default();
    if line() != KIND {
        return Err("it is no state of a heap game".into());
    }
    let (code, count, sum) = (line(), line(), line());
    if code != game.to_string() {
        return Err(format!("it belongs to the game `{code}`"));
    }
    let (pairs, rest) = lines.next().unwrap_or_default().as_chunks::<2>();
    let values: Vec<u16> = pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
    let whole = rest.is_empty() && count == values.len().to_string();
    if !whole || sum != format!("{:016x}", fingerprint(&values)) {
        return Err("its checksum is wrong".into());
    }
    Ok(values)
}

/// A checksum of values: FNV-1a with 64 bits over their bytes. It tells damage, not malice.
pub fn fingerprint(values: &[u16]) -> u64 {
    let bytes = values.iter().flat_map(|value| value.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
