use std::collections::BTreeSet;

use minijinja::{Environment, UndefinedBehavior};
use serde::{Deserialize, Serialize};

use crate::{Ask, Speaker, Turn};

const SYSTEM: &str = "=== system ===";
const ASK: &str = "=== ask ===";

/// A prompt file: front matter between lines of `+++`, the system text after `=== system ===`, and the prompt after `=== ask ===`. The last two are
/// templates. Every variable must be declared and given; extra ones are an error.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// The front matter.
    pub head: PromptHead,
    system: String,
    ask: String,
}

/// The front matter of a prompt file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptHead {
    /// `stage.purpose`, which is also the file name.
    pub id: String,
    /// Incremented with every change that may change answers.
    pub version: u32,
    /// Sampling temperature; 0 for the likeliest answer.
    pub temperature: f32,
    /// Maximum number of output tokens.
    pub most_output: u32,
    /// The variables.
    pub inputs: BTreeSet<String>,
    /// The variables that are the same in several requests of a run. They come first, so that a provider can cache the text up to the last of them.
    #[serde(default)]
    pub shared: BTreeSet<String>,
    /// Name of the type of the answer.
    pub output: String,
}

/// Why a prompt cannot be used. Messages complete the phrase "failed to".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PromptError {
    /// The file lacks a part of a prompt.
    #[error("read the prompt `{name}`: {why}")]
    Form {
        /// The file.
        name: String,
        /// The missing part.
        why: String,
    },
    /// The front matter cannot be parsed.
    #[error("read the front matter of the prompt `{name}`")]
    Head {
        /// The file.
        name: String,
        /// The cause.
        #[source]
        source: toml::de::Error,
    },
    /// The given variables differ from the declared ones.
    #[error("fill in the prompt `{name}`: {why}")]
    Inputs {
        /// The prompt.
        name: String,
        /// The difference.
        why: String,
    },
    /// Rendering the template failed.
    #[error("fill in the prompt `{name}`")]
    Template {
        /// The prompt.
        name: String,
        /// The cause.
        #[source]
        source: minijinja::Error,
    },
}

impl Prompt {
    /// Parses a prompt file.
    ///
    /// # Errors
    /// If a part is missing, the front matter is invalid, or a template uses an undeclared variable.
    pub fn parse(name: &str, text: &str) -> Result<Self, PromptError> {
        let form = |why: &str| PromptError::Form {
            name: name.to_owned(),
            why: why.to_owned(),
        };
        let rest = text
            .trim_start()
            .strip_prefix("+++")
            .ok_or_else(|| form("it does not begin with +++"))?;
        let (head, body) = rest
            .split_once("\n+++")
            .ok_or_else(|| form("the front matter has no end"))?;
        let head: PromptHead = toml::from_str(head).map_err(|source| PromptError::Head {
            name: name.to_owned(),
            source,
        })?;
        if head.id != name {
            return Err(form("its id differs from its file name"));
        }
        let (_, body) = body
            .split_once(SYSTEM)
            .ok_or_else(|| form("it has no `=== system ===`"))?;
        let (system, ask) = body.split_once(ASK).ok_or_else(|| form("it has no `=== ask ===`"))?;
        let prompt = Self {
            head,
            system: system.trim().to_owned(),
            ask: ask.trim().to_owned(),
        };
        let used = prompt.used()?;
        let differ: Vec<&String> = used.symmetric_difference(&prompt.head.inputs).collect();
        let differ = match prompt.head.shared.is_subset(&prompt.head.inputs) {
            true => differ,
            false => prompt.head.shared.iter().collect(),
        };
        if !differ.is_empty() {
            return Err(PromptError::Inputs {
                name: name.to_owned(),
                why: format!("declared and used variables differ in {differ:?}"),
            });
        }
        Ok(prompt)
    }

    /// Renders the prompt with these variables, a struct or map whose fields are the inputs.
    ///
    /// # Errors
    /// If a variable is missing or extra, or rendering fails.
    pub fn fill(&self, inputs: &impl Serialize) -> Result<Ask, PromptError> {
        let values = minijinja::Value::from(minijinja::value::Serde(inputs));
        let given: BTreeSet<String> = values
            .try_iter()
            .map(|keys| keys.map(|key| key.to_string()).collect())
            .unwrap_or_default();
        if given != self.head.inputs {
            return Err(PromptError::Inputs {
                name: self.head.id.clone(),
                why: format!("expected {:?}, got {given:?}", self.head.inputs),
            });
        }
        let render = |template: &str| {
            environment()
                .render_str(template, &values)
                .map_err(|source| PromptError::Template {
                    name: self.head.id.clone(),
                    source,
                })
        };
        let text = render(&self.ask)?;
        let stable = render(self.shared_part())?.trim().len();
        Ok(Ask {
            stable,
            id: format!("{}@{}", self.head.id, self.head.version),
            system: render(&self.system)?,
            turns: vec![Turn {
                speaker: Speaker::User,
                // The first variable may be empty.
                text: text.trim().to_owned(),
            }],
            temperature: self.head.temperature,
            most_output: self.head.most_output,
            schema: None,
            mark: values
                .get_attr("mark")
                .ok()
                .and_then(|mark| mark.as_str().map(str::to_owned))
                .unwrap_or_default(),
        })
    }

