#!/usr/bin/env bash
# Makes the types of the Python package, or the file given, from the JSON schemas. Needs datamodel-code-generator from PyPI.
set -euo pipefail
out="$(realpath -m "${1:-$(dirname "$0")/python/precedent/types/formats.py}")"
cd "$(dirname "$0")/../../docs/schema"
schema="$(mktemp --suffix .json)"
trap 'rm -f "$schema"' EXIT
# One schema with a property for each format, because the formats share most of their types.
python3 - "$schema" <<'PYTHON'
import json, sys
formats = {"assessment": "Assessment", "idea": "IdeaAssessment", "verify": "VerifyOutput", "overlap": "OverlapOutput", "manifest": "Manifest"}
shared, properties = {}, {}
for name, root in formats.items():
    schema = json.load(open(f"{name}-1.json"))
    types = schema.pop("$defs", {})
    types[root] = {key: value for key, value in schema.items() if key not in ("$schema", "$id", "title")}
    for key, value in types.items():
        if shared.setdefault(key, value) != value:
            sys.exit(f"{key} differs between two schemas")
    properties[name] = {"$ref": f"#/$defs/{root}"}
json.dump({"title": "Formats", "type": "object", "properties": properties, "$defs": shared}, open(sys.argv[1], "w"))
PYTHON
datamodel-codegen --input "$schema" --input-file-type jsonschema --class-name Formats --output "$out" \
    --output-model-type typing.TypedDict --target-python-version 3.11 --no-use-closed-typed-dict --use-schema-description \
    --naming-strategy primary-first --formatters builtin --disable-timestamp \
    --custom-file-header "# Made from docs/schema by make_types.sh."
