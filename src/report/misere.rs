//! Misere quotients as text and JSON. Elements are numbered in the order of their words, the identity first.

use crate::report::paint::{bold, dim};
use crate::report::{counted, duration, grouped};
use grundy_heap::misere::monoid::Element;
use grundy_heap::misere::period::Period;
use grundy_heap::misere::presentation::{Presentation, Word};
use grundy_heap::misere::quotient::Quotient;
use serde_json::{Value as Json, json};
use std::time::Duration;

/// Quotients up to this order have their table printed, and this many heaps, relations and lost elements are.
const TABLE: usize = 16;
const SHOWN: usize = 60;

/// How far a quotient reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It is that of all heaps.
    Complete(Period),
    /// It is that of the heaps up to a size.
    Partial,
    /// No quotient of one heap more was found.
    AtLeast,
}

/// A quotient in the order in which it is reported.
struct Reported<'q> {
    quotient: &'q Quotient,
    presentation: Presentation,
    /// The place of each element in that order.
    places: Vec<usize>,
}

impl<'q> Reported<'q> {
    fn new(quotient: &'q Quotient) -> Self {
        let presentation = Presentation::new(quotient.monoid(), quotient.images());
        let mut places = vec![0; presentation.order.len()];
        for (place, &x) in presentation.order.iter().enumerate() {
            places[usize::from(x)] = place;
        }
        Reported { quotient, presentation, places }
    }

    fn place(&self, x: Element) -> usize {
        self.places[usize::from(x)]
    }

    fn word(&self, x: Element) -> String {
        self.presentation.text(&self.presentation.words[usize::from(x)])
    }

    fn lost(&self) -> Vec<Element> {
        self.presentation.order.iter().copied().filter(|x| self.quotient.monoid().is_lost(*x)).collect()
    }

    fn relation(&self, (left, right): &(Word, Word)) -> String {
        format!("{} = {}", self.presentation.text(left), self.presentation.text(right))
    }

    /// The products of an element, by place.
    fn row(&self, x: Element) -> Vec<usize> {
        let products = self.presentation.order.iter().map(|y| self.quotient.monoid().times(x, *y));
        products.map(|product| self.place(product)).collect()
    }
}

/// The quotient as one object.
pub fn json(quotient: &Quotient, reach: Reach, time: Duration) -> Json {
    let reported = Reported::new(quotient);
    let Presentation { generators, order, relations, .. } = &reported.presentation;
    let (status, period) = match reach {
        Reach::Complete(period) => ("complete", Some(period)),
        Reach::Partial => ("partial", None),
        Reach::AtLeast => ("at least", None),
    };
    let generator = |(at, (heap, x)): (usize, &(usize, Element))| json!({ "name": Presentation::name(at), "heap": heap, "element": reported.place(*x) });
    let lost = reported.lost();
    json!({
        "code": quotient.game().to_string(),
        "play": "misere",
        "status": status,
        "heaps": quotient.images().len() - 1,
        "order": order.len(),
        "lost_count": lost.len(),
        "lost": lost.iter().map(|x| reported.place(*x)).collect::<Vec<_>>(),
        "transitions": quotient.pairs(),
        "period": period.map(|period| period.length),
        "preperiod": period.map(|period| period.start),
        "proved": period.is_some(),
        "generators": generators.iter().enumerate().map(generator).collect::<Vec<_>>(),
        "relations": relations.iter().map(|relation| reported.relation(relation)).collect::<Vec<_>>(),
        "elements": order.iter().map(|x| reported.word(*x)).collect::<Vec<_>>(),
        "images": quotient.images().iter().map(|x| reported.place(*x)).collect::<Vec<_>>(),
        "table": order.iter().map(|x| reported.row(*x)).collect::<Vec<_>>(),
        "seconds": time.as_secs_f64(),
    })
}

/// The quotient for people: a line for each thing known.
pub fn text(quotient: &Quotient, reach: Reach, time: Duration) -> String {
    let reported = Reported::new(quotient);
    let Presentation { generators, order, relations, .. } = &reported.presentation;
    let mut lines = vec![bold(&format!("{}, misere play", quotient.game()))];
    let mut line = |name: &str, text: String| lines.push(format!("  {name:<14} {text}"));
    let heaps = quotient.images().len() - 1;
    line(
        "quotient",
        match reach {
            Reach::Complete(_) => format!("complete: of all heaps; proved by heaps up to {}", grouped(heaps as u64)),
            Reach::Partial => format!("verified for all sums of heaps up to {}", grouped(heaps as u64)),
            Reach::AtLeast => {
                let classes = grouped(order.len() as u64);
                format!(
                    "at least {classes} classes of sums; verified for all sums of heaps up to {}",
                    grouped(heaps as u64)
                )
            }
        },
    );
    let lost = reported.lost();
    line("order", format!("{}, {} of them lost", grouped(order.len() as u64), grouped(lost.len() as u64)));
    line("transitions", counted(quotient.pairs() as u64, "pair"));
    if let Reach::Complete(period) = reach {
        line("period", format!("{}, proved", grouped(period.length as u64)));
        line("pre-period", format!("{}: heaps repeat from {0} on", grouped(period.start as u64)));
    }
    let named =
        generators.iter().enumerate().map(|(at, (heap, _))| format!("{} = heap {heap}", Presentation::name(at)));
    line("generators", listed(named, ", ", generators.len()));
    line("relations", listed(relations.iter().map(|relation| reported.relation(relation)), ", ", relations.len()));
    line("lost", listed(lost.iter().map(|x| reported.word(*x)), ", ", lost.len()));
    let images = quotient.images().iter().enumerate().skip(1);
    line("heaps", listed(images.map(|(heap, x)| format!("{heap}: {}", reported.word(*x))), ", ", heaps));
    if order.len() <= TABLE {
        let words: Vec<String> = order.iter().map(|x| reported.word(*x)).collect();
        let width = words.iter().map(String::len).max().unwrap_or(1);
        for (at, x) in order.iter().enumerate() {
            let row: Vec<String> = reported.row(*x).iter().map(|y| format!("{:width$}", words[*y])).collect();
            line(if at == 0 { "table" } else { "" }, row.join("  ").trim_end().to_string());
        }
    } else {
        line("table", "with --json".into());
    }
    line("time", dim(&duration(time)));
    lines.join("\n") + "\n"
}

/// The first of some texts; whether there are more.
fn listed(texts: impl Iterator<Item = String>, between: &str, count: usize) -> String {
    let shown: Vec<String> = texts.take(SHOWN).collect();
    let more = if count > SHOWN {
        format!("{between}.. ({} in all, with --json)", grouped(count as u64))
    } else {
        String::new()
    };
    if count == 0 { "none".into() } else { shown.join(between) + &more }
}
