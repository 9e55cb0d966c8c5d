//! Processes that work together, for tests: threads that are connected as processes are.

use crate::naive::engine::{EVERYTHING, each};
use grundy::answer::Answer;
use grundy::engines::{self, Choice, Parts};
use grundy::processes::Crew;
use grundy::processes::mesh::Mesh;
use grundy::value::Halt;
use grundy::vm::context::Context;
use std::cell::RefCell;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// So many, connected each with each.
pub fn crews(count: usize) -> Vec<Arc<Crew>> {
    let mut sockets: Vec<Vec<Option<TcpStream>>> = (0..count).map(|_| (0..count).map(|_| None).collect()).collect();
    for (a, b) in (0..count).flat_map(|a| (0..a).map(move |b| (a, b))) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        sockets[a][b] = Some(TcpStream::connect(address).expect("connected"));
        sockets[b][a] = Some(listener.accept().expect("accepted").0);
    }
    let crew = |sockets| Arc::new(Crew::new(Mesh::new(sockets).expect("a mesh"), Box::new(Vec::new)));
    sockets.into_iter().map(crew).collect()
}

/// The answers of the first of so many processes about all positions of a program, and why it has worked alone, if it has. `ctx`:
/// what each works with.
pub fn answers(
    count: usize,
    remoteness: bool,
    ctx: impl Fn(&Crew) -> Context + Sync,
) -> (Vec<Result<Answer, String>>, Option<String>) {
    let mut found = None;
    thread::scope(|scope| {
        let mut first = Some(&mut found);
        for crew in crews(count) {
            let (first, ctx) = (first.take_if(|_| crew.leads()), &ctx);
            scope.spawn(move || {
                let mut ctx = ctx(&crew);
                ctx.session.crew = Some(crew.clone());
                if let Some(first) = first {
                    let answers = each(&mut ctx, |ctx, position| {
                        let answer = engines::solve(ctx, position, Choice { remoteness, ..EVERYTHING });
                        if !matches!(answer, Err(Halt::Deopt(_))) {
                            engines::dismiss(&crew).expect("the others hear it");
                        }
                        answer
                    });
                    let answers = answers.into_iter().map(|answer| answer.map_err(|e| e.code.to_string())).collect();
                    *first = Some((answers, crew.why_alone()));
                } else {
                    let parts = RefCell::new(Parts::default());
                    each(&mut ctx, |ctx, position| engines::serve(ctx, position, &crew, &mut parts.borrow_mut()));
                }
                crew.leave();
            });
        }
    });
    found.expect("the first one has answered")
}
