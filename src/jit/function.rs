//! One compiled function and what keeps it alive, and the flag that it asks: set when the time is over or the user wants to
//! stop.

use crate::jit::frame::{Frame, FrameInUse};
use crate::value::limits::Limits;
use crate::value::refusal::{Attempt, Failure, Refusal};
use crate::value::team::beside;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, Signature};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_codegen::settings::Configurable;
use cranelift_codegen::{Context, settings};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, ModuleError, default_libcall_names};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Native code of one function `fn(*mut A, *mut i64, *mut Frame) -> i64`. The memory is given back when it is dropped.
pub(crate) struct Native {
    module: Option<JITModule>,
    address: *const u8,
}

// SAFETY: the code is immutable once made, and the module is only touched when dropped.
#[allow(unsafe_code)]
unsafe impl Send for Native {}

#[allow(unsafe_code)]
// SAFETY: as above; calls share nothing but what their arguments point to.
unsafe impl Sync for Native {}

impl Native {
    /// Compiles what `build` makes in an empty function of three addresses that returns a word.
    pub(crate) fn compile(
        build: impl FnOnce(FunctionBuilder, TargetFrontendConfig) -> Result<(), Refusal>,
    ) -> Result<Native, Refusal> {
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", "speed"),
            ("use_colocated_libcalls", "false"),
            ("is_pic", "false"),
            ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
        ] {
            flags.set(name, value).map_err(|_| Refusal::NoNativeCode)?;
        }
        let isa = cranelift_native::builder().map_err(|_| Refusal::NoNativeCode)?;
        let isa = isa.finish(settings::Flags::new(flags)).map_err(|_| Refusal::NoNativeCode)?;
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let target = module.target_config();
        let mut context: Context = module.make_context();
        let mut signature = Signature::new(target.default_call_conv);
        signature.params.extend([AbiParam::new(I64); 3]);
        signature.returns.push(AbiParam::new(I64));
        context.func.signature = signature;
        let mut shared = FunctionBuilderContext::new();
        build(FunctionBuilder::new(&mut context.func, &mut shared), target)?;
        let made = define(&mut module, &mut context);
        match made {
            Ok(id) => {
                let address = module.get_finalized_function(id);
                Ok(Native { module: Some(module), address })
            }
            Err(error) => {
                debug_assert!(matches!(*error, ModuleError::Allocation { .. }), "{error:?}");
                Err(Refusal::NotCompiled)
            }
        }
    }

    /// # Safety
    /// The arguments must be what the code was built for: every address that it forms from them must be valid.
    #[allow(unsafe_code)]
    pub(crate) unsafe fn call<A>(&self, state: *mut A, words: *mut i64, frame: &mut FrameInUse) -> i64 {
        // SAFETY: `compile` made a function of this signature and convention at the address, and the module is alive.
        unsafe {
            let run: extern "C" fn(*mut A, *mut i64, *mut Frame) -> i64 = std::mem::transmute(self.address);
            run(state, words, frame.address())
        }
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: nothing can run the code any more: every call borrows `self`.
            #[allow(unsafe_code)]
            unsafe {
                module.free_memory();
            }
        }
    }
}

fn define(module: &mut JITModule, context: &mut Context) -> Result<FuncId, Box<ModuleError>> {
    let id = module.declare_function("rules", Linkage::Local, &context.func.signature).map_err(Box::new)?;
    module.define_function(id, context).map_err(Box::new)?;
    module.finalize_definitions().map_err(Box::new)?;
    Ok(id)
}

/// Runs `work` with a thread beside it that sets the flag when a limit of time is reached.
pub fn watched<T>(limits: &Limits, flag: &Arc<AtomicBool>, work: impl FnOnce() -> T) -> T {
    const NAP: Duration = Duration::from_millis(50);
    flag.store(false, Ordering::Relaxed);
    let watch = |over: &AtomicBool| {
        while !over.load(Ordering::Acquire) {
            let left = limits.deadline.map(|(at, _)| at.saturating_duration_since(Instant::now()));
            if limits.interrupted.load(Ordering::Relaxed) || left.is_some_and(|left| left.is_zero()) {
                flag.store(true, Ordering::Relaxed);
                return;
            }
            std::thread::park_timeout(left.map_or(NAP, |left| left.min(NAP)));
        }
    };
    beside(Some(watch), work)
}

/// Runs an attempt in this way. Where the flag interrupts it, the limit that is reached stops the run.
pub(crate) fn watched_attempt<T>(
    limits: &Limits,
    flag: &Arc<AtomicBool>,
    work: impl FnOnce() -> Attempt<T>,
) -> Attempt<T> {
    let done = watched(limits, flag, work);
    if let Err(Failure::Refused(Refusal::Interrupted)) = done {
        limits.check_clock()?;
        return Err(Refusal::Outside.into());
    }
    done
}
