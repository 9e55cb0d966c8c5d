//! Tables that are kept in a directory: which of them know a component, and where new ones go.
//!
//! A table is told by what its rules depend on besides the game file, its inputs and data, by its kind and its box. Where no
//! directory is given nothing is kept. Tables that are filled in order are made as without a directory
//! (`by_tables`), but for where their cells are; boxes in blocks by an engine of their own (`blocked`).

use crate::bytecode::layout::FieldLayout;
use crate::bytecode::{DomainId, InstanceId, WordType};
use crate::disk::{Folder, Made, digest};
use crate::input::json::to_json;
use crate::source::Code;
use crate::store::ComponentId;
use crate::tables::{Dense, Grid, Kind, Table, kept};
use crate::value::domain::Domain;
use crate::value::{Fault, Halt, Run, width};
use crate::vm::context::Context;
use serde_json::Value as Json;
use std::fmt::Write;

/// A finished table that knows a component.
pub(super) fn finished(ctx: &Context, id: ComponentId, kind: Kind) -> Run<Option<Table>> {
    if ctx.session.tables.is_none() {
        return Ok(None);
    }
    let instance = ctx.store.instance_of[id.index()];
    let Some(words) = ctx.store.state_words(id) else { return Ok(None) };
    let sums = (kind == Kind::GrundyFar).then_some(Kind::Grundy);
    for kind in [Some(kind), sums].into_iter().flatten() {
        for (folder, grid) in finished_boxes(ctx, instance, name(kind), &words)? {
            let table = Dense::finished(folder, grid, kind, &ctx.limits).map_err(placeless)?;
            if table.read(&words).is_some() {
                return Ok(Some(Table::Dense(table)));
            }
        }
    }
    Ok(None)
}

/// Where a table of a box goes that is made for this state; `None`: it is not kept. `kind`: what is worked out, as [`name`]
/// says it or in words of its own.
pub(super) fn folder(
    ctx: &Context,
    instance: InstanceId,
    kind: &str,
    grid: &Grid,
    start: &[i64],
) -> Run<Option<Folder>> {
    let Some(dir) = ctx.session.tables.as_ref().filter(|dir| !dir.is_read_only()) else { return Ok(None) };
    dir.folder(&made(ctx, instance, kind, kept::noted(grid), start)).map(Some).map_err(bare)
}

/// Folders of finished tables of this kind whose boxes hold a state, each with its box.
pub(super) fn finished_boxes(
    ctx: &Context,
    instance: InstanceId,
    kind: &str,
    words: &[i64],
) -> Run<Vec<(Folder, Grid)>> {
    let Some(dir) = &ctx.session.tables else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for (folder, space, _) in dir.finished(&made(ctx, instance, kind, Json::Null, words)).map_err(bare)? {
        let grid = kept::restored(&space).map_err(bare)?;
        if grid.rank(words).is_some() {
            found.push((folder, grid));
        }
    }
    Ok(found)
}

/// Why no table is kept.
pub(crate) fn why_none(ctx: &Context) -> String {
    let noted = ctx.session.tables.as_ref().and_then(|dir| dir.refused());
    let refused = || ctx.memo.table_refusals.values().next().map(ToString::to_string);
    let why = noted.or_else(refused);
    why.unwrap_or_else(|| "the positions are few, or are answered without a table".to_string())
}

/// An error that is nobody's in the game file has no place there.
pub(super) fn placeless(halt: Halt) -> Halt {
    match halt {
        Halt::Fault(fault) if fault.code == Code::D03 => bare(fault),
        other => other,
    }
}

pub(super) fn bare(fault: Fault) -> Halt {
    Halt::Error(Box::new(fault.bare()))
}

/// What a table is of, as its folder says it.
pub(super) fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Grundy => "values",
        Kind::GrundyFar => "remote",
        Kind::Outcome { misere: false } | Kind::Wins { misere: false } => "outcomes",
        Kind::Outcome { misere: true } | Kind::Wins { misere: true } => "misere",
        Kind::Score => "scores",
    }
}

/// A digest of the rule parameters and the forms of the fields.
pub(super) fn rules(ctx: &Context, instance: InstanceId) -> Json {
    let of = &ctx.store.instances[instance];
    let mut rules = Json::Array(of.params.iter().map(to_json).collect()).to_string();
    of.forms.iter().for_each(|form| tell(ctx, form, &mut rules));
    digest(rules.as_bytes()).into()
}

fn made(ctx: &Context, instance: InstanceId, kind: &str, space: Json, start: &[i64]) -> Made {
    Made {
        game: ctx.session.program.games[ctx.store.instances[instance].game.0].name.clone(),
        rules: rules(ctx, instance),
        kind: kind.to_string(),
        space,
        start: start.to_vec(),
    }
}

/// How a field lies in words, and what these mean.
fn tell(ctx: &Context, form: &FieldLayout, out: &mut String) {
    // A String takes all that is written to it.
    let _ = match form {
        FieldLayout::Value => write!(out, "value "),
        FieldLayout::Word(WordType::Int) => write!(out, "int "),
        FieldLayout::Word(WordType::Bool) => write!(out, "bool "),
        FieldLayout::Word(WordType::Member(domain)) => write!(out, "member {} ", domain_text(ctx, *domain)),
        FieldLayout::Word(WordType::Mask(domain)) => write!(out, "set {} ", domain_text(ctx, *domain)),
        FieldLayout::Parts(whole, parts) => {
            let _ = write!(out, "{whole:?} {} ", parts.len());
            parts.iter().for_each(|part| tell(ctx, part, out));
            Ok(())
        }
    };
}

/// What the members of a domain are, and their numbers. Of a graph its edges, and not what was worked out of it.
fn domain_text(ctx: &Context, domain: DomainId) -> String {
    match ctx.store.domains.get(domain) {
        Domain::Edges(graph) => {
            let edges = (0..width::short(graph.edges.len())).map(|edge| {
                let (u, v) = graph.edges.ends()[edge as usize];
                Json::from(vec![to_json(&graph.label(u)), to_json(&graph.label(v))])
            });
            format!("edges {:?} {}", graph.word, edges.collect::<Json>())
        }
        known => format!("{known:?}"),
    }
}
