//! Colours and painted surfaces, as needed to decide whether a glyph is visible.

use std::cell::Cell;

use lopdf::{Dictionary, Object};

use super::matrix::Rect;
use super::objects::Pdf;

/// Red, green, blue, 0 to 1; `None` if unknown (patterns, rare colour spaces).
pub(super) type Colour = Option<[f64; 3]>;

pub(super) const BLACK: Colour = Some([0.0; 3]);
pub(super) const WHITE: [f64; 3] = [1.0; 3];

/// Colour space: what the components of a colour mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    Gray,
    Rgb,
    Cmyk,
    /// One ink: 0 means no ink.
    Tint,
    Unknown,
}

impl Space {
    pub(super) fn named(pdf: &Pdf, resources: Option<&Dictionary>, name: &[u8]) -> Self {
        match name {
            b"DeviceGray" | b"G" | b"CalGray" => Self::Gray,
            b"DeviceRGB" | b"RGB" | b"CalRGB" => Self::Rgb,
            b"DeviceCMYK" | b"CMYK" => Self::Cmyk,
            _ => resources
                .and_then(|resources| pdf.dictionary(resources, b"ColorSpace"))
                .and_then(|spaces| pdf.get(spaces, name))
                .map_or(Self::Unknown, |space| Self::of_object(pdf, space)),
        }
    }

    fn of_object(pdf: &Pdf, object: &Object) -> Self {
        let array = match object {
            Object::Name(name) => return Self::named(pdf, None, name),
            Object::Array(array) => array,
            _ => return Self::Unknown,
        };
        let family = array.first().and_then(|name| pdf.resolve(name).as_name().ok());
        match family {
            Some(b"ICCBased") => match array
                .get(1)
                .and_then(|stream| pdf.resolve(stream).as_stream().ok())
                .and_then(|stream| pdf.number(&stream.dict, b"N"))
            {
                Some(1.0) => Self::Gray,
                Some(3.0) => Self::Rgb,
                Some(4.0) => Self::Cmyk,
                _ => Self::Unknown,
            },
            Some(b"CalGray") => Self::Gray,
            Some(b"CalRGB") => Self::Rgb,
            Some(b"Separation") => Self::Tint,
            Some(name) if array.len() == 1 => Self::named(pdf, None, name),
            _ => Self::Unknown,
        }
    }

    /// The initial colour of a space.
    pub(super) fn initial(self) -> Colour {
        match self {
            Self::Unknown => None,
            Self::Gray | Self::Rgb | Self::Cmyk | Self::Tint => BLACK,
        }
    }

    pub(super) fn colour(self, numbers: &[f64]) -> Colour {
        match (self, numbers) {
            (Self::Gray, [gray]) => Some([*gray; 3]),
            (Self::Tint, [tint]) => Some([1.0 - tint; 3]),
            (Self::Rgb, [red, green, blue]) => Some([*red, *green, *blue]),
            (Self::Cmyk, [cyan, magenta, yellow, black]) => {
                let mix = |ink: f64| (1.0 - ink) * (1.0 - black);
                Some([mix(*cyan), mix(*magenta), mix(*yellow)])
            }
            _ => None,
        }
    }
}

/// The surfaces painted on a page so far.
#[derive(Debug, Default)]
pub(super) struct Surface {
    fills: Vec<(Rect, Colour)>,
    /// Number of surfaces compared with glyphs.
    compared: Cell<usize>,
}

/// Maximum surfaces recorded individually per page.
const FILL_LIMIT: usize = 20_000;

impl Surface {
    pub(super) fn fill(&mut self, rect: Rect, colour: Colour) {
        if self.fills.len() < FILL_LIMIT && rect.width() > 1.0 && rect.height() > 1.0 {
            self.fills.push((rect, colour));
        }
    }

    /// Number of surfaces compared with glyphs since the counter was last reset.
    pub(super) fn compared(&self) -> usize {
        self.compared.get()
    }

    pub(super) fn forget_compared(&self) {
        self.compared.set(0);
    }

    /// Number of surfaces painted so far.
    pub(super) fn painted(&self) -> usize {
        self.fills.len()
    }

    /// Whether a glyph of this colour at this position has the colour of its background, considering the first `painted` surfaces.
    pub(super) fn hides(&self, colour: Colour, x: f64, y: f64, painted: usize) -> bool {
        let Some(colour) = colour else { return false };
        let white = close(colour, WHITE);
        // Ordinary colours are compared only with the latest surfaces: a page with a thousand bars does not hide text.
        let depth = if white { FILL_LIMIT } else { 48 };
        let latest = self
            .fills
            .get(painted.saturating_sub(depth)..painted)
            .unwrap_or_default();
        self.compared.set(self.compared.get() + latest.len());
        let behind = latest.iter().rev().find(|(rect, _)| rect.contains(x, y));
        match behind {
            Some((_, Some(background))) => close(colour, *background),
            Some((_, None)) => false,
            None => white,
        }
    }
}

fn close(one: [f64; 3], other: [f64; 3]) -> bool {
    one.iter().zip(other).all(|(one, other)| (one - other).abs() < 0.03)
}
