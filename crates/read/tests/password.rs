//! Encrypted PDFs with a password. The settings hold for the whole process, so this is a test program of its own.
#![expect(clippy::unwrap_used, reason = "a test that cannot create its file has failed")]

use lopdf::{EncryptionState, EncryptionVersion, Object, Permissions, StringFormat};
use precedent_read::{PdfSettings, ReadError, configure_pdf, read_bytes};

use crate::sheet::{ABSTRACT, bytes, document, first_page};

#[expect(dead_code, reason = "the module is shared with tests that use all of it")]
mod sheet;

fn locked(user: &str) -> Vec<u8> {
    let mut document = document(vec![first_page()]);
    let id = Object::String(b"0123456789abcdef".to_vec(), StringFormat::Literal);
    document.trailer.set("ID", Object::Array(vec![id.clone(), id]));
    let version = EncryptionVersion::V2 {
        document: &document,
        owner_password: "owner",
        user_password: user,
        key_length: 128,
        permissions: Permissions::all(),
    };
    let state = EncryptionState::try_from(version).unwrap();
    document.encrypt(&state).unwrap();
    bytes(document)
}

#[test]
fn the_given_password_opens_encrypted_files() {
    configure_pdf(PdfSettings {
        password: Some("kelp".to_owned().into()),
        ..PdfSettings::default()
    });
    let paper = read_bytes(&locked("kelp"), "paper.pdf").unwrap();
    assert_eq!(paper.abstract_text(), Some(ABSTRACT));
    let error = read_bytes(&locked("hemp"), "paper.pdf").unwrap_err();
    assert!(matches!(error, ReadError::WrongPassword { .. }), "{error}");
    // A file without a password, or with one for its owner alone, is read as before.
    assert!(read_bytes(&locked(""), "paper.pdf").is_ok());
    assert!(read_bytes(&bytes(document(vec![first_page()])), "paper.pdf").is_ok());
    assert!(
        !format!(
            "{:?}",
            PdfSettings {
                password: Some("kelp".to_owned().into()),
                ..PdfSettings::default()
            }
        )
        .contains("kelp")
    );
}
