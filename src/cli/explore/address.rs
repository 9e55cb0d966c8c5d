//! Where pages are: a position and the way from there, as it stands in the address of a page.

use std::fmt;

/// No address is longer, and none has more moves.
pub(super) const LONGEST: usize = 4000;
pub(super) const MOVES: usize = 1500;

/// A step of the way to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The move with this number, from 1.
    Move(usize),
    /// The component with this number by itself, from 1.
    Part(usize),
}

impl Way {
    pub(super) fn read(text: &str) -> Option<Way> {
        match text.strip_prefix('c') {
            Some(number) => number.parse().ok().map(Way::Part),
            None => text.parse().ok().map(Way::Move),
        }
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Way::Move(number) => write!(f, "{number}"),
            Way::Part(number) => write!(f, "c{number}"),
        }
    }
}

/// Where a page is: a position, if it is not that of the file, and the way from there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) position: Option<String>,
    pub(super) moves: Vec<Way>,
}

impl Address {
    /// As it stands behind the name of the page; empty for the start.
    pub(super) fn query(&self) -> String {
        let mut pairs = form_urlencoded::Serializer::new(String::new());
        if let Some(position) = &self.position {
            pairs.append_pair("p", position);
        }
        if !self.moves.is_empty() {
            let numbers: Vec<String> = self.moves.iter().map(ToString::to_string).collect();
            pairs.append_pair("m", &numbers.join("."));
        }
        pairs.finish()
    }

    pub(super) fn to(&self, page: &str) -> String {
        let query = self.query();
        if query.is_empty() { page.to_string() } else { format!("{page}?{query}") }
    }

    /// After the first so many moves.
    pub(super) fn before(&self, moves: usize) -> Address {
        Address { position: self.position.clone(), moves: self.moves[..moves].to_vec() }
    }

    pub(super) fn after(&self, way: Way) -> Address {
        let mut after = self.clone();
        after.moves.push(way);
        after
    }

    /// Of a position as text.
    pub(super) fn of(text: &str) -> Address {
        Address { position: Some(text.to_string()), moves: Vec::new() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    Position,
    Graph,
    Map,
}

/// What a page is asked for.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) page: Page,
    /// Or why it is none.
    pub(super) address: Result<Address, String>,
    /// All moves are to be listed.
    pub(super) all: bool,
    /// It is asked once more.
    pub(super) waits: bool,
}

impl Question {
    /// `None`: there is no such page.
    pub(super) fn read(path: &str, query: &[(String, String)]) -> Option<Question> {
        let page = match path {
            "/" => Page::Position,
            "/graph" => Page::Graph,
            "/map" => Page::Map,
            _ => return None,
        };
        let (mut address, mut all, mut waits) = (Ok(Address::default()), false, false);
        for (name, value) in query {
            match (&**name, &mut address) {
                ("p", Ok(address)) => address.position = Some(value.trim().to_string()).filter(|text| !text.is_empty()),
                ("m", Ok(known)) => match value.split('.').map(Way::read).collect::<Option<Vec<Way>>>() {
                    Some(moves) if moves.len() <= MOVES => known.moves = moves,
                    Some(moves) => {
                        address =
                            Err(format!("an address has at most {MOVES} moves, and this one has {}", moves.len()));
                    }
                    None => address = Err("moves are numbers with points between them, `m=1.3.2`".into()),
                },
                ("all", _) => all = true,
                ("wait", _) => waits = true,
                _ => {}
            }
        }
        Some(Question { page, address, all, waits })
    }
}
