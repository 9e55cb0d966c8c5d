//! `grundy verify`: works the proof of a certificate out again, by the plainest way there is.

use crate::cli::args::LimitArgs;
use crate::cli::output::{Output, finish};
use crate::cli::session::Session;
use crate::cli::stop::{ANSWERED, FAILED, Stop};
use crate::diagnostic::Diagnostic;
use crate::heap::certificate::{Certificate, Refusal};
use crate::heap::{Halt, MAX_VALUE};
use crate::report::grouped;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Arguments.
#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// A file that `grundy heap GAME --prove=FILE` has written
    #[arg(value_name = "CERTIFICATE")]
    file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Runs the command.
pub(crate) fn run(args: &VerifyArgs) -> u8 {
    let session = Session::new(&args.limits);
    let mut out = Output::new();
    let result = verify(args, &session, &mut out);
    finish(result, &session, &mut out, args.json)
}

fn verify(args: &VerifyArgs, session: &Session, out: &mut Output) -> Result<u8, Stop> {
    let name = args.file.display();
    let text = std::fs::read_to_string(&args.file)
        .map_err(|error| Diagnostic::bare("D03", format!("`{name}` cannot be read: {error}")))?;
    let certificate: Certificate = serde_json::from_str(&text)
        .map_err(|error| Diagnostic::bare("D03", format!("`{name}` is no certificate: {error}")))?;
    let limits = session.limits.clone().with_time(args.limits.time);
    let mut reason = None;
    let progress = session.progress();
    let verdict = certificate.verify(&mut |values| {
        limits.check(values.len() as u64, 4 * values.len()).map_err(|fault| {
            reason = Some(Diagnostic::bare(fault.code, fault.message));
            Halt::Stopped
        })
    });
    drop(progress);
    let why = match verdict {
        Ok(()) => None,
        Err(Refusal::Wrong(why)) => Some(why),
        Err(Refusal::Halted(Halt::Stopped)) => {
            return Err(reason.unwrap_or_else(|| Diagnostic::bare("L03", "interrupted")).into());
        }
        Err(Refusal::Halted(Halt::TooLarge)) => {
            return Err(Diagnostic::bare("L02", format!("a Grundy value above {MAX_VALUE} is not kept")).into());
        }
    };
    let Certificate { code, period, preperiod, saltus, values, .. } = &certificate;
    if args.json {
        out.json(&json!({
            "code": code, "period": period, "preperiod": preperiod, "saltus": saltus, "values": values,
            "confirmed": why.is_none(), "reason": why
        }))?;
    } else if let Some(why) = &why {
        out.text(&format!("WRONG      {code}: {why}\n"))?;
    } else {
        let grouped = |n: &usize| grouped(*n as u64);
        out.text(&format!(
            "CONFIRMED  {code}: period {}, saltus {saltus}, from heap {} on; {} values worked out again\n",
            grouped(period),
            grouped(preperiod),
            grouped(values)
        ))?;
    }
    Ok(if why.is_none() { ANSWERED } else { FAILED })
}
