use precedent_app::{AppError, Job, PointsJob};

use super::arguments::PointsArguments;
use crate::ExitCode;
use crate::commands::{assess, egress, job};
use crate::printer::Printer;

/// `precedent points`.
pub(in crate::commands) fn run(mut typed: PointsArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let show_egress = typed.of_run.show_egress;
    // An estimate sends nothing either.
    typed.of_run.show_egress |= typed.estimate;
    let job = Job::Points(PointsJob {
        capacity: typed.capacity,
        encoders: (&typed.encoders).into(),
    });
    let request = job::validate(&typed.of_run.request(&typed.input, job), printer)?;
    if typed.estimate {
        return job::estimate(&request, typed.of_run.json, printer);
    }
    if show_egress {
        return egress::show(&request, typed.of_run.json, printer);
    }
    let how = assess::execution_mode(&typed.of_run);
    job::run(typed.of_run.out, request, how, printer)
}
