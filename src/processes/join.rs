//! How processes find each other: a list of addresses, a socket for each pair, and a look whether both have the same work.
//!
//! Each process listens on its own address, connects to those before it in the list and is connected to by those behind it. Then
//! each tells its number and a digest of the work; where digests differ nobody begins. Nothing is authenticated.

use crate::source::Code;
use crate::value::Fault;
use std::fmt::Display;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::time::Duration;

/// How long it is waited before another look at who has come.
const NAP: Duration = Duration::from_millis(20);

/// So long may it take to reach another machine.
const PATIENCE: Duration = Duration::from_secs(1);

/// So long may someone who has connected be silent.
const SILENCE: Duration = Duration::from_secs(5);

/// A greeting: a word of this program, the number of the process, how many there are, the digest of its work.
const WORD: [u8; 8] = *b"grundy 1";
const DIGEST: usize = 64;
const GREETING: usize = WORD.len() + 2 + DIGEST;

/// Addresses from a list: a line `HOST:PORT` for each process. Empty lines and what is behind `#` do not count. Error: D02, there
/// are fewer than two, or more than [`MOST`].
pub fn addresses(list: &str) -> Result<Vec<String>, Fault> {
    let lines = list.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    let found: Vec<String> = lines.filter(|line| !line.is_empty()).map(str::to_string).collect();
    if !(2..=MOST).contains(&found.len()) {
        let message = format!("a list of hosts has 2 to {MOST} addresses, and this one has {}", found.len());
        return Err(Fault::new(Code::D02, message).hint("a line for each process: `192.168.0.1:7000`"));
    }
    Ok(found)
}

/// The greatest number of processes.
pub const MOST: usize = 64;

/// Connects process `index` with all others, as long as `go_on` says so; a socket for each, `None` for itself. `digest`: 64
/// characters that all must have alike. Errors, D02: an address cannot be used; another process works on something else.
pub fn join(
    addresses: &[String],
    index: usize,
    digest: &str,
    mut go_on: impl FnMut() -> Result<(), Fault>,
) -> Result<Vec<Option<TcpStream>>, Fault> {
    let own = &addresses[index];
    let listener = TcpListener::bind(own).map_err(|error| unusable(own, &error))?;
    listener.set_nonblocking(true).map_err(|error| unusable(own, &error))?;
    let mut sockets: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
    let greeting = greeting(index, addresses.len(), digest);
    while (0..addresses.len()).any(|other| other != index && sockets[other].is_none()) {
        go_on()?;
        for other in 0..index {
            // It may not listen yet.
            if sockets[other].is_none()
                && let Some(socket) = reached(&addresses[other])
                && let Some((from, greeted)) = greet(&socket, &greeting)
                && from == other
            {
                greeted.map_err(|what| differs(other, what))?;
                sockets[other] = Some(socket);
            }
        }
        while let Ok((socket, _)) = listener.accept() {
            if socket.set_nonblocking(false).is_ok()
                && let Some((from, greeted)) = greet(&socket, &greeting)
                && from > index
                && from < sockets.len()
            {
                greeted.map_err(|what| differs(from, what))?;
                sockets[from] = Some(socket);
            }
        }
        std::thread::sleep(NAP);
    }
    for socket in sockets.iter().flatten() {
        socket.set_read_timeout(None).map_err(|error| unusable(own, &error))?;
    }
    Ok(sockets)
}

/// A connection to an address, if somebody listens there.
fn reached(address: &str) -> Option<TcpStream> {
    address.to_socket_addrs().ok()?.find_map(|address| TcpStream::connect_timeout(&address, PATIENCE).ok())
}

fn greeting(index: usize, count: usize, digest: &str) -> [u8; GREETING] {
    let mut greeting = [b' '; GREETING];
    let number = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
    let parts = WORD.iter().copied().chain([number(index), number(count)]).chain(digest.bytes());
    greeting.iter_mut().zip(parts).for_each(|(place, byte)| *place = byte);
    greeting
}

/// Greets whoever is at the other end: its number, and what differs; `None`: it is no such process, or says nothing.
fn greet(mut socket: &TcpStream, own: &[u8; GREETING]) -> Option<(usize, Result<(), &'static str>)> {
    let mut other = [0; GREETING];
    socket.set_read_timeout(Some(SILENCE)).ok()?;
    socket.write_all(own).ok()?;
    socket.read_exact(&mut other).ok()?;
    let ((head, tail), (own_head, own_tail)) = (other.split_at(WORD.len()), own.split_at(WORD.len()));
    let (&[from, ref rest @ ..], [_, own_rest @ ..]) = (tail, own_tail) else { return None };
    if head != own_head {
        return None;
    }
    let what = if rest == own_rest {
        Ok(())
    } else if rest.first() != own_rest.first() {
        Err("another number of hosts")
    } else {
        Err(
            "another game file, other inputs, data or options, another list of hosts, or another version of the program",
        )
    };
    Some((from.into(), what))
}

fn differs(other: usize, what: &str) -> Fault {
    Fault::new(Code::D02, format!("host {other} has {what}"))
}

fn unusable(address: &str, error: &dyn Display) -> Fault {
    Fault::new(Code::D02, format!("the address `{address}` cannot be used: {error}"))
}
