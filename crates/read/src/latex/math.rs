use std::iter::Peekable;
use std::str::Chars;

use unicode_normalization::UnicodeNormalization;

use super::symbols::{accent, greek, operator, symbol};

/// Maximum group nesting; deeper maths is left out.
const DEPTH: usize = 40;

/// Maximum characters read per formula.
const LENGTH: usize = 20_000;

/// Renders TeX maths as readable text: `x_i \leq \frac{1}{2}` becomes `x_i ≤ 1/2`. All readers use it, so that a formula reads the same from LaTeX,
/// HTML and XML.
pub(crate) fn math_text(tex: &str) -> String {
    let tex: String = tex.chars().take(LENGTH).collect();
    let mut maths = Maths {
        chars: tex.chars().peekable(),
        out: String::new(),
    };
    maths.run(None, 0);
    tidy(&maths.out)
}

struct Maths<'t> {
    chars: Peekable<Chars<'t>>,
    out: String,
}

impl Maths<'_> {
    fn run(&mut self, end: Option<char>, depth: usize) {
        while let Some(c) = self.chars.next() {
            if Some(c) == end {
                return;
            }
            match c {
                '\\' => self.command(depth),
                '{' => self.run_deeper(Some('}'), depth),
                '}' | '$' => {}
                '^' | '_' => self.script(c, depth),
                '~' | '&' => self.out.push(' '),
                '%' => while self.chars.next_if(|&c| c != '\n').is_some() {},
                '\n' => self.out.push(' '),
                '\'' => self.out.push('′'),
                _ => self.out.push(c),
            }
        }
    }

    fn run_deeper(&mut self, end: Option<char>, depth: usize) {
        if depth < DEPTH {
            self.run(end, depth + 1);
        }
    }

    fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(c) = self.chars.next_if(char::is_ascii_alphabetic) {
            name.push(c);
        }
        if name.is_empty() {
            name.extend(self.chars.next());
        } else {
            while self.chars.next_if(|c| *c == ' ').is_some() {}
        }
        name
    }

    /// The next group, command or character, rendered separately.
    fn argument(&mut self, depth: usize) -> String {
        while self.chars.next_if(|c| c.is_whitespace()).is_some() {}
        let kept = std::mem::take(&mut self.out);
        match self.chars.next() {
            Some('{') => self.run_deeper(Some('}'), depth),
            Some('\\') if depth < DEPTH => self.command(depth + 1),
            Some(c) => self.out.push(c),
            None => {}
        }
        std::mem::replace(&mut self.out, kept).trim().to_owned()
    }

    /// The raw text of a group, for names.
    fn raw(&mut self) -> String {
        while self.chars.next_if(|c| c.is_whitespace()).is_some() {}
        let mut text = String::new();
        if self.chars.next_if_eq(&'{').is_some() {
            let mut open = 1usize;
            for c in self.chars.by_ref() {
                match c {
                    '{' => open += 1,
                    '}' => open -= 1,
                    _ => {}
                }
                if open == 0 {
                    break;
                }
                text.push(c);
            }
        }
        text
    }

    fn skip_optional(&mut self) -> String {
        let mut text = String::new();
        if self.chars.next_if_eq(&'[').is_some() {
            for c in self.chars.by_ref() {
                if c == ']' {
                    break;
                }
                text.push(c);
            }
        }
        text
    }

    fn script(&mut self, sign: char, depth: usize) {
        let script = self.argument(depth);
        if script.is_empty() {
            return;
        }
        if sign == '^' && script.chars().all(|c| c == '′' || c == '∘') {
            self.out.push_str(&script.replace('∘', "°"));
            return;
        }
        self.out.push(sign);
        if script.chars().count() == 1 {
            self.out.push_str(&script);
        } else {
            self.out.push('{');
            self.out.push_str(&script);
            self.out.push('}');
        }
    }

    fn command(&mut self, depth: usize) {
        let name = self.name();
        match name.as_str() {
            "frac" | "dfrac" | "tfrac" | "cfrac" | "nicefrac" | "sfrac" => {
                let (above, below) = (self.argument(depth), self.argument(depth));
                self.out
                    .push_str(&format!("{}/{}", bracketed(&above), bracketed(&below)));
            }
            "binom" | "dbinom" | "tbinom" => {
                let (above, below) = (self.argument(depth), self.argument(depth));
                self.out.push_str(&format!("binom({above}, {below})"));
            }
            "sqrt" => {
                let root = self.skip_optional();
                let inner = self.argument(depth);
                self.out.push_str(if root == "3" { "∛" } else { "√" });
                self.out.push_str(&bracketed(&inner));
            }
            "mathbb" | "mathds" | "mathbbm" => {
                let inner = self.argument(depth);
                self.out.extend(inner.chars().map(double_struck));
            }
            "overset" | "underset" | "stackrel" => {
                let _ = self.argument(depth);
                let inner = self.argument(depth);
                self.out.push_str(&inner);
            }
            "text" | "textrm" | "textit" | "textbf" | "mbox" | "hbox" | "textsf" | "texttt" | "textnormal"
            | "intertext" => {
                let words = self.argument(depth);
                self.out.push_str(&format!(" {words} "));
            }
            "label" | "tag" | "hspace" | "vspace" | "phantom" | "hphantom" | "vphantom" | "ref" | "eqref" | "cite"
            | "color" | "mathchoice" | "setlength" => {
                self.skip_optional();
                let inner = self.raw();
                if name == "ref" || name == "eqref" || name == "cite" {
                    self.out.push_str(&inner);
                }
            }
            "textcolor" => {
                self.skip_optional();
                let _ = self.raw();
                self.run_argument(depth);
            }
            "begin" | "end" => {
                let environment = self.raw();
                if name == "begin"
                    && matches!(
                        environment.as_str(),
                        "array" | "tabular" | "alignat" | "alignat*" | "alignedat"
                    )
                {
                    self.skip_optional();
                    let _ = self.raw();
                }
                self.out.push(' ');
            }
            "left" | "right" | "middle" | "big" | "Big" | "bigg" | "Bigg" | "bigl" | "bigr" | "Bigl" | "Bigr"
            | "biggl" | "biggr" | "Biggl" | "Biggr" | "bigm" | "Bigm" => {
                while self.chars.next_if_eq(&' ').is_some() {}
                // `\left.` is an invisible bracket.
                self.chars.next_if_eq(&'.');
            }
            "\\" | "cr" | "newline" => {
                self.skip_optional();
                self.out.push('\n');
            }
            "not" => {
                let sign = self.argument(depth);
                self.out.push_str(&format!(" {sign}\u{338} "));
            }
            _ => self.plain_command(&name, depth),
        }
    }

    fn run_argument(&mut self, depth: usize) {
        let inner = self.argument(depth);
        self.out.push_str(&inner);
    }

    fn plain_command(&mut self, name: &str, depth: usize) {
        if let Some(mark) = accent(name).filter(|_| name.len() > 1) {
            let inner = self.argument(depth);
            self.out.push_str(&inner);
            if inner.chars().count() == 1 {
                self.out.push(mark);
            }
        } else if let Some(sign) = greek(name) {
            self.out.push_str(sign);
        } else if let Some((sign, spaced)) = operator(name) {
            self.out
                .push_str(&if spaced { format!(" {sign} ") } else { sign.to_owned() });
        } else if let Some(sign) = symbol(name) {
            self.out.push_str(sign);
        } else if is_silent(name) {
        } else if is_style(name) {
            if self.chars.peek() == Some(&'*') {
                self.chars.next();
            }
            self.run_argument(depth);
        } else if name.len() > 1 || name.chars().all(char::is_alphabetic) {
            // An operator name (`\log`, `\argmax`) or an undefined macro: print its name.
            if self.out.ends_with(char::is_alphanumeric) {
                self.out.push(' ');
            }
            self.out.push_str(name);
            if self.chars.peek().is_some_and(|c| c.is_alphanumeric()) {
                self.out.push(' ');
            }
        }
    }
}

