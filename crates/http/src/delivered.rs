//! Records an answer that came by another way than an exchange of its own, such as in the results of a provider's batch.

use futures_util::future::BoxFuture;
use precedent_ledger::Sent;

use crate::record::Earlier;
use crate::{Attempt, HttpError, HttpGateway, Request, Response, record, response};

impl HttpGateway {
    /// Records `body` as the answer to `request`, as if it had been sent now. With `may_settle`, the same rules as for any answer decide whether it is
    /// final; otherwise the next run requests it again.
    ///
    /// # Errors
    /// Returns an error if the record cannot be written.
    pub fn deliver<'a>(
        &'a self,
        request: &'a Request,
        status: u16,
        body: Vec<u8>,
        may_settle: bool,
    ) -> BoxFuture<'a, Result<Attempt, HttpError>> {
        Box::pin(async move {
            let body = request.scrub(body);
            let sent = Sent {
                who: request.who.clone(),
                host: request.host().to_owned(),
                asked: request.asked(),
                bytes_out: (request.address().len() + request.body().len()) as u64,
                bytes_in: 0,
                outcome: "no answer yet".to_owned(),
            };
            let number = self.ledger().note_sent(&sent).await?;
            let bytes_in = body.len() as u64;
            self.ledger()
                .note_received(number, bytes_in, &status.to_string())
                .await?;
            let settled = may_settle && request.is_settled(status, &body);
            let response = Response {
                status,
                headers: Vec::new(),
                body,
                address: request.address().to_owned(),
                recorded: false,
            };
            let key = request.key();
            // The answer replaces an earlier one that was not final, but may have been billed.
            let replaced = self.ledger().answer(&key).await?;
            let earlier = replaced.map_or_else(Earlier::default, |answer| record::not_final(request, answer));
            let answer = response::to_answer(&response, request.asked(), settled);
            let outcome = Ok(response);
            if let Ok(answer) = answer {
                let answer = record::with(answer, request, &earlier, request.bill(&outcome), true);
                self.ledger().keep_answer(&key, &answer).await?;
            }
            Ok(Attempt {
                is_limited: request.is_limited(),
                ..Attempt::of(outcome, earlier.lost, true, false)
            })
        })
    }
}
