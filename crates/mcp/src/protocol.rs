//! The Model Context Protocol. Only this file uses the crate `rmcp`, whose interface changes with each version of the protocol.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use precedent_app::{AppError, ErrorKind};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, GetPromptRequestParams, GetPromptResponse,
    GetPromptResult, Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ProgressToken, Prompt, PromptArgument,
    PromptMessage, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate, Role, ServerCapabilities, ServerConfig, Tool as ToolEntry, ToolAnnotations,
};
use rmcp::service::{Peer, RequestContext};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::answer::Arguments;
use crate::call::Call;
use crate::catalogue::{Effect, TOOLS, Tool, tool};
use crate::error::Failure;
use crate::server::Server;
use crate::{guide, resources};

/// Where HTTP clients connect.
const PATH: &str = "/mcp";

/// Answers the requests of one client.
#[derive(Debug, Clone)]
struct Handler {
    server: Arc<Server>,
}

/// Serves one client over stdin and stdout until it closes stdin. Then runs in progress are cancelled; they can be resumed.
///
/// # Errors
/// If the client does not speak the protocol.
pub async fn serve_stdio(server: Arc<Server>) -> Result<(), AppError> {
    let handler = Handler::new(Arc::clone(&server));
    let failed = |error: String| AppError::with_message(ErrorKind::Usage, format!("failed to serve MCP: {error}"));
    let served = match handler.serve(rmcp::transport::stdio()).await {
        Ok(running) => running
            .waiting()
            .await
            .map(drop)
            .map_err(|error| failed(error.to_string())),
        Err(error) => Err(failed(error.to_string())
            .hint("an MCP client starts this command and writes to its stdin; see docs/mcp.md to set one up")),
    };
    server.stop();
    served
}

/// Serves clients over HTTP at `/mcp`, until `stop` ends. Only this machine can connect, and no web page of another host.
///
/// # Errors
/// If the address is not of this machine, or cannot be used.
pub async fn serve_http(
    server: Arc<Server>,
    address: SocketAddr,
    ready: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()>,
) -> Result<(), AppError> {
    if !address.ip().is_loopback() {
        let message = format!("{address} can be reached from other machines, and this server has no accounts");
        return Err(AppError::with_message(ErrorKind::Usage, message).hint("use 127.0.0.1 or [::1]"));
    }
    let cannot = |error: std::io::Error| {
        AppError::with_message(ErrorKind::Usage, format!("failed to listen on {address}: {error}"))
            .hint("choose another port")
    };
    let listener = TcpListener::bind(address).await.map_err(cannot)?;
    let bound = listener.local_addr().map_err(cannot)?;
    // By default, only requests with a Host header of this machine are answered, so that a web page cannot reach the server through a name of its own that
    // resolves to this machine (DNS rebinding). Pages are refused also by their Origin, unless this machine serves them.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_allowed_origins(["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"])
        .enforce_origin_validation();
    let handler = Handler::new(Arc::clone(&server));
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(handler.clone()), sessions, config);
    ready(bound);
    let mut stop = pin!(stop);
    loop {
        let stream = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                // Of one connection, such as too many open files. The next may work.
                Err(error) => {
                    tracing::warn!("failed to accept a connection: {error}");
                    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        let service = service.clone();
        tokio::spawn(async move {
            let answer = hyper::service::service_fn(move |request| respond(service.clone(), request));
            let connection = hyper::server::conn::http1::Builder::new()
                // It also limits how long a client may take to send its headers: 30 seconds.
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), answer);
            if let Err(error) = connection.await {
                tracing::debug!("connection ended: {error}");
            }
        });
    }
    server.stop();
    Ok(())
}

async fn respond(
    service: StreamableHttpService<Handler, NeverSessionManager>,
    request: Request<Incoming>,
) -> Result<Response<BoxBody<Bytes, Infallible>>, Infallible> {
    if request.uri().path() == PATH {
        return Ok(service.handle(request).await);
    }
    let mut response = Response::new(Full::new(Bytes::from_static(b"MCP clients connect to /mcp\n")).boxed());
    *response.status_mut() = StatusCode::NOT_FOUND;
    Ok(response)
}

impl Handler {
    fn new(server: Arc<Server>) -> Self {
        Self { server }
    }

    /// Calls a tool on a thread of its own and sends its progress. `None` if the client cancelled the call.
    async fn call(
        &self,
        tool: &'static Tool,
        arguments: Arguments,
        context: &RequestContext<RoleServer>,
    ) -> Option<CallToolResult> {
        let (progress, mut notes) = mpsc::unbounded_channel();
        let call = Arc::new(Call::new(progress));
        let cancelled = call.cancel_flag();
        let server = Arc::clone(&self.server);
        let mut work = pin!(tokio::task::spawn_blocking(move || server.call(tool, arguments, &call)));
        let mut sent = Progress::new(context);
        let outcome = loop {
            tokio::select! {
                biased;
                () = context.ct.cancelled() => {
                    cancelled.store(true, Ordering::Relaxed);
                    return None;
                }
                Some(note) = notes.recv() => sent.send(note).await,
                outcome = &mut work => break outcome,
            }
        };
        while let Ok(note) = notes.try_recv() {
            sent.send(note).await;
        }
        Some(match outcome {
            Ok(Ok(page)) => CallToolResult::structured(page),
            Ok(Err(failure)) => failed(&failure),
            Err(_) => failed(&Failure::new(ErrorKind::Bug, "the call ended by a bug in this program")),
        })
    }
}

