//! Which words carry substance. Closed classes of English, the words papers speak about themselves with, and the nouns that every
//! field uses: established by document frequency over several sub-fields, then chosen by hand. Words of other languages count as substance.

use precedent_text::{TokenKind, terms::is_stopword};

/// What a word contributes to what a text is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WordKind {
    /// Grammar: articles, prepositions, pronouns, auxiliaries, connectives.
    Function,
    /// How papers speak about themselves: propose, show, novel, paper.
    Frame,
    /// Words of every field: model, data, large, improve.
    Generic,
    /// A number.
    Number,
    /// A single letter: a variable, an initial.
    Letter,
    /// What the text is about.
    Substance,
}

impl WordKind {
    /// How much a word of this kind counts among the substance, 0 to 1.
    #[must_use]
    pub fn weight(self) -> f64 {
        match self {
            Self::Substance => 1.0,
            Self::Number => 0.5,
            Self::Generic => 0.25,
            Self::Function | Self::Frame | Self::Letter => 0.0,
        }
    }
}

/// The kind of a word's compared form.
pub(super) fn kind_of(form: &str, token: TokenKind, is_frame: bool, is_generic: bool) -> WordKind {
    if token == TokenKind::Number {
        WordKind::Number
    } else if is_stopword(form) || CONNECTIVES.contains(&form) {
        WordKind::Function
    } else if form.len() == 1 {
        WordKind::Letter
    } else if is_frame {
        WordKind::Frame
    } else if is_generic {
        WordKind::Generic
    } else {
        WordKind::Substance
    }
}

/// Connectives, small numbers in words and abbreviations that carry no topic either.
const CONNECTIVES: [&str; 72] = [
    "afterwards",
    "al",
    "albeit",
    "alone",
    "amongst",
    "anyone",
    "anything",
    "apart",
    "aside",
    "become",
    "becomes",
    "behind",
    "beside",
    "besides",
    "beyond",
    "don",
    "eg",
    "eight",
    "elsewhere",
    "et",
    "everyone",
    "everything",
    "except",
    "first",
    "five",
    "former",
    "four",
    "furthermore",
    "herein",
    "ie",
    "ii",
    "iii",
    "iv",
    "last",
    "latter",
    "least",
    "meanwhile",
    "moreover",
    "mostly",
    "namely",
    "near",
    "nearly",
    "nevertheless",
    "next",
    "nine",
    "ones",
    "otherwise",
    "re",
    "really",
    "second",
    "seem",
    "seems",
    "seven",
    "several",
    "six",
    "something",
    "sometimes",
    "somewhat",
    "soon",
    "still",
    "ten",
    "therein",
    "third",
    "three",
    "two",
    "unlike",
    "versus",
    "vs",
    "whenever",
    "whereby",
    "wherein",
    "whole",
];
/// Words papers speak about themselves with; compared by stem.
pub(super) const FRAME: &str = "
propose proposed proposal introduce introduction present presented presents show shown shows showing demonstrate
demonstration develop developed describe described description report reported study studied studies investigate
investigation explore exploration examine address addressed discuss discussion provide provided argue suggest
establish aim aims seek attempt offer consider paper article work works novel new newly recent recently current
currently existing previous previously prior state contribution contribute approach approaches method methods
technique techniques way ways manner result results resulting finding findings find found experiment experiments
experimental experimentally evaluate evaluation evaluations extensive comprehensive empirical empirically achieve
achieves outperform outperforms improve improvement improvements improved effective effectiveness efficient efficiency
efficiently superior significant significantly promising competitive performance perform baseline baselines validate
verify conduct conducted use uses used using usage utilize utilise utilization employ leverage leverages exploit apply
applied make makes enable enables allow allows able based called named known specifically particularly importantly
notably interestingly finally addition additionally respectively overall publicly available section figure table
tab fig appendix follow follows following detail details detailed motivated inspired goal goals purpose main mainly
key important importance crucial different various numerous number numbers lot kind kinds type types case cases
example examples instance instances need needs require requires required lead leads help helps take takes taken give
gives obtain obtained yield yields get challenge challenges challenging difficult difficulty problem problems issue
issues task tasks remain remains despite potential potentially possible possibly proven prove
proved proves novelty best better good great greatly highly simple simply easily easy powerful popular widely commonly
typical typically usually generally largely directly successfully successful jointly simultaneously fully entire
entirely focus focuses focused interest interesting understand understanding understood insight insights aspect
aspects consist consists contain contains include includes including involve involves comprise compare compared
comparison comparing comparable indicate indicates reveal reveals observe observed confirm confirms";

/// Words of every field; compared by form, with their inflections.
pub(super) const GENERIC: &str = "
model models modeling data dataset datasets set sets system systems framework frameworks algorithm algorithms process
processes processing analysis analyze analyses application applications information knowledge research researchers
theory theoretical theoretically structure structures structured feature features function functions parameter
parameters value values level levels order term terms form forms part parts point points time times size sizes scale
scales range rate rates degree amount length depth high higher low lower large larger largest small smaller long
longer short shorter fast faster full strong stronger weak deep increase increases increasing decrease reduce reduces
reduced reduction reducing enhance enhances change changes effect effects affect impact factor factors influence
measure measures measurement estimate estimates compute computes computing computation computational calculate cost
costs complexity accuracy accurate quality error errors loss losses score scores bound bounds multiple
single general generic specific particular common similar related relevant relative unique individual independent
dependent original basic standard traditional conventional classical natural real practical complex appropriate
suitable additional extra total final initial certain fixed optimal maximum minimum minimal construct constructed
construction build built building design designed designs generate generated generates generating create created
implement implementation implemented combine combined combination combining integrate integrates integrated
integration extend extends extension extended define defined definition formulate formulation solve solving solved
solution solutions select selected selection determine determined identify identified identifying identification
produce produced train trained training test tests testing tested learn learned learning input inputs output
outputs step steps stage stages phase component components module modules element elements unit units pipeline context
contexts condition conditions setting settings scenario scenarios situation domain domains
area areas field fields concept concepts idea ideas notion principle principles mechanism mechanisms strategy
strategies scheme schemes procedure procedures tool tools resource resources technology technologies
ability capability capabilities capacity property properties characteristic characteristics behavior behaviors pattern
patterns relation relations relationship relationships interaction interactions connection link links group groups
class classes category categories family subset sample samples item items entity world
people author authors variety wide broad diverse diversity rich limited limitation
limitations advantage advantages benefit benefits support supports capture captures represent represents
representation representations representing view perspective basis foundation core fundamental underlying inherent
explicit explicitly implicit robust robustness scalable scalability flexible stable reliable reliability practice
useful year years past life evidence observation observations hypothesis assumption assumptions direct global
local internal external dynamic dynamics static metric metrics benchmark benchmarks criterion criteria mean
average major minor target targets source sources difference differences distinct technical
scientific thousand million hundred hundreds thousands percent literature review effort efforts consistent
consistently consistency substantially substantial considerably variant variants version versions alternative
alternatives outcome outcomes sequence sequences network networks";
