/// An affine map `[a b c d e f]` in PDF notation: `x' = a x + c y + e`, `y' = b x + d y + f`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Matrix(pub(super) [f64; 6]);

impl Matrix {
    pub(super) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// Composition: first `self`, then `next`.
    pub(super) fn then(self, next: Self) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let [na, nb, nc, nd, ne, nf] = next.0;
        Self([
            a * na + b * nc,
            a * nb + b * nd,
            c * na + d * nc,
            c * nb + d * nd,
            e * na + f * nc + ne,
            e * nb + f * nd + nf,
        ])
    }

    pub(super) fn translate(x: f64, y: f64) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    pub(super) fn apply(self, x: f64, y: f64) -> (f64, f64) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }

    /// Whether it maps upright rectangles to upright rectangles.
    pub(super) fn is_upright(self) -> bool {
        let [a, b, c, d, ..] = self.0;
        let small = 0.001 * (a.abs() + b.abs() + c.abs() + d.abs());
        b.abs().max(c.abs()) <= small || a.abs().max(d.abs()) <= small
    }

    /// The bounding box of the transformed rectangle.
    pub(super) fn bounds(self, rect: Rect) -> Rect {
        let corners = [
            self.apply(rect.x0, rect.y0),
            self.apply(rect.x1, rect.y0),
            self.apply(rect.x0, rect.y1),
            self.apply(rect.x1, rect.y1),
        ];
        let mut bounds = Rect::EMPTY;
        for (x, y) in corners {
            bounds.include(x, y);
        }
        bounds
    }
}

/// A rectangle in points; `y` points upwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rect {
    pub(super) x0: f64,
    pub(super) y0: f64,
    pub(super) x1: f64,
    pub(super) y1: f64,
}

impl Rect {
    /// The unbounded rectangle.
    pub(super) const EVERYWHERE: Self = Self {
        x0: f64::NEG_INFINITY,
        y0: f64::NEG_INFINITY,
        x1: f64::INFINITY,
        y1: f64::INFINITY,
    };

    pub(super) const EMPTY: Self = Self {
        x0: f64::INFINITY,
        y0: f64::INFINITY,
        x1: f64::NEG_INFINITY,
        y1: f64::NEG_INFINITY,
    };

    pub(super) fn include(&mut self, x: f64, y: f64) {
        self.x0 = self.x0.min(x);
        self.y0 = self.y0.min(y);
        self.x1 = self.x1.max(x);
        self.y1 = self.y1.max(y);
    }

    pub(super) fn is_empty(self) -> bool {
        // Written so that a rectangle with a NaN side is empty.
        !(self.x1 > self.x0 && self.y1 > self.y0)
    }

    pub(super) fn intersect(self, other: Self) -> Self {
        Self {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
    }

    pub(super) fn contains(self, x: f64, y: f64) -> bool {
        x >= self.x0 && x <= self.x1 && y >= self.y0 && y <= self.y1
    }

    pub(super) fn grow(self, by: f64) -> Self {
        Self {
            x0: self.x0 - by,
            y0: self.y0 - by,
            x1: self.x1 + by,
            y1: self.y1 + by,
        }
    }

    pub(super) fn width(self) -> f64 {
        (self.x1 - self.x0).max(0.0)
    }

    pub(super) fn height(self) -> f64 {
        (self.y1 - self.y0).max(0.0)
    }

    pub(super) fn area(self) -> f64 {
        self.width() * self.height()
    }
}
