//! Findings of `check` and `prove`: JSON lines and readable text.

use crate::answer::{Finding, ProofScopePart, Verdict, named_text};
use crate::input::json::to_json;
use serde_json::{Map, Value as Json, json};

/// A finding as the JSON object of the contract of the command line. A statement that could not be evaluated has the verdict
/// `null` and an `error` with code and message.
pub fn to_object(finding: &Finding) -> Json {
    let mut object = Map::new();
    let mut put = |key: &str, value: Json| {
        object.insert(key.into(), value);
    };
    put("file", Json::from(finding.file.as_str()));
    put("kind", Json::from(finding.kind.word()));
    put("title", Json::from(finding.title.as_str()));
    put("verdict", finding.verdict.as_ref().map_or(Json::Null, |verdict| Json::from(verdict.word())));
    put("success", Json::from(finding.success()));
    if finding.negated {
        put("meant_to_be_false", Json::from(true));
    }
    let refuted = matches!(finding.verdict, Ok(Verdict::Refuted));
    let named = finding.counterexample.iter().map(|(name, value)| (name.clone(), to_json(value)));
    put("counterexample", if refuted { Json::Object(named.collect()) } else { Json::Null });
    put("claimed", Json::from(finding.claimed.as_deref()));
    put("found", Json::from(finding.found.as_deref()));
    put("searched", Json::from(finding.searched));
    put("bound", Json::from(finding.bound.as_deref()));
    put("certificate", Json::from(finding.verdict.as_ref().ok().and_then(Verdict::certificate)));
    if let Ok(Verdict::ProvedPart { scope, .. }) = &finding.verdict {
        let part = |part: &ProofScopePart| json!({ "values": part.values.iter().map(|values| values.iter().map(to_json).collect()).collect::<Vec<Vec<Json>>>(), "lengths": part.lengths });
        let parts: Vec<Json> = scope.parts.iter().map(part).collect();
        put("scope", json!({ "parameters": scope.parameters, "parts": parts }));
    }
    if let Ok(Verdict::Unknown { limit }) = &finding.verdict {
        put("limit", Json::from(limit.as_str()));
    }
    if !finding.line.is_empty() {
        put("line", Json::from(finding.line.clone()));
    }
    if let Err(error) = &finding.verdict {
        put("error", json!({ "code": error.code, "message": error.message, "hint": error.hint }));
    }
    put("positions", Json::from(finding.positions));
    put("seconds", Json::from((finding.seconds * 1e6).round() / 1e6));
    Json::Object(object)
}

/// The word that stands first in the text of a finding.
pub fn word(finding: &Finding) -> &'static str {
    match &finding.verdict {
        Ok(Verdict::ProvedPart { .. }) => "PROVED FOR",
        Ok(verdict) => verdict.word(),
        Err(_) => "ERROR",
    }
}

/// A finding as text: the verdict, aligned, then what it is about; lines with the counterexample follow. The error of a
/// statement that could not be evaluated is for the caller to render. No line end at the end.
pub fn to_text(finding: &Finding) -> String {
    /// Words are filled up to the longest.
    const WIDTH: usize = 8;
    let mut text = format!("{:WIDTH$}  {} \"{}\"", word(finding), finding.kind.word(), finding.title);
    let plural = if finding.searched == 1 { "" } else { "s" };
    let searched = format!("{} instance{plural}", finding.searched);
    match &finding.verdict {
        Ok(Verdict::Proved { certificate }) => {
            text.extend([": for ", finding.bound.as_deref().unwrap_or("all positions"), " (", certificate, ")"]);
        }
        Ok(Verdict::ProvedPart { certificate, .. }) => {
            text.extend([
                ": ",
                finding.bound.as_deref().unwrap_or_default(),
                " (",
                certificate,
                "); of the others nothing is proved",
            ]);
        }
        Ok(Verdict::Verified) => {
            text.extend([": ", finding.bound.as_deref().unwrap_or("as far as searched"), ", ", &searched]);
            if finding.searched == 0 {
                text += ": nothing to check";
            }
        }
        Ok(Verdict::Unknown { limit }) => text.extend([": ", limit]),
        Ok(Verdict::Refuted) => {
            if finding.negated {
                text += ", as it is meant to be";
            }
            if !finding.counterexample.is_empty() {
                line(&mut text, WIDTH, "at", &named_text(&finding.counterexample));
            }
            if let Some(bound) = &finding.bound {
                line(&mut text, WIDTH, "but", bound);
            }
        }
        Ok(Verdict::Passed | Verdict::Failed) => {}
        Err(error) => text.extend([": ", &error.message]),
    }
    if let Some(claimed) = &finding.claimed {
        line(&mut text, WIDTH, "claimed", claimed);
    }
    if let Some(found) = &finding.found {
        line(&mut text, WIDTH, "found", found);
    }
    if !finding.line.is_empty() {
        line(&mut text, WIDTH, "play", &finding.line.join(", "));
    }
    if finding.negated
        && matches!(finding.verdict, Ok(Verdict::Verified | Verdict::Proved { .. } | Verdict::ProvedPart { .. }))
    {
        line(&mut text, WIDTH, "but", "it is meant to be false, and no counterexample was found");
    }
    text
}

fn line(text: &mut String, width: usize, what: &str, value: &str) {
    let head = format!("\n{:width$}  {what:<8}", "");
    text.extend([head.as_str(), value]);
}
