use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// A request handler on loopback.
pub(crate) trait Serve: Send + Sync + 'static {
    /// Whether the server has stopped.
    fn has_ended(&self) -> bool;
    /// Handles one connection.
    fn serve(&self, stream: TcpStream);
}

/// Accepts connections, each on its own thread, until the server stops. The connection that wakes it to stop is not answered.
pub(crate) fn listen<S: Serve>(listener: TcpListener, server: &Arc<S>) {
    let server = Arc::clone(server);
    thread::spawn(move || {
        for stream in listener.incoming() {
            if server.has_ended() {
                break;
            }
            if let Ok(stream) = stream {
                let server = Arc::clone(&server);
                thread::spawn(move || server.serve(stream));
            }
        }
    });
}
