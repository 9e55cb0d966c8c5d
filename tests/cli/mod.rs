//! The program as its users meet it: commands, files that are broken, and every command of the documents.

mod bad_input;
mod cases;
mod certificate_kinds;
mod closed_forms;
mod commands;
mod contest;
mod corners;
mod discoveries;
mod docs;
mod domains;
mod draw;
mod explore;
mod guess;
mod habits;
mod kept;
mod large;
mod library;
mod limits;
mod play;
mod several;
mod theorems;
mod together;
mod values;
