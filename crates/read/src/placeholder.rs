use std::collections::BTreeSet;

/// Lorem ipsum words, and what generators add to them.
const FILLER: &str = "lorem ipsum dolor sit amet consectetur consectetuer adipiscing adipisicing elit sed do eiusmod tempor incididunt ut labore et dolore magna \
aliqua enim ad minim veniam quis nostrud exercitation ullamco laboris nisi aliquip ex ea commodo consequat duis aute irure in reprehenderit voluptate velit esse \
cillum eu fugiat nulla pariatur excepteur sint occaecat cupidatat non proident sunt culpa qui officia deserunt mollit anim id est laborum a ac accumsan aenean \
aliquam aliquet ante aptent arcu at auctor augue bibendum blandit class condimentum congue conubia convallis cras cubilia curabitur curae cursus dapibus diam \
dictum dictumst dignissim dis donec egestas eget eleifend elementum erat eros etiam euismod facilisi facilisis fames faucibus felis fermentum feugiat fringilla \
fusce gravida habitant habitasse hac hendrerit himenaeos iaculis imperdiet inceptos integer interdum justo lacinia lacus laoreet lectus leo libero ligula litora \
lobortis luctus maecenas malesuada massa mattis mauris maximus metus mi molestie mollis montes morbi mus nam nascetur natoque nec neque netus nibh nisl nostra nunc \
odio orci ornare parturient pellentesque penatibus per pharetra phasellus placerat platea porta porttitor posuere potenti praesent pretium primis proin pulvinar \
purus quam quisque rhoncus ridiculus risus rutrum sagittis sapien scelerisque sem semper senectus sociis sociosqu sodales sollicitudin suscipit suspendisse taciti \
tellus tempus tincidunt torquent tortor tristique turpis ultrices ultricies urna varius vehicula vel venenatis vestibulum vitae vivamus viverra volutpat vulputate";

/// Minimum share of filler words in percent; a paper that quotes some is far below.
const SHARE: usize = 75;

/// Describes a text that is only layout filler; `None` for any other text, in any language.
pub(crate) fn placeholder(text: &str) -> Option<&'static str> {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .filter(|word| word.chars().any(char::is_alphabetic))
        .collect();
    let different: BTreeSet<&str> = words.iter().map(String::as_str).collect();
    let filler: BTreeSet<&str> = FILLER.split_whitespace().collect();
    let filling = words.iter().filter(|word| filler.contains(word.as_str())).count();
    let named = ["lorem", "ipsum"].iter().all(|word| different.contains(word));
    (named && filling * 100 >= words.len() * SHARE)
        .then_some("filler text (lorem ipsum), which has no content to assess")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filler_is_distinguished_from_text_in_any_language() {
        const LOREM: &str = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. ";
        assert!(placeholder(&LOREM.repeat(20)).is_some());
        assert!(placeholder(&format!("# My Paper\n\nAnn Lee\n\n## Abstract\n\n{}", LOREM.repeat(3))).is_some());
        for text in [
            // A paper about layouts that quotes filler text, and Cicero, its source.
            format!("We study how readers skim layouts that are filled with dummy text. The text begins: {LOREM} Readers who know Latin are slower, since they try to read it, and we \
measure by how much in three trials with forty readers each, who saw pages of newspapers with and without pictures."),
            "Neque porro quisquam est, qui dolorem ipsum, quia dolor sit, amet, consectetur, adipisci velit, sed quia non numquam eius modi tempora incidunt, ut labore et dolore \
magnam aliquam quaerat voluptatem. Ut enim ad minima veniam, quis nostrum exercitationem ullam corporis suscipit laboriosam.".to_owned(),
            "Nous étudions la résistance des cordes de chanvre dans l'eau froide et nous montrons que le sel ne change rien. ".repeat(2),
            "我们研究了冷水中麻绳的强度。".repeat(300),
            "Мы изучаем прочность верёвок в холодной воде. ".repeat(3),
        ] {
            assert_eq!(placeholder(&text), None, "{text}");
        }
    }
}
