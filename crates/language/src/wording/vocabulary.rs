use precedent_text::terms::StopWords;

/// The common vocabulary of papers: words not specific to any field, in alphabetical order.
const GENERIC: &str = "ability able accuracy achieve achieved achieves achieving addition additional additionally address addressed addresses \
addressing aim aimed aims allow allowing allows alternative amount analyses analysis analyze analyzed analyzing apply applied applies applying \
application applications approach approaches appropriate argue article articles aspect aspects assess assume assumption author authors available \
background base based baseline baselines basic basis benefit benefits broad build building builds call called capability capable \
carefully case cases certain challenge challenges challenging clear clearly close closely code collection combined combines \
combining common commonly compare compared compares comparing comparison competitive complete completely complex component components \
comprehensive compute concept concepts conclude conclusion conclusions condition conduct conducted conducting consider considered considering \
considers consist consistent consistently consists construct constructed contain contains contribute contributed contribution contributions \
correct correctly correspond corresponding create created creates creating critical crucial current currently data deal deals define defined \
degree demonstrate demonstrated demonstrates demonstrating depend depending describe described describes describing design designed designing detail \
detailed details determine determined develop developed developing development develops difference differences different difficult difficulty \
directly discover discuss discussed distinct easily easy effect effective effectively effectiveness effects efficiency efficient efficiently \
effort efforts elucidate employ employed employing employs enable enabled enables enabling encourage enhance enhanced enhances enhancing \
ensure ensures ensuring entire essential establish established evaluate evaluated evaluates evaluating evaluation evidence examine examined \
example examples excellent exhibit exhibits exist existing exists expect expected experiment experimental experimentally experiments explain \
explore explored explores exploring extend extended extending extends extensive extensively extent fact factor factors fail fails \
field fields final finally find finding findings finds focus focused focuses focusing follow follows form formal formally formulate \
found framework frameworks fundamental future gain gains gap general generally generated generates generic goal goals good \
great greater greatly group groups help helps high higher highest highlight highly hypothesis idea ideas identified identifies identify \
identifying illustrate impact implement implementation implemented implications importance important importantly improve improved improvement \
improvements improves improving include included includes including increase increased increases increasing increasingly independent indicate \
indicated indicates indicating individual influence inspired instance instances integrate integrated integrates integrating interest \
interesting introduce introduced introduces introducing investigate investigated investigates investigating involve involved involves issue issues \
key kind kinds know known lack large largely larger lead leading leads led leverage leveraged leverages leveraging limit \
limitation limitations limited limits literature little low lower main maintain maintaining major manner measure measured measures mechanism \
mechanisms method methodology methods metric metrics model modeling modelling models modern multiple namely naturally nature \
necessary need needed needs new newly note notable notably novel number numbers numerous objective objectives observation observations observe \
observed obtain obtained obtaining obtains offer offering offers open order original outcome outperform outperformed outperforming outperforms \
overcome paper papers parameter parameters part particular particularly perform performance performed performing performs permit perspective \
phenomenon play plays point points poor popular possible potential potentially powerful practical practice precise present presented \
presenting presents preserve preserving prevent previous previously primarily principle principled principles prior problem problems procedure \
process produce produced produces producing promising propose proposed proposes proposing prove proved proves provide provided provides \
providing purpose purposes quality quantity question questions range ranging rapid recent recently recognize reduce reduced reduces \
reducing refer relative relatively release released relevant reliable rely relying remain remains report reported reporting \
reports represented represents require required requires requiring research researchers respect result \
resulted resulting results reveal revealed revealing reveals review rich rigorous robust robustly role scenario scenarios scheme scope scores \
section set sets setting settings several show showed showing shown shows significant significantly similar similarly simple simply \
simultaneously single situation solution solutions solve solved solves solving special specific specifically stable \
standard state state-of-the-art stage step steps strategies strategy strong strongly studied studies study studying substantial substantially \
success successful successfully sufficient suggest suggested suggesting suggests suitable superior support supported supporting supports system \
systematic systematically systems tackle tackles target task tasks technique techniques technology term terms tested testing theory thorough \
thoroughly tool tools topic total traditional true type types typical typically understand understanding unified unique use used useful \
user users uses using usual utilize utilized utilizes utilizing valid validate validated validation valuable value values variety version \
vital want work works yield yields";

/// Words of praise and novelty that a name or a query does not need.
const EVALUATIVE: &str = "accurate advanced appealing comprehensive careful cutting-edge deeper detailed effective efficient elegant excellent extensive fast \
first first-ever first-of-its-kind flexible full fully fundamental general generic good high-performance highly improved innovative interesting large \
lightweight modular multiple natural new newly novel original powerful practical principled promising rich rigorous robust scalable several significant \
simple single sophisticated state-of-the-art strong strongly superior systematic theoretically thorough unified unique useful valuable versatile \
well-founded very";

fn sorted_list(list: &'static str) -> Vec<&'static str> {
    let mut words: Vec<&str> = list.split_whitespace().collect();
    words.sort_unstable();
    words.dedup();
    words
}

fn has(list: &std::sync::LazyLock<Vec<&'static str>>, word: &str) -> bool {
    list.binary_search(&word).is_ok()
}

/// Whether the word, in lower case, is a function word.
pub fn is_function_word(lower: &str) -> bool {
    StopWords::Phrases.contains(lower)
}

/// Whether the word, in lower case, is so common in papers that it says nothing about one.
pub fn is_generic(lower: &str) -> bool {
    static LIST: std::sync::LazyLock<Vec<&str>> = std::sync::LazyLock::new(|| sorted_list(GENERIC));
    has(&LIST, lower)
}

/// Whether the word, in lower case, only praises or announces.
pub fn is_evaluative(lower: &str) -> bool {
    static LIST: std::sync::LazyLock<Vec<&str>> = std::sync::LazyLock::new(|| sorted_list(EVALUATIVE));
    has(&LIST, lower)
}
