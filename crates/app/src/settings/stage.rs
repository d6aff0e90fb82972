//! Settings of single stages: the name of a model, or a table.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;

use precedent_engine::model::StageModels;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::ProviderSettings;

/// Settings of one stage. They replace those of the provider.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StageSettings {
    /// `provider:name`, if not the model of the other stages.
    pub(crate) model: Option<String>,
    /// Time limit for one response, in seconds.
    answer_seconds: Option<NonZeroU32>,
    /// Tokens for thinking, added to the output limit of each request.
    thinking_tokens: Option<u32>,
    /// Highest output limit of a request, thoughts included.
    output_tokens: Option<NonZeroU32>,
    /// How much the model should think, in the provider's words.
    reasoning_effort: Option<String>,
    /// Temperature of each request.
    temperature: Option<f32>,
    /// Extra headers, besides those of the provider.
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// Extra headers whose values are in environment variables, besides those of the provider.
    #[serde(default)]
    header_variables: BTreeMap<String, String>,
    /// Extra fields of the request's body, besides those of the provider.
    #[serde(default)]
    body: serde_json::Map<String, serde_json::Value>,
}

impl StageSettings {
    /// Whether it sets more than a model.
    pub(super) fn has_options(&self) -> bool {
        let only_model = Self {
            model: self.model.clone(),
            ..Self::default()
        };
        *self != only_model
    }

    /// The settings of a provider with these in place of its own.
    pub(super) fn replacing(&self, provider: ProviderSettings) -> ProviderSettings {
        let own = self.clone();
        let is_own = |name: &str| {
            own.headers
                .keys()
                .chain(own.header_variables.keys())
                .any(|one| one.eq_ignore_ascii_case(name))
        };
        let mut both = ProviderSettings {
            answer_seconds: own.answer_seconds.or(provider.answer_seconds),
            thinking_tokens: own.thinking_tokens.or(provider.thinking_tokens),
            output_tokens: own.output_tokens.or(provider.output_tokens),
            reasoning_effort: own.reasoning_effort.or(provider.reasoning_effort),
            temperature: own.temperature.or(provider.temperature),
            ..provider
        };
        // A header that is sent twice has two values.
        both.headers.retain(|name, _| !is_own(name));
        both.header_variables.retain(|name, _| !is_own(name));
        both.headers.extend(own.headers);
        both.header_variables.extend(own.header_variables);
        both.body.extend(own.body);
        both
    }
}

/// Checks that no secret of a stage can reach another server.
pub(super) fn check(stages: &BTreeMap<String, StageSettings>) -> Result<(), String> {
    let wrong = stages
        .iter()
        .find(|(_, own)| own.model.is_none() && !own.header_variables.is_empty());
    match wrong {
        Some((stage, _)) => Err(format!(
            "[stages.{stage}] has header_variables, so it needs a `model`: the values are sent to no other"
        )),
        None => Ok(()),
    }
}

/// A value in the table of stages: a string names a model.
struct StageValue(StageSettings);

impl<'de> Deserialize<'de> for StageValue {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = StageValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a model, or a table of settings")
            }

            fn visit_str<E: Error>(self, model: &str) -> Result<StageValue, E> {
                Ok(StageValue(StageSettings {
                    model: Some(model.to_owned()),
                    ..StageSettings::default()
                }))
            }

            fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<StageValue, A::Error> {
                StageSettings::deserialize(MapAccessDeserializer::new(table)).map(StageValue)
            }
        }

        value.deserialize_any(Reader)
    }
}

/// The name of a stage that can have settings of its own.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct StageName(String);

impl<'de> Deserialize<'de> for StageName {
    fn deserialize<D: Deserializer<'de>>(names: D) -> Result<Self, D::Error> {
        let name = String::deserialize(names)?;
        match StageModels::STAGES.contains(&name.as_str()) {
            true => Ok(Self(name)),
            false => Err(D::Error::custom(unknown_stage(&name))),
        }
    }
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(table: D) -> Result<BTreeMap<String, StageSettings>, D::Error> {
    let stages: BTreeMap<StageName, StageValue> = Deserialize::deserialize(table)?;
    Ok(stages.into_iter().map(|(name, value)| (name.0, value.0)).collect())
}

pub(crate) fn unknown_stage(name: &str) -> String {
    format!(
        "unknown model stage {name}; available stages: {}",
        StageModels::STAGES.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::super::Settings;
    use super::check;

    #[test]
    fn settings_of_a_stage_replace_those_of_the_provider_for_the_model_that_they_name() {
        let text = "[providers.openai]\nreasoning_effort = 'low'\ntemperature = 0.5\nheaders = { a = '1', b = '1' }\nheader_variables = { C = 'X' }\n\
            [stages]\ncompare = 'openai:x'\n[stages.rank]\nreasoning_effort = 'high'\nheaders = { B = '2', c = '3' }\nthinking_tokens = 9\n\
            [stages.idea]\nmodel = 'openai:y'\nanswer_seconds = 7\n";
        let settings: Settings = toml::from_str(text).unwrap();
        let name = |model: &str| settings.model_name(model).unwrap();
        let rank = settings.request_settings(&name(" openai:x"), Some("rank")).unwrap();
        assert_eq!(
            (
                rank.reasoning_effort.as_deref(),
                rank.temperature,
                rank.headers["a"].as_str(),
                rank.headers["B"].as_str()
            ),
            (Some("high"), Some(0.5), "1", "2")
        );
        assert_eq!(settings.room_for_thinking("openai:x", "rank"), 9);
        assert_eq!(settings.room_for_thinking("openai:x", "review"), 0);
        let effort = |stage| {
            settings
                .request_settings(&name("openai:x"), Some(stage))
                .unwrap()
                .reasoning_effort
        };
        assert_eq!(effort("compare").as_deref(), Some("low"));
        assert!(
            settings.stage_settings("compare", &name("openai:x")).is_none(),
            "it only names a model"
        );
        let seconds = |model| {
            settings
                .request_settings(&name(model), Some("idea"))
                .unwrap()
                .answer_seconds
        };
        assert_eq!(
            (seconds("openai:y").map(NonZeroU32::get), seconds("openai:x")),
            (Some(7), None)
        );
        assert_eq!(
            (rank.headers.len(), rank.header_variables.len()),
            (3, 0),
            "none has two values"
        );
        let secret = "[stages.rank]\nheader_variables = { x-key = 'KEY' }\n";
        let of = |text: &str| check(&toml::from_str::<Settings>(text).unwrap().stages);
        assert!(of(secret).unwrap_err().contains("[stages.rank]"));
        assert!(of(&format!("{secret}model = 'openai:x'\n")).is_ok());
        for (wrong, why) in [
            ("[stages.rank]\neffort = 'high'\n", "unknown field `effort`"),
            ("[stages]\nrank = 3\n", "the name of a model, or a table of settings"),
        ] {
            let error = toml::from_str::<Settings>(wrong).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