fn is_silent(name: &str) -> bool {
    matches!(
        name,
        "displaystyle"
            | "textstyle"
            | "scriptstyle"
            | "scriptscriptstyle"
            | "limits"
            | "nolimits"
            | "nonumber"
            | "notag"
            | "!"
            | "/"
            | "-"
            | "("
            | ")"
            | "["
            | "]"
            | "bm"
            | "rm"
            | "bf"
            | "it"
            | "sf"
            | "tt"
            | "cal"
            | "small"
            | "footnotesize"
            | "normalsize"
            | "hfill"
            | "hline"
            | "smallskip"
            | "medskip"
            | "noindent"
            | "allowbreak"
            | "nobreak"
            | "ensuremath"
            | "centering"
            | "strut"
            | "mathstrut"
            | "null"
            | "relax"
            | "protect"
            | "xspace"
            | "qedhere"
            | "boldmath"
            | "mathsurround"
    )
}

fn is_style(name: &str) -> bool {
    name.starts_with("math")
        || matches!(
            name,
            "operatorname"
                | "boldsymbol"
                | "pmb"
                | "overline"
                | "underline"
                | "overbrace"
                | "underbrace"
                | "boxed"
                | "emph"
                | "textsc"
                | "textup"
                | "overrightarrow"
                | "overleftarrow"
                | "smash"
                | "substack"
                | "mathop"
                | "mathrel"
                | "mathbin"
                | "textsuperscript"
                | "textsubscript"
                | "textcircled"
                | "cancel"
                | "lowercase"
                | "uppercase"
                | "MakeUppercase"
                | "pmod"
        )
}