/// A failure as the answer of a tool, so that the agent reads it.
fn failed(failure: &Failure) -> CallToolResult {
    let value = serde_json::to_value(failure).unwrap_or_default();
    CallToolResult::structured_error(value)
}

/// Sends the progress of a call, if its client wants it.
struct Progress<'c> {
    peer: &'c Peer<RoleServer>,
    token: Option<ProgressToken>,
    count: f64,
}

impl<'c> Progress<'c> {
    fn new(context: &'c RequestContext<RoleServer>) -> Self {
        Self {
            peer: &context.peer,
            token: context.meta.get_progress_token(),
            count: 0.0,
        }
    }

    async fn send(&mut self, note: String) {
        let Some(token) = &self.token else { return };
        self.count += 1.0;
        let progress = ProgressNotificationParam::new(token.clone(), self.count).with_message(note);
        // A client that cannot be reached gets no answer either.
        let _ = self.peer.notify_progress(progress).await;
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .build();
        let mut info = ServerConfig::new(capabilities).with_instructions(guide::INSTRUCTIONS);
        let mut own = Implementation::new("precedent", env!("CARGO_PKG_VERSION"));
        own.title = Some("Precedent".to_owned());
        info.server_info = own;
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let is_online = self.server.is_online();
        let tools = TOOLS.iter().map(|tool| entry(tool, is_online)).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tool(&request.name) else {
            return Err(ErrorData::invalid_params(
                format!("unknown tool: {}", request.name),
                None,
            ));
        };
        let arguments = request.arguments.unwrap_or_default();
        match self.call(tool, arguments, &context).await {
            Some(result) => Ok(result.into()),
            None => Err(ErrorData::internal_error("the call was cancelled", None)),
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let server = Arc::clone(&self.server);
        let cursor = request.and_then(|request| request.cursor);
        let (found, next) = blocking(move || resources::list(&server, cursor.as_deref())).await?;
        let found = found.into_iter().map(|one| {
            Resource::new(one.uri, one.name)
                .with_title(one.title)
                .with_description(one.description)
                .with_mime_type("text/markdown")
        });
        let mut result = ListResourcesResult::with_all_items(found.collect());
        result.next_cursor = next;
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template = ResourceTemplate::new(resources::TEMPLATE, "report")
            .with_title("Report of a run")
            .with_description(
                "`report.md` is the Markdown report. The other files of a run are listed in its `files`.",
            );
        Ok(ListResourceTemplatesResult::with_all_items(vec![template]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let server = Arc::clone(&self.server);
        let uri = request.uri.clone();
        let content = tokio::task::spawn_blocking(move || resources::read(&server, &uri)).await;
        let content = content
            .map_err(|_| ErrorData::internal_error("failed to read the resource", None))?
            .map_err(|failure| ErrorData::resource_not_found(in_words(&failure), None))?;
        let contents = ResourceContents::text(content.text, request.uri).with_mime_type(content.media_type);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let arguments = guide::PROMPT_ARGUMENTS.map(|(name, description)| {
            PromptArgument::new(name)
                .with_description(description)
                .with_required(false)
        });
        let prompt = Prompt::new(guide::PROMPT, Some(guide::PROMPT_DESCRIPTION), Some(arguments.to_vec()))
            .with_title("Novelty check");
        Ok(ListPromptsResult::with_all_items(vec![prompt]))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if request.name != guide::PROMPT {
            return Err(ErrorData::invalid_params(
                format!("unknown prompt: {}", request.name),
                None,
            ));
        }
        let Some(text) = guide::prompt(&request.arguments.unwrap_or_default()) else {
            return Err(ErrorData::invalid_params("give `paper` or `idea`", None));
        };
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).into())
    }
}

/// Runs a short look-up on a thread that may block.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, ErrorData> {
    match tokio::task::spawn_blocking(work).await {
        Ok(outcome) => outcome.map_err(|failure| ErrorData::invalid_params(in_words(&failure), None)),
        Err(_) => Err(ErrorData::internal_error(
            "the request ended by a bug in this program",
            None,
        )),
    }
}

fn in_words(failure: &Failure) -> String {
    match &failure.hint {
        Some(hint) => format!("{} ({hint})", failure.message),
        None => failure.message.clone(),
    }
}

/// A tool as the protocol lists it.
fn entry(tool: &Tool, is_online: bool) -> ToolEntry {
    let annotations = ToolAnnotations::with_title(tool.title)
        .read_only(tool.effect != Effect::Runs)
        .destructive(false)
        .idempotent(true)
        .open_world(tool.may_send && is_online);
    ToolEntry::new(tool.name, tool.description, Arc::new((tool.input)()))
        .with_title(tool.title)
        .with_raw_output_schema(Arc::new((tool.output)()))
        .with_annotations(annotations)
}
