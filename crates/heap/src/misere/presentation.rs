//! A quotient by generators and relations: each element as the first product of generators that it is.

use crate::misere::monoid::{Element, Monoid};
use hashbrown::HashMap;

/// How often each generator stands in a product.
pub type Word = Vec<u32>;

/// Generators, the words of the elements, and relations that determine the monoid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presentation {
    /// Heaps whose elements are no products of those of smaller heaps, with these elements.
    pub generators: Vec<(usize, Element)>,
    /// All elements in the order of their words: by length, then earlier generators first. The first is the identity.
    pub order: Vec<Element>,
    /// The word of each element, by its number.
    pub words: Vec<Word>,
    /// Words that are equal, the second one the word of its element: the rewriting rules of a Groebner basis of the monoid
    /// (J. C. Rosales and P. A. Garcia-Sanchez, "Finitely Generated Commutative Monoids", 1999).
    pub relations: Vec<(Word, Word)>,
}

impl Presentation {
    /// Of a monoid that the elements of heaps generate. O(order x generators^2).
    pub fn new(monoid: &Monoid, images: &[Element]) -> Presentation {
        let generators = generators(monoid, images);
        let count = generators.len();
        let mut words: HashMap<Element, Word> = HashMap::from([(0, vec![0; count])]);
        let (mut order, mut relations) = (vec![0], Vec::new());
        // The words of one length, and then those of the next.
        let mut last = vec![(vec![0; count], 0 as Element)];
        while !last.is_empty() {
            let longer = last.iter().flat_map(|(word, x)| {
                generators.iter().enumerate().map(|(at, (_, generator))| {
                    let mut longer: Word = word.clone();
                    longer[at] += 1;
                    (longer, monoid.times(*x, *generator))
                })
            });
            let mut longer: Vec<(Word, Element)> = longer.collect();
            // Earlier generators first: the larger exponents.
            longer.sort_by(|(a, _), (b, _)| b.cmp(a));
            longer.dedup();
            last.clear();
            for (word, x) in longer {
                let Some(known) = words.get(&x) else {
                    words.insert(x, word.clone());
                    order.push(x);
                    last.push((word, x));
                    continue;
                };
                // A word with a part that is no element's word follows from a shorter relation.
                let parts = (0..count).filter(|&at| word[at] > 0).map(|at| {
                    let mut part = word.clone();
                    part[at] -= 1;
                    part
                });
                let mut parts = parts.map(|part| {
                    let x = monoid.product(
                        generators
                            .iter()
                            .zip(&part)
                            .flat_map(|((_, generator), &times)| std::iter::repeat_n(*generator, times as usize)),
                    );
                    words.get(&x) == Some(&part)
                });
                if parts.all(|is_word| is_word) {
                    relations.push((word, known.clone()));
                }
            }
        }
        let words = monoid.elements().map(|x| words.remove(&x).unwrap_or_default()).collect();
        Presentation { generators, order, words, relations }
    }

    /// A word as text: `1`, `a`, `b^2 c`. After `z` come `a1`, `b1` ..
    pub fn text(&self, word: &[u32]) -> String {
        let power = |(at, &times): (usize, &u32)| match times {
            0 => None,
            1 => Some(Presentation::name(at)),
            _ => Some(format!("{}^{times}", Presentation::name(at))),
        };
        let powers: Vec<String> = word.iter().enumerate().filter_map(power).collect();
        if powers.is_empty() { "1".into() } else { powers.join(" ") }
    }

    /// The name of a generator.
    pub fn name(at: usize) -> String {
        let letter = char::from(b'a' + u8::try_from(at % 26).unwrap_or(0));
        if at < 26 { letter.to_string() } else { format!("{letter}{}", at / 26) }
    }
}

/// The heaps, from small to large, whose elements are no products of those before.
fn generators(monoid: &Monoid, images: &[Element]) -> Vec<(usize, Element)> {
    let mut inside = vec![false; monoid.order()];
    inside[0] = true;
    let mut generators: Vec<(usize, Element)> = Vec::new();
    for (heap, &image) in images.iter().enumerate() {
        if inside[usize::from(image)] {
            continue;
        }
        generators.push((heap, image));
        let mut todo: Vec<Element> = monoid.elements().filter(|x| inside[usize::from(*x)]).collect();
        while let Some(x) = todo.pop() {
            let y = monoid.times(x, image);
            if !std::mem::replace(&mut inside[usize::from(y)], true) {
                todo.push(y);
            }
        }
    }
    generators
}
