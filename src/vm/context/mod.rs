//! What a run is given and what it has made so far, each part with an owner.
//!
//! [`Session`] is what the caller decides. [`CodeCache`], [`Store`], [`Globals`] and [`Memo`] are filled while questions are
//! answered; all of them are made anew by [`Context::forget`] when the rules need another form.

mod code_cache;
mod components;
mod entering;
mod globals;
mod instance;
mod lowering;
mod recovery;
mod session;

use crate::input::data::DataFiles;
use crate::memo::Memo;
use crate::model::Program;
use crate::store::Store;
use crate::value::Value;
use crate::value::limits::Limits;
pub use crate::vm::context::code_cache::CodeCache;
pub(crate) use crate::vm::context::code_cache::CodeKey;
pub(crate) use crate::vm::context::globals::Globals;
pub use crate::vm::context::session::{EngineOptions, Hook, Policy, Session};
use crate::vm::run::RunState;
use std::sync::Arc;

/// Everything that answering questions about one program needs.
pub struct Context {
    /// The program, and who answers questions about positions.
    pub session: Session,
    /// The engines in force; [`Context::with_options`] changes them for a part of the work.
    pub options: EngineOptions,
    /// The limits in force; [`Context::under`] narrows them for a part of the work.
    pub limits: Limits,
    /// Compiled code.
    pub code: CodeCache,
    /// Instances of games and the states met.
    pub(crate) store: Store,
    /// What the engines remember.
    pub memo: Memo,
    /// Values at top level.
    pub globals: Globals,
    /// What running code uses up and uses again.
    pub(crate) run: RunState,
}

impl Context {
    /// A context for a program. `hook` answers questions of rules about positions.
    pub fn new(program: Arc<Program>, files: Arc<dyn DataFiles>, limits: Limits, hook: Hook) -> Self {
        Context {
            globals: Globals::new(&program, files),
            session: Session::new(program, hook),
            options: EngineOptions::default(),
            limits,
            code: CodeCache::default(),
            store: Store::default(),
            memo: Memo::default(),
            run: RunState::default(),
        }
    }

    /// Sets the given inputs, by input; lets that read inputs are forgotten.
    pub fn give(&mut self, given: Vec<Option<Value>>) {
        self.globals.give(&self.session.program, given);
    }

    /// Forgets everything about games: instances, components, code.
    pub fn forget(&mut self) {
        self.store = Store::default();
        self.code.forget();
        self.memo = Memo::default();
    }

    /// Whether so many instances, domains or bytes are held that a long row of questions had better begin anew.
    pub fn is_crowded(&self) -> bool {
        /// Looking for one among more domains takes longer than making them again.
        const DOMAINS: usize = 500;
        /// Each instance holds code.
        const INSTANCES: usize = 10_000;
        self.store.domains() > DOMAINS
            || self.store.instances.iter().len() > INSTANCES
            || self.bytes() > self.limits.memory / 4
    }

    /// Bytes held by the tables of components and by instances, roughly.
    pub fn bytes(&self) -> usize {
        self.store.bytes() + self.code.held + self.memo.bytes()
    }
}
