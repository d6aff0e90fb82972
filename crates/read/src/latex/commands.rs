use std::collections::HashMap;
use std::sync::LazyLock;

/// What this reader does with a command of LaTeX or its common classes and packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Print nothing and skip the arguments: `s` a star, `o` one in brackets, `m` a group.
    Skip(&'static str),
    /// Skip the first arguments; what follows is text.
    After(&'static str),
    /// A heading of this level. Levels from 4 on are run-in headings.
    Section(u8),
    /// A citation.
    Cite(CiteForm),
    /// `\ref` and similar commands.
    Reference(ReferenceForm),
    /// The title.
    Title,
    /// A second line of the title.
    Subtitle,
    /// An author or a list of them.
    Author,
    /// Text that belongs to the authors: affiliation, address.
    Affiliation,
    /// The printed date.
    Date,
    /// `\abstract{…}`.
    Abstract,
    /// A footnote.
    Footnote,
    /// A caption.
    Caption,
    /// Color of the following text or of an argument.
    Color,
    /// Size of the following text.
    Size,
    /// Invisible text that takes up space.
    Phantom,
    /// Macro and condition definitions.
    Definition,
    /// Files, bibliographies, environments and other structure.
    Structure,
    /// A link; the last argument is printed.
    Link,
    /// Text styles such as capitals: the argument is text.
    Text,
}

/// How a citation is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CiteForm {
    /// `\cite`: depends on the style.
    Plain,
    /// `\citep`: in brackets.
    Bracketed,
    /// `\citet`: names in the text.
    Textual,
    /// `\citealp`: without brackets.
    Bare,
    /// `\citeauthor`.
    Author,
    /// `\citeyear`.
    Year,
    /// `\citeyearpar`.
    YearBracketed,
    /// `\citetitle`.
    Title,
    /// `\nocite`: prints nothing.
    Silent,
}

/// How a cross reference is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReferenceForm {
    /// The number.
    Number,
    /// The number in brackets.
    Bracketed,
    /// The number with the word before it.
    Named,
}

/// Whether this reader ignores redefinitions of the command by the paper.
pub(crate) fn is_protected(name: &str) -> bool {
    action(name).is_some()
        || matches!(
            name,
            "eg" | "ie" | "etal" | "etc" | "onedot" | "xspace" | "And" | "AND" | "and" | "\\" | "par" | "relax"
        )
}

/// The action for a command; `None` for macros, symbols and unknown commands.
pub(crate) fn action(name: &str) -> Option<Action> {
    structure(name)
        .or_else(|| citation(name))
        .or_else(|| front(name))
        .or_else(|| skipped(name).map(Action::Skip))
        .or_else(|| styled(name))
}

fn structure(name: &str) -> Option<Action> {
    use Action as A;
    Some(match name {
        "part" | "chapter" => A::Section(1),
        "section" => A::Section(1),
        "subsection" => A::Section(2),
        "subsubsection" => A::Section(3),
        "paragraph" => A::Section(4),
        "subparagraph" => A::Section(5),
        "footnote" | "footnotetext" | "thanks" | "tnotetext" | "blfootnote" | "endnote" | "tablefootnote"
        | "sidenote" | "titlenote" | "authornote" => A::Footnote,
        "caption" | "subcaption" | "captionof" => A::Caption,
        "newcommand"
        | "renewcommand"
        | "providecommand"
        | "DeclareRobustCommand"
        | "def"
        | "gdef"
        | "edef"
        | "xdef"
        | "let"
        | "newtheorem"
        | "newenvironment"
        | "renewenvironment"
        | "NewDocumentCommand"
        | "RenewDocumentCommand"
        | "DeclareDocumentCommand"
        | "ProvideDocumentCommand"
        | "NewEnviron"
        | "DeclareMathOperator"
        | "newif"
        | "definecolor"
        | "colorlet"
        | "declaretheorem"
        | "spnewtheorem"
        | "DeclarePairedDelimiter"
        | "newmdtheoremenv"
        | "futurelet" => A::Definition,
        "begin"
        | "end"
        | "item"
        | "input"
        | "include"
        | "subfile"
        | "subfileinclude"
        | "import"
        | "subimport"
        | "bibliography"
        | "printbibliography"
        | "addbibresource"
        | "bibitem"
        | "bibliographystyle"
        | "usepackage"
        | "RequirePackage"
        | "documentclass"
        | "documentstyle"
        | "setcitestyle"
        | "citestyle"
        | "appendix"
        | "appendices"
        | "label"
        | "verb"
        | "lstinline"
        | "mintinline"
        | "maketitle"
        | "endinput"
        | "makeatletter"
        | "makeatother"
        | "fi"
        | "else"
        | "or"
        | "bysame"
        | "url"
        | "path"
        | "nolinkurl"
        | "ensuremath"
        | "("
        | ")"
        | "["
        | "]"
        | "inst"
        | "sur"
        | "fnm"
        | "tabularnewline"
        | "newline"
        | "linebreak"
        | "bye"
        | "PassOptionsToPackage"
        | "acknowledgments"
        | "acknowledgements"
        | "acknowledgment"
        | "acknowledgement"
        | "ack"
        | "acks"
        | "char"
        | "symbol"
        | "entry"
        | "csname"
        | "endcsname"
        | "abstracttext"
        | "twocolumn"
        | "onecolumn"
        | "externaldocument"
        | "newblock" => A::Structure,
        _ => return None,
    })
}

