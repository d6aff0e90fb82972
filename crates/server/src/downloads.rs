//! Papers that the server downloads by identifier, address or title. Each becomes an input, as an upload does.

use axum::http::StatusCode;
use precedent_app::{App, DownloadEgress, PaperChoice};

use crate::error::Problem;
use crate::inputs::InputFacts;
use crate::state::State as Server;

/// Longest name of a paper, in bytes. The longest titles have some hundred.
const LONGEST_NAME: usize = 2_000;

impl Server {
    /// What downloading this paper would send. Nothing is sent.
    pub(crate) async fn download_egress(&self, paper: &PaperChoice) -> Result<DownloadEgress, Problem> {
        if self.offer.local_only || self.offer.services.is_empty() {
            let detail = "this server sends no requests to other machines for you, so it downloads no papers";
            return Err(Problem::new(StatusCode::FORBIDDEN, "refused", detail).hint("upload the file"));
        }
        if paper.text().len() > LONGEST_NAME {
            return Err(Problem::usage(format!("the name has more than {LONGEST_NAME} bytes")));
        }
        let (paper, settings) = (paper.clone(), self.offer.settings.clone());
        let egress = move || App::default().download_egress(&paper, settings.as_deref());
        let found = tokio::task::spawn_blocking(egress).await;
        Ok(found.map_err(|_| Problem::bug("the name could not be checked"))??)
    }

    /// Downloads a paper and stores it as an input.
    pub(crate) async fn download(&self, paper: PaperChoice) -> Result<InputFacts, Problem> {
        self.download_egress(&paper).await?;
        let (inputs, name) = (self.inputs.clone(), paper.text().to_owned());
        let keep = move |found: &_| inputs.store_download(found, &name);
        self.caller.download(paper, self.offer.settings.clone(), keep).await
    }
}
