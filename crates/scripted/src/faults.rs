use crate::{Question, Say};

/// Seeded faults: the same attempt of the same request always gets the same one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Faults {
    /// The seed.
    pub seed: u64,
    /// Share of attempts with a fault, 0 to 1.
    pub share: f64,
}

impl Faults {
    /// The fault of an attempt, if any: a service error, a closed connection, or a garbled answer.
    #[must_use]
    pub fn meet(&self, question: &Question, tries: u64, answer: &Say) -> Option<Say> {
        let random = draw(self.seed, &question.body, tries);
        #[expect(clippy::cast_precision_loss, reason = "53 random bits")]
        let share = (random >> 11) as f64 / (1_u64 << 53) as f64;
        if share >= self.share {
            return None;
        }
        let text = match answer {
            Say::Text(text) => text.as_str(),
            _ => "{}",
        };
        Some(match draw(random, "kind", 0) % 8 {
            0 => Say::Status(500, "{}".to_owned()),
            1 => Say::Status(
                529,
                r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#.to_owned(),
            ),
            2 => Say::Wait(429, 0),
            3 => Say::Hangup,
            _ => mangled(text, random),
        })
    }
}

/// The answer, garbled according to the seed. Some variants remain parseable.
#[must_use]
pub(crate) fn mangled(text: &str, random: u64) -> Say {
    let at = |share: u64| {
        let at = usize::try_from(text.len() as u64 * (share % 100) / 100).unwrap_or_default();
        text.floor_char_boundary(at)
    };
    let head = text.get(..at(random >> 8)).unwrap_or_default();
    match (random >> 16) % 12 {
        0 => Say::Text(String::new()),
        1 => Say::Text(head.to_owned()),
        2 => Say::CutOff(head.to_owned()),
        3 => Say::Text(format!("Here you are:\n```json\n{text}\n```")),
        4 => Say::Text(text.replace('"', "“")),
        5 => Say::Text("null".to_owned()),
        6 => Say::Text("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[".repeat(1 + (random % 400) as usize)),
        7 => Say::Text(text.replace(char::is_numeric, "9")),
        8 => Say::Text(text.replace("cannot_refute", "can_refute")),
        9 => Say::Refusal,
        10 => Say::Raw(head.as_bytes().to_vec()),
        _ => Say::Text(format!("{{\"answer\": {text}}}")),
    }
}

/// A pseudorandom number from a seed, a text and a count (FNV-1a, then bit mixing).
pub(crate) fn draw(seed: u64, text: &str, count: u64) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ seed;
    for bytes in [text.as_bytes(), &count.to_le_bytes(), &seed.to_le_bytes()] {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash
}
