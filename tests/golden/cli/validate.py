#!/usr/bin/env python3
"""Validates JSON documents against a schema: validate.py SCHEMA FILE... ; exit code 0 when all are valid, 77 without python3-jsonschema."""
import json
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def main(schema_path, *paths):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    status = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            document = json.load(file, parse_constant=refuse_constant)
        error = jsonschema.exceptions.best_match(validator.iter_errors(document))
        if error is not None:
            print(f"{path}: {error.json_path}: {error.message[:500]}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