fn citation(name: &str) -> Option<Action> {
    use CiteForm as C;
    use ReferenceForm as R;
    let cite = match name {
        "cite" | "cites" | "supercite" | "cites*" | "citenum" | "onlinecite" | "citeonline" | "shortcite"
        | "fullcite" | "citeA" | "upcite" => C::Plain,
        "autocite" | "Autocite" | "autocites" | "smartcite" | "footcite" | "citep" | "Citep" | "parencite"
        | "Parencite" | "parencites" | "newcite*" | "citeps" => C::Bracketed,
        "citet" | "Citet" | "textcite" | "Textcite" | "textcites" | "newcite" | "citeN" | "shortciteN" | "citets"
        | "posscite" | "citeauthoryear" => C::Textual,
        "citealp" | "citealt" | "Citealp" | "Citealt" | "citeyearNP" => C::Bare,
        "citeauthor" | "Citeauthor" | "citeauthorfull" => C::Author,
        "citeyear" | "citedate" | "citeyearp" => C::Year,
        "citeyearpar" => C::YearBracketed,
        "citetitle" => C::Title,
        "nocite" => C::Silent,
        "ref" | "Ref" | "subref" | "vref" => return Some(Action::Reference(R::Number)),
        "eqref" => return Some(Action::Reference(R::Bracketed)),
        "cref" | "Cref" | "autoref" | "fullref" | "zcref" => return Some(Action::Reference(R::Named)),
        _ => return None,
    };
    // `\citeauthoryear` is used by bibliography styles, not by papers.
    (name != "citeauthoryear").then_some(Action::Cite(cite))
}

fn front(name: &str) -> Option<Action> {
    use Action as A;
    Some(match name {
        "title" | "icmltitle" | "Title" | "TITLE" | "aistatstitle" => A::Title,
        "subtitle" => A::Subtitle,
        "author" | "icmlauthor" | "Author" | "AUTHOR" | "authorname" | "aistatsauthor" | "jmlrauthor" => A::Author,
        "affil" | "affiliation" | "institute" | "address" | "icmlaffiliation" | "institution" | "aistatsaddress"
        | "IEEEauthorblockA" | "altaffiliation" | "affiliations" => A::Affiliation,
        "date" => A::Date,
        "abstract" => A::Abstract,
        "keywords" | "keyword" | "IEEEkeywords" => A::After(""),
        _ => return None,
    })
}

fn styled(name: &str) -> Option<Action> {
    use Action as A;
    Some(match name {
        "textcolor" | "color" | "colorbox" | "fcolorbox" | "pagecolor" | "texttransparent" | "transparent" => A::Color,
        "tiny" | "scriptsize" | "footnotesize" | "small" | "normalsize" | "large" | "Large" | "LARGE" | "huge"
        | "Huge" | "fontsize" | "scalebox" | "resizebox" => A::Size,
        "phantom" | "hphantom" | "vphantom" => A::Phantom,
        "href" => A::Link,
        "textsc" | "emph" | "textbf" | "textit" | "texttt" | "textrm" | "textsf" | "textsuperscript"
        | "textsubscript" | "IEEEauthorblockN" | "protect" => A::Text,
        "bibinfo" | "bibfield" => A::After("m"),
        "raisebox" => A::After("moo"),
        "parbox" => A::After("ooom"),
        "rotatebox" => A::After("om"),
        "multicolumn" | "multirow" => A::After("mom"),
        "foreignlanguage" | "footnotemark" => A::After("o"),
        "texorpdfstring" => A::Text,
        _ => return None,
    })
}

