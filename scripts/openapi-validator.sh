#!/usr/bin/env bash
# Installs the validator of OpenAPI documents from PyPI into .build/openapi, for the test that asks it; says so where it
# can't. https://pypi.org/project/openapi-spec-validator
set -euo pipefail
cd "$(dirname "$0")/.."
place=.build/openapi
[ -x "$place/bin/python" ] && "$place/bin/python" -c 'import openapi_spec_validator' 2>/dev/null && exit 0
if ! { python3 -m venv "$place" && "$place/bin/pip" install --quiet 'openapi-spec-validator>=0.7,<1'; } >/dev/null 2>&1; then
  rm -rf "$place"
  echo "openapi-spec-validator could not be installed from PyPI, so descriptions are not validated" >&2
fi
