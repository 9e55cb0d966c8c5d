//! What `show --stage plan` prints: each engine in the order tried, and whether it takes the position or why not.

use crate::engines::by_tables;
use crate::engines::compounds::Parts;
use crate::engines::judge::is_scored;
use crate::engines::query::Root;
use crate::engines::theorem;
use crate::model::{Ending, Target};
use crate::tables::Kind;
use crate::value::Position;
use crate::value::fault::{Halt, Run};
use crate::vm::context::Context;

/// The engines with their verdicts. No more than some thousand positions are searched; theorems are evaluated at the position, and the rules of a state that
/// may be a sum are run once.
pub(crate) fn plan(ctx: &mut Context, position: &Position) -> Run<Vec<(String, Result<(), String>)>> {
    let root = Root::new(ctx, position)?;
    let scored = is_scored(ctx, &root);
    let ending = ends_play(ctx, &root);
    let theorem = if theorem::states_values(ctx, &root)? {
        Ok(())
    } else if theorem::outcome_of(ctx, &root)?.is_some() {
        Err("a theorem states the outcome only: used when the search is too large".to_string())
    } else {
        Err("no theorem of the file gives the Grundy value of every component here".to_string())
    };
    // A play may end otherwise than by the last move: values are tried all the same.
    let risky = !root.mode.misere && root.mode.compound.is_none() && !scored && ending.is_some();
    let components = if root.mode.misere {
        Err("misere: values of components do not add up".to_string())
    } else if root.mode.compound.is_some() {
        Err("a compound is no disjunctive sum".to_string())
    } else if scored {
        Err("a scoring game has no Grundy value".to_string())
    } else if let Some(why) = ending {
        Err(format!("{why}; tried all the same: it may be out of reach"))
    } else {
        Ok(())
    };
    let heaps = match &components {
        Err(why) if !risky => Err(why.clone()),
        _ => crate::engines::heap_codes::planned(ctx, &root)?,
    };
    let by_code = heaps.is_ok().then(|| "not needed: heaps with a code".to_string());
    let mut split = match ending {
        Some(why) if risky => Err(why.to_string()),
        _ => components.clone(),
    };
    if let Some(why) = &by_code {
        split = Err(why.clone());
    } else if split.is_ok() {
        split = Err("there are no components".to_string());
        for &id in &root.ids {
            match crate::engines::decomposition::refusal(ctx, id)? {
                None => split = Ok(()),
                Some(why) if split.is_err() => split = Err(why),
                Some(_) => {}
            }
        }
    }
    let tables = match by_code {
        Some(why) => (Err(why), None),
        None => tables(ctx, &root, scored)?,
    };
    let whole = if scored {
        Err("a scoring game".to_string())
    } else if root.mode.compound.is_some() {
        Err("a compound is no disjunctive sum".to_string())
    } else if components.is_ok() {
        Err("not needed".to_string())
    } else if root.ids.len() == 1 {
        Err("one component; tried all the same where its moves lead to sums".to_string())
    } else {
        Ok(())
    };
    let parts = if scored { Err("a scoring game".to_string()) } else { parts(ctx, &root)? };
    let retrograde = if scored {
        Err("a scoring game".to_string())
    } else if components.is_ok() {
        Err("not needed, unless a play can come back to a position".to_string())
    } else if whole.is_ok() {
        Err("where a play comes back to a position".to_string())
    } else {
        Ok(())
    };
    let scores = if scored { Ok(()) } else { Err("no `gain` and no `score`".to_string()) };
    let mut plan = vec![
        ("theorem".to_string(), theorem),
        (
            match &heaps {
                Ok(codes) => format!("heaps by their code {}: any size once a period is proved", codes.join(", ")),
                Err(_) => "heaps by their code".to_string(),
            },
            heaps.map(|_| ()),
        ),
        ("a state that is a sum: values of its parts".to_string(), split),
        ("components: Grundy values, depth first, xored".to_string(), components),
        ("native code over a table of states".to_string(), tables.0),
        ("parts of a compound, or of a sum in misere play".to_string(), parts),
        ("a sum as a whole, depth first".to_string(), whole),
        ("retrograde analysis of the whole position".to_string(), retrograde),
        ("scores of the whole position, from the ends up".to_string(), scores),
    ];
    if let Some(forecast) = tables.1 {
        plan[4].0 = format!("{}: {forecast}", plan[4].0);
    }
    Ok(plan)
}

/// Whether a rule tells who wins from facts about the parts.
fn parts(ctx: &mut Context, root: &Root) -> Run<Result<(), String>> {
    let found = crate::engines::theorem::tried_within(ctx, crate::tuning::SEARCH, |ctx| Parts::of(ctx, root))?;
    Ok(match found {
        Some(found) => found.map(|_| ()),
        None => Err("the parts have many positions; tried when a search of the whole has more".to_string()),
    })
}

/// Whether the first component that needs one gets a table, and what it takes.
fn tables(ctx: &mut Context, root: &Root, scored: bool) -> Run<(Result<(), String>, Option<String>)> {
    if scored {
        return Ok((Err("a scoring game".to_string()), None));
    }
    if root.mode.compound.is_some() {
        return Ok((Err("a compound is judged by its parts or searched whole".to_string()), None));
    }
    let kind = if root.mode.misere { Kind::Outcome { misere: true } } else { Kind::GrundyFar };
    if root.mode.misere && root.ids.len() != 1 {
        return Ok((Err("a sum in misere play is searched whole".to_string()), None));
    }
    let mut why = "there are no components".to_string();
    for &id in &root.ids {
        match by_tables::forecast(ctx, id, kind) {
            Ok(Ok(forecast)) => return Ok((Ok(()), Some(forecast))),
            Ok(Err(refusal)) => why = refusal,
            Err(Halt::Error(error)) => why = format!("the rules fail: {}", error.message),
            Err(Halt::Fault(fault)) => why = format!("the rules fail: {}", fault.message),
            Err(again) => return Err(again),
        }
    }
    Ok((Err(why), None))
}

/// What in the rules can end the whole play or keep the turn, in the games that the position can come to.
fn ends_play(ctx: &Context, root: &Root) -> Option<&'static str> {
    let of_leaf = |target: &Target| match target {
        Target::Stop(_) => Some("a move can end the whole play"),
        Target::Go { again: true, .. } => Some("a move can keep the turn"),
        _ => None,
    };
    crate::engines::judge::games_of(ctx, root).into_iter().find_map(|game| {
        let game = &ctx.session.program.games[game];
        let ends = game.ends.iter().any(|e| matches!(e.verdict, Ending::Play(_)));
        ends.then_some("an `end when` can end the whole play")
            .or_else(|| game.moves.iter().flat_map(|m| m.target.leaves()).find_map(of_leaf))
    })
}
