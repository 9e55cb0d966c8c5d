//! Nested lists and how they are broken into lines.

use crate::syntax::tree::Name;

/// Lists longer than this are broken into lines.
const WIDTH: usize = 110;

/// A word or a list.
pub(super) enum Node {
    Word(String),
    List(Vec<Node>),
}

pub(super) fn print(node: &Node, indent: usize, text: &mut String) {
    match node {
        Node::Word(word) => *text += word,
        Node::List(parts) => {
            let line = flat(node);
            if indent + line.len() <= WIDTH {
                *text += &line;
                return;
            }
            text.push('(');
            for (i, part) in parts.iter().enumerate() {
                // The words at the beginning stay on the first line.
                let beside = i == 0 || parts[..=i].iter().all(|p| matches!(p, Node::Word(_)));
                if beside {
                    *text += if i == 0 { "" } else { " " };
                } else {
                    text.push('\n');
                    *text += &" ".repeat(indent + 2);
                }
                print(part, indent + 2, text);
            }
            text.push(')');
        }
    }
}

pub(super) fn flat(node: &Node) -> String {
    match node {
        Node::Word(word) => word.clone(),
        Node::List(parts) => format!("({})", parts.iter().map(flat).collect::<Vec<_>>().join(" ")),
    }
}

pub(super) fn word(text: impl Into<String>) -> Node {
    Node::Word(text.into())
}

pub(super) fn named(name: &Name) -> Node {
    word(name.text.as_str())
}

pub(super) fn quoted(text: &str) -> Node {
    word(format!("{text:?}"))
}

/// `(head parts...)`
pub(super) fn list(head: &str, parts: impl IntoIterator<Item = Node>) -> Node {
    Node::List(std::iter::once(word(head)).chain(parts).collect())
}
