#!/usr/bin/env bash
# Publishes the program as Native AOT and runs it. Needs a C linker (clang or gcc) and, from the package feed, the AOT compiler and its runtime pack.
# Exit code: that of the program; 2 when the feed lacks the compiler, which says nothing about the code: TrimmedProgramTests then is the proof there is.
set -uo pipefail
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
published=$PWD/artifacts/published/native
# The analyzers have run in the build of the solution; warnings of the AOT compiler are errors.
if ! dotnet publish Store.TrimTest -c Release --use-current-runtime -p:NativeAot=true --artifacts-path artifacts/published -p:PublishDir="$published/" -p:RunAnalyzers=false "$@" > "$log" 2>&1; then
  if missing=$(grep -oE 'NU110[0-3]: .*(ILCompiler|NativeAOT)[^ ]*' "$log" | sort -u) && [ -n "$missing" ]; then
    echo "$missing"
    echo "NOT PUBLISHED: the feed does not carry the Native AOT compiler or its runtime pack. Run this where it restores (nuget.org does)."
    exit 2
  fi
  cat "$log"
  exit 1
fi
ls -l "$published/Store.TrimTest" | awk '{ printf "native program: %.1f MB\n", $5 / 1e6 }'
"$published/Store.TrimTest"
