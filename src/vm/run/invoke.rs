//! Calls of definitions that are not unfolded: arguments checked, results remembered.

use crate::bytecode::{InstanceId, InvokeSpec};
use crate::source::diagnostic::Code;
use crate::value::Value;
use crate::value::fault::{Fault, Run};
use crate::vm::context::Context;
use crate::vm::run::Frame;

pub(in crate::vm) struct Call {
    pub(in crate::vm) key: (crate::model::DefId, Option<InstanceId>),
    pub(in crate::vm) args: Box<[Value]>,
}

impl Context {
    pub(super) fn invoke(&mut self, spec: &InvokeSpec, frame: &Frame) -> Run<Invoked> {
        let program = self.session.program.clone();
        let def = &program.defs[spec.def.0];
        let values = &frame.regs.values;
        let given: Vec<Option<Value>> = spec.args.iter().map(|a| a.map(|a| values[usize::from(a)].clone())).collect();
        let instance = frame.code.instance.filter(|_| def.owner.is_some());
        let owned = given.len() - def.params.len();
        let mut args: Vec<Value> = given[..owned].iter().flatten().cloned().collect();
        for (i, value) in given[owned..].iter().enumerate() {
            let field = &def.params[i];
            let known: Vec<_> = args
                .iter()
                .cloned()
                .enumerate()
                .map(|(i, v)| (if i < owned { i } else { def.prefix + i - owned }, v))
                .collect();
            let value = match (value, &field.default) {
                (Some(value), _) => value.clone(),
                (None, Some(default)) => self.eval_once(&def.frame, instance, &known, default)?,
                (None, None) => {
                    return Err(Fault::new(Code::E05, format!("`{}` is missing an argument", def.name)).into());
                }
            };
            let graph = |slot| known.iter().find(|(s, _)| *s == slot).map(|(_, v)| v.clone());
            let place = || format!("`{}` of `{}`", field.name, def.name);
            args.push(self.enter_kind(value, &field.kind, graph, place)?);
        }
        let args: Box<[Value]> = args.into();
        let key = (spec.def, instance);
        if let Some(value) = self.code.def_memo.get(&key).and_then(|memo| memo.get(&args)) {
            return Ok(Invoked::Known(value.clone()));
        }
        self.fuel()?;
        let code = self.def_code(spec.def, instance);
        let mut regs = self.run.pool.pop().unwrap_or_default();
        regs.fit(&code);
        for (i, value) in args.iter().enumerate() {
            regs.values[i + 1] = value.clone();
        }
        let inner = Frame { code, pc: 0, regs, back: Vec::new(), call: None };
        Ok(Invoked::Enter(Box::new(inner), Call { key, args }))
    }
}

pub(super) enum Invoked {
    Known(Value),
    Enter(Box<Frame>, Call),
}
