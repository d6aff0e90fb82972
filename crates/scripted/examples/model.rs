//! Serves the scripted model on loopback until it is stopped, to try the commands that use a model without a key:
//! `cargo run -p precedent-scripted --example model`, then `precedent assess … --model compatible:scripted --model-url URL`.

use std::io::Write;

use precedent_scripted::{ModelServer, plain};

fn main() -> std::io::Result<()> {
    let server = ModelServer::start(plain)?;
    writeln!(std::io::stdout(), "{}/v1", server.base())?;
    loop {
        std::thread::park();
    }
}
