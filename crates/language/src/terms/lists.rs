//! Word lists: closed classes of English, the words papers use about themselves, and the words of every field. They were found by document
//! frequency over several sub-fields and then selected by hand. Words of other languages count as content words.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// A set of words, built on first use.
pub(super) type WordList = LazyLock<FxHashSet<&'static str>>;

/// Whether a normalised form is on the list.
pub(super) fn is_listed(list: &WordList, form: &str) -> bool {
    list.contains(form)
}

/// Nouns that end like adverbs.
pub(super) static LY_NOUNS: WordList = LazyLock::new(|| {
    "family assembly anomaly supply reply monopoly poly butterfly"
        .split_whitespace()
        .collect()
});

/// Nouns that end like participles.
pub(super) static ED_NOUNS: WordList = LazyLock::new(|| {
    "seed speed feed need bed breed weed testbed"
        .split_whitespace()
        .collect()
});

/// Words in `-ing` that start noun phrases. Others start a clause: `emulating human action`.
pub(super) static ING_NOUNS: WordList = LazyLock::new(|| {
    "learning training planning mining processing reasoning clustering parsing matching sampling embedding modeling
modelling programming computing tracking routing scheduling ranking encoding decoding coding filtering hashing
pruning tagging labeling labelling mapping imaging sensing sequencing spelling meaning marketing engineering
rendering editing pricing voting bargaining walking driving moving underlying competing prompting tuning
boosting forgetting streaming time-varying varying running spiking scaling steering signaling signalling
splicing binding folding docking breeding mating testing teaching writing reading speaking smoothing mixing"
        .split_whitespace()
        .collect()
});

/// Nouns that end like adjectives.
pub(super) static NOUNS_LIKE_ADJECTIVES: WordList = LazyLock::new(|| {
    "retrieval removal signal arrival interval trial journal manual tutorial portal material renewal goal capital
animal crystal mammal rival appraisal survival potential integral functional polynomial binomial multinomial
mineral metal hospital withdrawal dial approval referral credential recall logic metric topic heuristic
arithmetic statistic music traffic fabric epidemic pandemic rhetoric diagnostic lyric clinic mosaic mechanic
antibiotic public critic plastic characteristic arabic objective perspective narrative alternative archive
derivative directive incentive adjective initiative primitive motive drive wave table variable ensemble cable
observable preamble dictionary vocabulary summary boundary library glossary commentary itinerary corollary
adversary"
        .split_whitespace()
        .collect()
});

/// Adjectives and participles that cannot end a noun phrase and have no typical ending.
pub(super) static ADJECTIVES: WordList = LazyLock::new(|| {
    "neural deep large small high low new novel big long short fast slow sparse dense robust similar linear nonlinear
regular modular multiple single diverse complex recurrent efficient sufficient different dependent independent
latent coherent current recent prominent relevant important good complete concrete fine coarse open real bad"
        .split_whitespace()
        .collect()
});

/// Adjectives of praise or measure besides the generic ones. They start a name only in set phrases (`critical care`).
pub(super) static MEASURES: WordList = LazyLock::new(|| {
    "severe poor critical certain correct incorrect absurd heavy huge massive vast tiny exact careful desired given proposed
underlying whole partial sufficient rare frequent challenging optimized better best larger stronger earlier later early late
popular successful sophisticated resulting corresponding overall actual apparent prominent notable major minor"
        .split_whitespace()
        .collect()
});

/// Words of names of institutions, venues and publications. A group is not named after authors or venues.
pub(super) static INSTITUTIONS: WordList = LazyLock::new(|| {
    "university universities laboratory lab labs institute institutes department faculty college school team teams workshop workshops
conference conferences proceedings symposium journal journals committee society foundation company companies corporation
council center centre talks street session track campaign edition participants submissions submission author authors copyright
springer elsevier ieee acm arxiv wiley license"
        .split_whitespace()
        .collect()
});

