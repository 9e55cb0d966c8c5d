//! How positions are written.

use crate::value::{Component, Components, Compound, Position, Row, Shape, WRITTEN, cut};
use crate::vm::context::Context;
use std::borrow::Cow;

/// Room for the text of a position: most fit.
const SHORT: usize = 64;

/// The word of a compound.
pub fn compound_word(compound: Compound) -> &'static str {
    match compound {
        Compound::Conjunctive => "conjunctive",
        Compound::Continued => "continued",
        Compound::Selective => "selective",
        Compound::ShortenedSelective => "shortened_selective",
        Compound::Diminished => "diminished",
        Compound::AtMost(_) => "at_most",
    }
}

impl Context {
    /// A component as it would be written: `Bash[4](17)`.
    pub fn component_text(&self, component: &Component) -> String {
        let mut text = String::with_capacity(SHORT);
        self.add_component_text(component, &mut text);
        text
    }

    fn add_component_text(&self, component: &Component, text: &mut String) {
        text.push_str(&self.session.program.games[component.game.0].name);
        for (open, values, close) in [('[', &component.params, ']'), ('(', &component.state, ')')] {
            for (i, value) in values.iter().enumerate() {
                if i == 0 {
                    text.push(open);
                } else {
                    text.push_str(", ");
                }
                value.add_position_text(text);
            }
            if !values.is_empty() {
                text.push(close);
            }
        }
    }

    /// A sum as it would be written; `misere` stands before it unless its games are misere games. Of a long one the first
    /// components, and how many are left out.
    pub fn sum_text(&self, components: &[Component], misere: bool) -> String {
        let plain = components.iter().any(|c| self.session.program.games[c.game.0].misere);
        let mut text = String::with_capacity(SHORT);
        text.push_str(if misere && !plain { "misere " } else { "" });
        self.add_sum_text(components.iter().map(Cow::Borrowed), components.len(), &mut text);
        text
    }

    fn add_sum_text<'c>(&self, each: impl Iterator<Item = Cow<'c, Component>>, all: usize, text: &mut String) {
        if all == 0 {
            text.push_str("sum([])");
        }
        let (written, rest) = cut(all, WRITTEN);
        for (i, component) in each.take(written).enumerate() {
            text.push_str(if i > 0 { " + " } else { "" });
            self.add_component_text(&component, text);
        }
        if let Some(rest) = rest {
            text.push_str(" + ");
            text.push_str(&rest);
        }
    }

    /// With other components in the place of one.
    pub(crate) fn row_text_with(&self, row: &Row, place: usize, instead: &[Component]) -> String {
        let one = |i| row.component(i).map(Cow::Owned);
        let before = (0..place).filter_map(one);
        let behind = (place + 1..row.ints.len()).filter_map(one);
        let mut text = String::new();
        let each = before.chain(instead.iter().map(Cow::Borrowed)).chain(behind);
        self.add_sum_text(each, row.ints.len() - 1 + instead.len(), &mut text);
        text
    }

    /// A position as it would be written.
    pub fn position_text(&self, position: &Position) -> String {
        match &position.shape {
            Shape::Sum(Components::Row(row)) if !position.misere => {
                let mut text = String::new();
                let each = (0..row.ints.len()).filter_map(|i| row.component(i).map(Cow::Owned));
                self.add_sum_text(each, row.ints.len(), &mut text);
                text
            }
            Shape::Sum(components) => self.sum_text(components, position.misere),
            Shape::Compound(compound, parts) => {
                let plain = parts.iter().any(|p| match &p.shape {
                    Shape::Sum(cs) => cs.iter().any(|c| self.session.program.games[c.game.0].misere),
                    Shape::Compound(..) => false,
                });
                let mut texts: Vec<String> = parts
                    .iter()
                    .map(|p| match &p.shape {
                        Shape::Sum(components) => self.sum_text(components, false),
                        Shape::Compound(..) => self.position_text(p),
                    })
                    .collect();
                if let Compound::AtMost(k) = compound {
                    texts.insert(0, k.to_string());
                }
                let text = format!("{}({})", compound_word(*compound), texts.join(", "));
                if position.misere && !plain { format!("misere {text}") } else { text }
            }
        }
    }
}
