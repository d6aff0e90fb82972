#!/usr/bin/env bash
# Makes the types of the Python package from the JSON schemas. Needs datamodel-code-generator from PyPI.
set -euo pipefail
cd "$(dirname "$0")"
for pair in assessment:Assessment idea:IdeaAssessment verify:VerifyOutput overlap:OverlapOutput manifest:Manifest; do
    schema="${pair%%:*}"
    datamodel-codegen --input "../../docs/schema/$schema-1.json" --input-file-type jsonschema --class-name "${pair##*:}" \
        --output "python/precedent/types/$schema.py" --output-model-type typing.TypedDict \
        --target-python-version 3.11 --no-use-closed-typed-dict --use-schema-description \
        --naming-strategy parent-prefixed --formatters builtin --disable-timestamp \
        --custom-file-header "# Made from docs/schema/$schema-1.json by make_types.sh."
done
