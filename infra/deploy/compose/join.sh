#!/bin/sh
# Make one cluster of the servers named: half of them masters, each with a replica. Does nothing a second time.
set -eu
first=$1
if redis-cli -h "${first%:*}" -p "${first##*:}" cluster info | grep -q 'cluster_state:ok'; then
  echo "the cluster exists already"
  exit 0
fi
nodes=""
for node in "$@"; do # servers join by address, not by name
  address=$(getent ahostsv4 "${node%:*}" | awk '{print $1; exit}')
  nodes="$nodes $address:${node##*:}"
done
# shellcheck disable=SC2086 # a list of words is meant
redis-cli --cluster create $nodes --cluster-replicas 1 --cluster-yes