/// Words papers use about themselves; compared by stem.
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
notably interestingly finally addition additionally respectively overall publicly available section figure table tab
fig appendix follow follows following detail details detailed motivated inspired goal goals purpose main mainly key
important importance crucial different various numerous number numbers lot kind kinds type types case cases example
examples instance instances need needs require requires required lead leads help helps take takes taken give gives
obtain obtained yield yields get challenge challenges challenging difficult difficulty problem problems issue issues
task tasks remain remains despite potential potentially possible possibly proven prove proved proves novelty best
better good great greatly highly simple simply easily easy powerful popular widely commonly typical typically usually
generally largely directly successfully successful jointly simultaneously fully entire entirely focus focuses focused
interest interesting understand understanding understood insight insights aspect aspects consist consists contain
contains include includes including involve involves comprise compare compared comparison comparing comparable
indicate indicates reveal reveals observe observed confirm confirms ensure overcome tackle facilitate incorporate deal
highlight reach mitigate serve serving adopt choose believe alleviate meet boost treat want encourage receive cope
manage outline accomplish accommodate showcase continue expect revisit begin retain attain emphasize recommend wish
justify encounter subsequent subsequently effectively advance advances advanced advancement progress development
emergence emerging rapid growing thorough rigorous remarkable notable handle deploy guarantee assess devise realize
relevant further explain call say think know see hope look try ask draw shed light insightful unprecedented
increasingly inherently fundamentally critically essential vital preliminary preliminarily art sufficient sufficiently
compromise strength strengths weakness weaknesses keep inability endow";

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
costs complexity accuracy accurate quality error errors loss losses score scores bound bounds multiple single general
generic specific particular common similar related relevant relative unique individual independent dependent original
basic standard traditional conventional classical natural real practical complex appropriate suitable additional extra
total final initial certain fixed optimal maximum minimum minimal construct constructed construction build built
building design designed designs generate generated generates generating create created implement implementation
implemented combine combined combination combining integrate integrates integrated integration extend extends
extension extended define defined definition formulate formulation solve solving solved solution solutions select
selected selection determine determined identify identified identifying identification produce produced train trained
training test tests testing tested learn learned learning input inputs output outputs step steps stage stages phase
component components module modules element elements unit units pipeline context contexts condition conditions setting
settings scenario scenarios situation domain domains area areas field fields concept concepts idea ideas notion
principle principles mechanism mechanisms strategy strategies scheme schemes procedure procedures tool tools resource
resources technology technologies ability capability capabilities capacity property properties characteristic
characteristics behavior behaviors pattern patterns relation relations relationship relationships interaction
interactions connection link links group groups class classes category categories family subset sample samples item
items entity world people author authors variety wide broad diverse diversity rich limited limitation limitations
advantage advantages benefit benefits support supports capture captures represent represents representation
representations representing view perspective basis foundation core fundamental underlying inherent explicit
explicitly implicit robust robustness scalable scalability flexible stable reliable reliability practice useful year
years past life evidence observation observations hypothesis assumption assumptions direct global local internal
external dynamic dynamics static metric metrics benchmark benchmarks criterion criteria mean average major minor
target targets source sources difference differences distinct technical scientific thousand million hundred hundreds
thousands percent literature review effort efforts consistent consistently consistency substantially substantial
considerably variant variants version versions alternative alternatives outcome outcomes sequence sequences network
networks future generalize generalization interactive adapt adaptive encode align optimize predict infer simulate
characterize quantify preserve maintain distinguish collect code github complete toolkit library repository project
team lab web online supplementary material materials percentage ratio count counts introduction chapter thesis report
rank top list formal success pass candidate candidates";

/// Words that are almost always verbs in papers; compared by form. They are in no noun phrase.
pub(super) const VERBS: &str = "
accelerate accept accommodate accomplish achieve acquire adapt add adjust adopt align alleviate allocate allow alter
analyse analyze annotate apply argue arrive ask assess assign assist associate assume attain augment automate avoid
begin believe bring build calculate capture carry categorize characterize choose classify collect combine communicate
compare compensate compete compose compress concentrate conclude conduct connect consider constrain construct continue
contribute converge convert convey cope create decide decode decompose define deliver demonstrate deploy derive
describe detect determine develop devise differentiate discover discriminate discuss distinguish eliminate embed
emphasize employ enable encode encounter encourage enforce engage enhance enrich ensure establish evaluate evolve
examine execute exist expand expect explain explore expose express extend extract facilitate find follow formalize
formulate foster fuse gather generalize generate get give handle highlight hope hypothesize identify illustrate
implement impose improve incorporate induce infer inform initiate integrate interact interpret introduce investigate
justify keep know learn let leverage localize locate maintain make manage manipulate maximize meet mimic minimize
mitigate modify motivate navigate observe obtain occur operate optimize outline overcome participate pay perceive
perform predict preserve prevent produce promote propagate propose protect prove provide quantify react realize
receive recognize recommend reconstruct recover reduce refer refine relate relax remove render replace replicate
represent reproduce resolve respond restrict retain retrieve revisit satisfy save say see seek select send serve show
showcase simplify simulate solve specify stabilize strengthen summarize synthesize tackle take teach think train
translate treat uncover understand utilize validate verify visualize want wish";
