//! `rustc -O` (1.95.0, LLVM 22.1.2, x86-64) prints `Same false`: `fits` returns `Same`, and the match on it takes the last arm.
//! Without derived order (or without optimisation) it prints `Same true`.

#[derive(Clone, Debug, PartialEq)]
enum Type {
    Int,
    Tuple(Vec<Type>),
    List(Box<Type>),
    Set(Box<Type>),
    Edge,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Same,
    Label,
    Change,
    Real,
    No,
}

fn fits(from: &Type, to: &Type) -> Fit {
    if from == to {
        return Fit::Same;
    }
    match (from, to) {
        (Type::Edge, Type::Tuple(parts)) => Fit::Change.max(all(parts.iter().map(|p| fits(&Type::Int, p)))),
        (Type::Tuple(a), Type::Tuple(b)) => all(a.iter().zip(b).map(|(x, y)| fits(x, y))),
        (Type::List(a), Type::Set(b)) => Fit::Change.max(fits(a, b)),
        _ => Fit::No,
    }
}

fn all(fits: impl Iterator<Item = Fit>) -> Fit {
    fits.max().unwrap_or(Fit::Same)
}

fn adapted(term: Box<Type>, want: &Type) -> Result<Box<Type>, Box<Type>> {
    match fits(&term, want) {
        Fit::Same => Ok(term),
        Fit::Label | Fit::Change => Ok(Box::new(Type::List(term))),
        Fit::Real | Fit::No => Err(term),
    }
}

fn main() {
    let want = std::hint::black_box(Type::Int);
    println!("{:?} {}", fits(&Type::Int, &want), adapted(Box::new(Type::Int), &want).is_ok());
}
