//! Everything that reads data: JSON, data files, the values of inputs.

pub mod data;
pub mod datafile;
pub mod entry;
pub mod json;
