use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// What a server on loopback does with those who call.
pub(crate) trait Serve: Send + Sync + 'static {
    /// Whether it takes no more calls.
    fn has_ended(&self) -> bool;
    /// Answers one call.
    fn serve(&self, stream: TcpStream);
}

/// Takes calls, each in a thread of its own, until the server has ended: the call that wakes it then is not answered.
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
