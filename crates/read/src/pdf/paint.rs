//! Colours and surfaces: enough of them to tell whether a glyph can be seen.

use std::cell::Cell;

use lopdf::{Dictionary, Object};

use super::matrix::Rect;
use super::objects::Pdf;

/// Red, green, blue, 0 to 1; `None` where it cannot be told (patterns, rare colour spaces).
pub(super) type Colour = Option<[f64; 3]>;

pub(super) const BLACK: Colour = Some([0.0; 3]);
pub(super) const WHITE: [f64; 3] = [1.0; 3];

/// What the numbers of a colour mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    Gray,
    Rgb,
    Cmyk,
    /// One ink: 0 is none of it.
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

    /// The colour a space starts with.
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

/// What was painted on a page so far.
#[derive(Debug, Default)]
pub(super) struct Surface {
    fills: Vec<(Rect, Colour)>,
    /// Surfaces that glyphs were compared with.
    compared: Cell<usize>,
}

/// Surfaces beyond this many on one page are not remembered one by one.
const FILL_LIMIT: usize = 20_000;

impl Surface {
    pub(super) fn fill(&mut self, rect: Rect, colour: Colour) {
        if self.fills.len() < FILL_LIMIT && rect.width() > 1.0 && rect.height() > 1.0 {
            self.fills.push((rect, colour));
        }
    }

    /// Surfaces that glyphs were compared with since this was last forgotten.
    pub(super) fn compared(&self) -> usize {
        self.compared.get()
    }

    pub(super) fn forget_compared(&self) {
        self.compared.set(0);
    }

    /// How many surfaces were painted so far.
    pub(super) fn painted(&self) -> usize {
        self.fills.len()
    }

    /// Whether a glyph of this colour at this place looks like what is behind it, of the first `painted` surfaces.
    pub(super) fn hides(&self, colour: Colour, x: f64, y: f64, painted: usize) -> bool {
        let Some(colour) = colour else { return false };
        let white = close(colour, WHITE);
        // Text in an ordinary colour is looked up against the latest surfaces only: a page of a thousand bars is no hiding place.
        let depth = if white { FILL_LIMIT } else { 48 };
        self.compared.set(self.compared.get() + depth.min(painted));
        let behind = self
            .fills
            .iter()
            .take(painted)
            .rev()
            .take(depth)
            .find(|(rect, _)| rect.contains(x, y));
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