fn bracketed(inner: &str) -> String {
    if inner.chars().count() <= 1 || inner.chars().all(char::is_alphanumeric) {
        inner.to_owned()
    } else {
        format!("({inner})")
    }
}

fn double_struck(c: char) -> char {
    match c {
        'C' => 'ℂ',
        'E' => '𝔼',
        'N' => 'ℕ',
        'P' => 'ℙ',
        'Q' => 'ℚ',
        'R' => 'ℝ',
        'Z' => 'ℤ',
        '1' => '𝟙',
        other => other,
    }
}

/// Folds spaces, keeps lines, and removes spaces before closing punctuation.
fn tidy(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let line = super::super::format::fold_space(line);
        let line = line
            .replace(" ,", ",")
            .replace("( ", "(")
            .replace(" )", ")")
            .replace("{ ", "{")
            .replace(" }", "}")
            .replace("[ ", "[")
            .replace(" ]", "]")
            .replace("⟨ ", "⟨")
            .replace(" ⟩", "⟩");
        if !line.is_empty() {
            lines.push(line.nfc().collect::<String>());
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_usual_formulas() {
        for (tex, text) in [
            ("x_i", "x_i"),
            (r"x_{i,j}^{2}", "x_{i,j}^2"),
            (r"a\leq b", "a ≤ b"),
            (r"\frac{a+b}{2}", "(a+b)/2"),
            (
                r"\mathcal{L}(\theta) = \sum_{t=1}^T \log p_\theta(x_t \mid x_{<t})",
                "L(θ) = ∑_{t=1}^T log p_θ(x_t | x_{<t})",
            ),
            (r"\mathbf{W} \in \mathbb{R}^{d \times k}", "W ∈ ℝ^{d × k}"),
            (r"\hat{y} = \arg\max_y f(y)", "ŷ = arg max_y f(y)"),
            (r"\left( x \right)'", "(x)′"),
            (r"\sqrt{n+1}", "√(n+1)"),
            (r"90^\circ", "90°"),
            (r"\begin{aligned} a &= b \\ &= c \end{aligned}", "a = b\n= c"),
            (r"10\%", "10%"),
            (r"\text{if } x > 0", "if x > 0"),
        ] {
            assert_eq!(math_text(tex), text, "{tex}");
        }
    }

    #[test]
    fn deep_nesting_is_handled() {
        let deep = format!("{}x{}", r"\frac{".repeat(10_000), "}".repeat(10_000));
        assert!(math_text(&deep).len() < 100_000);
        let _ = math_text(&r"^\sqrt_".repeat(5_000));
        let _ = math_text("\\");
    }
}
