#!/bin/sh
# Copies games, data files and certificates of the tree to where the targets look for seeds.
set -eu
cd "$(dirname "$0")/.."
for target in text program answer data certificate; do
  mkdir -p "fuzz/corpus/$target"
done
number=0
find games tests/corpus docs benches/games -name '*.game' | while read -r file; do
  number=$((number + 1))
  for target in text program answer; do
    cp "$file" "fuzz/corpus/$target/seed-$number"
  done
done
number=0
find tests/data games -type f ! -name '*.game' -size -20k | while read -r file; do
  number=$((number + 1))
  cp "$file" "fuzz/corpus/data/seed-$number"
  cp "$file" "fuzz/corpus/certificate/seed-$number"
done
