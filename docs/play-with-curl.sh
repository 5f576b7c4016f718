#!/usr/bin/env bash
# Plays a whole match against the greedy bot with curl alone, always taking the first legal action.
# usage: docs/play-with-curl.sh [GAME] [ADDRESS]
set -euo pipefail
game=${1:-tides-of-time}
url=${2:-http://127.0.0.1:8000}/api

ask() { curl --silent --show-error --header "Authorization: Bearer ${token:-}" --json "$2" "$url/$1"; }
look() { curl --silent --show-error --header "Authorization: Bearer $token" "$url/matches/$match?labels=0"; }
field() { grep -o "\"$1\":[^,}]*" <<<"$answer" | head -n 1 | cut -d : -f 2- | tr -d '"'; }
first_legal() { sed -n 's/.*"legal":\[\({[^}]*}\).*/\1/p' <<<"$answer"; }

answer=$(ask accounts "{\"name\":\"Curly $RANDOM$RANDOM\"}")
token=$(field token)
answer=$(ask matches "{\"game\":\"$game\",\"seats\":[{\"kind\":\"me\"},{\"kind\":\"bot\",\"bot\":\"greedy\"}]}")
match=$(field id)
echo "match $match"
while [ "$(field status)" = running ]; do
  action=$(first_legal)
  if [ -n "$action" ] && grep -q '"to_act":\[[^]]*0' <<<"$answer"; then
    echo "event $(field seq): $action"
    answer=$(ask "matches/$match/actions?labels=0" "{\"seq\":$(field seq),\"action\":$action}")
    [ "$(field code)" != stale_seq ] || answer=$(look)
  else
    sleep 0.05
    answer=$(look)
  fi
done
grep -o '"how":"[a-z_]*","places":\[[^]]*\],"scores":\[[^]]*\],"winners":\[[^]]*\]' <<<"$answer"
