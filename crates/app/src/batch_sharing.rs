use crate::{AppError, BatchRequest, ErrorKind};

/// Most characters in the name of a user. Chosen by hand.
const LONGEST_NAME: usize = 100;

/// Checks that the options of a batch that other machines help with fit together. `sources` are its literature services.
pub(crate) fn check_sharing(request: &BatchRequest, sources: &[String]) -> Result<(), AppError> {
    // A replay uses only what was recorded.
    let fleet = request.fleet.as_ref().filter(|_| !request.replay);
    let database = request.database.as_ref().filter(|_| !request.replay);
    let usage = |message: &str, hint: &str| Err(AppError::with_message(ErrorKind::Usage, message).hint(hint));
    if fleet.is_some() && request.database.is_none() {
        return usage(
            "--store needs a database that the workers share",
            "name it with --database",
        );
    }
    if fleet.is_none() && !request.replay {
        if request.budget.is_some() {
            let hint = "name it with --store, or limit each paper with --budget";
            return usage("--batch-budget needs a store that the workers share", hint);
        }
        if request.user.is_some() {
            let hint = "name it with --store, or limit each paper with --budget";
            return usage("--user needs a store that the workers share", hint);
        }
    }
    if let Some(user) = &request.user {
        check_user(user)?;
    }
    if fleet.is_some() && !sources.is_empty() {
        let hint = "search corpora with --corpus; `precedent corpus get` makes one from services";
        return usage("--sources cannot be used with --store yet", hint);
    }
    if database.is_some() && request.request.model.provider_batch && fleet.is_none() {
        // The record of batches is in the folder, so two processes would both pay.
        let message = "--provider-batch with a database needs a store that the workers share";
        return usage(message, "name it with --store");
    }
    Ok(())
}

/// Checks the name of a user of shared batches.
pub(crate) fn check_user(name: &str) -> Result<(), AppError> {
    let is_plain = !name.trim().is_empty() && !name.chars().any(char::is_control);
    match is_plain && name.chars().count() <= LONGEST_NAME {
        true => Ok(()),
        false => {
            let message =
                format!("the name of a user needs 1 to {LONGEST_NAME} characters, none of them a control character");
            Err(AppError::with_message(ErrorKind::Usage, message))
        }
    }
}
