//! One compiled function and what keeps it alive.

use crate::value::refusal::Refusal;
use cranelift_codegen::Context;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, Signature};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, ModuleError, default_libcall_names};

/// Native code of one function `fn(*mut A, *mut i64) -> i64`. The memory is given back when it is dropped.
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
    /// Compiles what `build` makes in an empty function of two addresses that returns a word.
    pub(crate) fn compile(
        build: impl FnOnce(FunctionBuilder, TargetFrontendConfig) -> Result<(), Refusal>,
    ) -> Result<Native, Refusal> {
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", "speed"),
            ("use_colocated_libcalls", "false"),
            ("is_pic", "false"),
            ("enable_verifier", VERIFY),
        ] {
            flags.set(name, value).map_err(|_| Refusal::NoNativeCode)?;
        }
        let isa = cranelift_native::builder().map_err(|_| Refusal::NoNativeCode)?;
        let isa = isa.finish(settings::Flags::new(flags)).map_err(|_| Refusal::NoNativeCode)?;
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let target = module.target_config();
        let mut context: Context = module.make_context();
        let mut signature = Signature::new(target.default_call_conv);
        signature.params.extend([AbiParam::new(I64), AbiParam::new(I64)]);
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

    /// Runs it.
    ///
    /// # Safety
    /// The arguments must be what the code was built for: every address that it forms from them must be valid.
    #[allow(unsafe_code)]
    pub(crate) unsafe fn call<A>(&self, state: *mut A, words: *mut i64) -> i64 {
        // SAFETY: `compile` made a function of this signature and convention at the address, and the module is alive.
        unsafe {
            let run: extern "C" fn(*mut A, *mut i64) -> i64 = std::mem::transmute(self.address);
            run(state, words)
        }
    }
}

const VERIFY: &str = if cfg!(debug_assertions) { "true" } else { "false" };

fn define(module: &mut JITModule, context: &mut Context) -> Result<FuncId, Box<ModuleError>> {
    let id = module.declare_function("rules", Linkage::Local, &context.func.signature).map_err(Box::new)?;
    module.define_function(id, context).map_err(Box::new)?;
    module.finalize_definitions().map_err(Box::new)?;
    Ok(id)
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
