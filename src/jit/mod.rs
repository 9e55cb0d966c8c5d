//! Native code from flat code, by way of cranelift.

pub(crate) mod box_loop;
pub(crate) mod emit;
pub(crate) mod facts;
pub(crate) mod flow;
pub(crate) mod function;
pub(crate) mod interrupt_flag;
pub(crate) mod marks;
pub(crate) mod rank;
pub(crate) mod ranking;
pub(crate) mod translate;