/// Commands that print nothing, grouped by the arguments they take.
const SKIPPED: &[(&str, &str)] = &[
    (
        "",
        "expandafter sloppy phantomsection listoftodos baselinestretch arraystretch bibsep hline toprule midrule bottomrule hdashline centering \
         raggedright noindent clearpage newpage cleardoublepage FloatBarrier tableofcontents balance IEEEpeerreviewmaketitle looseness vfill hfill \
         bigskip medskip smallskip indent leavevmode qed qedhere BibitemOpen onecolumngrid twocolumngrid natexlab iclrfinalcopy neuripsfinalcopy \
         aclfinalcopy frenchspacing raggedbottom flushbottom authorcr IEEEoverridecommandlockouts",
    ),
    ("o", "addlinespace pagebreak nopagebreak"),
    (
        "m",
        "newlength refstepcounter stepcounter pagestyle thispagestyle pagenumbering graphicspath hypersetup geometry lstset usetikzlibrary pgfplotsset \
         tikzset sisetup tcbset tcbuselibrary theoremstyle hyphenation setenumerate setitemize DeclareCaptionFont urlstyle floatstyle restylefloat \
         bstctlcite fontfamily fontseries fontshape linespread selectlanguage inputencoding DeclareGraphicsExtensions newsavebox cline Xhline cdashline printAffiliationsAndNotice BibitemShut jmlrheadings",
    ),
    (
        "om",
        "cellcolor rowcolor columncolor arrayrulecolor captionsetup setlist bibpunct allowdisplaybreaks titlerunning authorrunning icmltitlerunning \
         runningtitle runningauthor shorttitle shortauthor markright pdfinfo pdfbookmark firstpageno fancyhead fancyfoot lhead rhead chead cfoot lfoot \
         rfoot email ead orcid orcidID corref cortext fnref fntext tnoteref cormark fnmark icmlkeywords homepage thanksref correspondingauthor corauth \
         equalcont setcopyright copyrightyear acmYear acmISBN acmPrice acmVolume acmNumber acmArticle acmMonth acmJournal acmSubmissionID received \
         ccsdesc authorsaddresses settopmatter AtBeginDocument AtEndDocument pacs preprint IEEEpubid editors submitted acmBooktitle CopyrightYear \
         crdata terms msc JEL todo marginpar index glossary pageref nameref cpageref hypertarget hyperdef PackageWarning typeout message marginnote \
         missingfigure comment cmidrule",
    ),
    ("sm", "vspace hspace addvspace"),
    ("som", "includegraphics includesvg includepdf"),
    ("mo", "newcounter"),
    (
        "mm",
        "setlength addtolength setcounter addtocounter settowidth counterwithin numberwithin crefformat DeclareUnicodeCharacter floatname markboth \
         addtocontents ShortHeadings icmlcorrespondingauthor icmlsetsymbol conferenceinfo definecolorset",
    ),
    ("omm", "rule"),
    ("mom", "newcolumntype"),
    (
        "mmm",
        "crefname Crefname newfloat addcontentsline category DeclareFontFamily specialrule",
    ),
    ("ommm", "acmConference"),
    ("mmmm", "usefont DeclareMathSymbol DeclareFontShape DeclareGraphicsRule"),
    (
        "mmmmm",
        "DeclareMathAlphabet SetSymbolFont DeclareSymbolFont SetMathAlphabet",
    ),
    ("smmmmo", "titlespacing"),
    ("smomoomo", "titleformat"),
    ("mmmmmm", "jmlrheading"),
];

/// The arguments of a command that prints nothing.
fn skipped(name: &str) -> Option<&'static str> {
    static NAMES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        let pairs = SKIPPED
            .iter()
            .flat_map(|(takes, names)| names.split_whitespace().map(move |name| (name, *takes)));
        pairs.collect()
    });
    NAMES.get(name).copied()
}
