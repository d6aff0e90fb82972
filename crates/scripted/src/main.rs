//! Serves the plain script of a model until it is killed, for manual measurements.

use std::io::Write;
use std::time::Duration;

use precedent_scripted::{Faults, ModelServer, plain};

const OPTIONS: [&str; 4] = ["--port", "--latency-ms", "--faults", "--seed"];
const USAGE: &str = "usage: precedent-scripted [--port N] [--latency-ms N] [--faults SHARE] [--seed N]
Serves a scripted model, prints the URL to use with --model-url, and goes on until it is killed.";

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_valid = |pair: &[String]| matches!(pair, [name, value] if OPTIONS.contains(&name.as_str()) && value.parse::<f64>().is_ok());
    if !arguments.chunks(2).all(is_valid) {
        writeln!(std::io::stderr(), "{USAGE}")?;
        std::process::exit(2);
    }
    let given = |name: &str| {
        let at = arguments.iter().position(|one| one == name)?;
        arguments.get(at + 1)?.parse::<f64>().ok()
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a port and a seed from the command line"
    )]
    let number = |name: &str| given(name).unwrap_or_default() as u64;
    let faults = given("--faults").map(|share| Faults {
        seed: number("--seed"),
        share,
    });
    let latency = Duration::from_millis(number("--latency-ms"));
    let port = u16::try_from(number("--port")).unwrap_or_default();
    let server = ModelServer::start_with(plain, latency, faults, port)?;
    writeln!(std::io::stdout(), "{}", server.base())?;
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}
