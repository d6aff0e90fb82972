//! Renders a saved report again in every format that needs no other program:
//! `cargo run -p precedent-report --example render -- report.json FOLDER`.

use std::path::PathBuf;

use precedent_report::{default_formats, file_name, read_assessment, render};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(report), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("usage: render report.json FOLDER".into());
    };
    let assessment = read_assessment(&std::fs::read(report)?)?;
    std::fs::create_dir_all(&folder)?;
    for format in default_formats() {
        std::fs::write(
            folder.join(file_name(&assessment, format)?),
            render(&assessment, format)?,
        )?;
    }
    Ok(())
}