    /// The beginning of the prompt up to the first variable that is not shared; empty if none is.
    fn shared_part(&self) -> &str {
        let mut end = 0;
        if !self.head.shared.is_empty() {
            let variables = self.ask.match_indices("{{");
            let own = variables.filter(|(at, _)| {
                let name = self.ask.get(at + 2..).and_then(|rest| rest.split("}}").next());
                name.is_some_and(|name| !self.head.shared.contains(name.trim()))
            });
            end = own.map(|(at, _)| at).next().unwrap_or(self.ask.len());
        }
        self.ask.get(..end).unwrap_or_default()
    }

    /// The variables that the templates use.
    fn used(&self) -> Result<BTreeSet<String>, PromptError> {
        let environment = environment();
        let mut used = BTreeSet::new();
        for template in [&self.system, &self.ask] {
            let template = environment
                .template_from_str(template)
                .map_err(|source| PromptError::Template {
                    name: self.head.id.clone(),
                    source,
                })?;
            used.extend(template.undeclared_variables(false));
        }
        Ok(used)
    }
}

/// Renders plain text without escaping; an undefined variable is an error.
fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    environment
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const FILE: &str = "+++\nid = 'extract.claims'\nversion = 2\ntemperature = 0.0\nmost_output = 800\ninputs = ['paper', 'limit']\nshared = ['limit']\noutput = 'Claims'\n+++\n\
        === system ===\nYou read papers.\n=== ask ===\nAt most {{ limit }} claims of:\n{{ paper }}\n";

    #[test]
    fn a_prompt_is_rendered_and_values_are_not_treated_as_templates() {
        let prompt = Prompt::parse("extract.claims", FILE).unwrap();
        let inputs = BTreeMap::from([("paper", "{{ limit }} <b>&"), ("limit", "3")]);
        let ask = prompt.fill(&inputs).unwrap();
        assert_eq!((ask.id.as_str(), ask.most_output), ("extract.claims@2", 800));
        assert_eq!(ask.system, "You read papers.");
        assert_eq!(ask.turns[0].text, "At most 3 claims of:\n{{ limit }} <b>&");
        assert_eq!(ask.turns[0].text.get(..ask.stable), Some("At most 3 claims of:"));
    }

    #[test]
    fn missing_extra_or_undeclared_variables_are_errors() {
        let prompt = Prompt::parse("extract.claims", FILE).unwrap();
        assert!(matches!(
            prompt.fill(&BTreeMap::from([("paper", "x")])),
            Err(PromptError::Inputs { .. })
        ));
        let more = BTreeMap::from([("paper", "x"), ("limit", "1"), ("other", "y")]);
        assert!(matches!(prompt.fill(&more), Err(PromptError::Inputs { .. })));
        let undeclared = FILE.replace("{{ paper }}", "{{ paper }} {{ authors }}");
        assert!(matches!(
            Prompt::parse("extract.claims", &undeclared),
            Err(PromptError::Inputs { .. })
        ));
        let unused = FILE.replace("{{ paper }}", "");
        assert!(matches!(
            Prompt::parse("extract.claims", &unused),
            Err(PromptError::Inputs { .. })
        ));
    }

    #[test]
    fn the_error_for_an_invalid_prompt_file_names_the_missing_part() {
        for (text, expect) in [
            ("hello", "begin with"),
            ("+++\nid = 'a'", "no end"),
            (FILE.split("=== ask").next().unwrap(), "=== ask ==="),
        ] {
            let error = Prompt::parse("extract.claims", text).unwrap_err().to_string();
            assert!(error.contains(expect), "{error}");
        }
        assert!(
            Prompt::parse("extract.other", FILE)
                .unwrap_err()
                .to_string()
                .contains("differs from its file name")
        );
        let extra = FILE.replace("version = 2", "version = 2\nmodel = 'x'");
        assert!(matches!(
            Prompt::parse("extract.claims", &extra),
            Err(PromptError::Head { .. })
        ));
    }
}
