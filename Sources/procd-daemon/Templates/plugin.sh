#!/bin/sh
# A step of procd. The file is $PROCD_INPUT, the options are JSON in $PROCD_OPTIONS, results go to
# $PROCD_WORK/out/ROLE.EXTENSION. The last line on standard error says what was wrong.
set -eu
least=$(printf '%s' "$PROCD_OPTIONS" | sed -n 's/.*"least":\([0-9]*\).*/\1/p')
lines=$(wc -l < "$PROCD_INPUT")
if [ "$lines" -lt "${least:-1}" ]; then
  echo "the text has $lines lines only" >&2
  exit 65 # the file is at fault: it goes to the quarantine and is not tried again
fi
mkdir -p "$PROCD_WORK/out"
printf '{"lines": %d}\n' "$lines" > "$PROCD_WORK/out/json.json"
