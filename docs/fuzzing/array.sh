#!/usr/bin/env bash
# Written from the documentation of Slurm; this project has not run it.
#
# A campaign of `taintsim fuzz` as an array job: each task runs one shard into a folder of its own on a
# file system that all nodes see, and a job behind the array merges the folders. docs/fuzzing.md says
# what shards are. Set the account, the partition, the seed and the number of runs.
#
#   CAMPAIGN=/shared/campaign ./array.sh
#
#SBATCH --job-name=taintsim-fuzz
#SBATCH --array=1-8
#SBATCH --cpus-per-task=2
#SBATCH --mem=512M
#SBATCH --time=24:00:00
#SBATCH --requeue
set -euo pipefail

campaign="${CAMPAIGN:?the folder of the campaign, which all nodes see}"
shards=8

# Called by hand: submit the array, and what merges once all of its tasks have ended well.
if [[ -z "${SLURM_JOB_ID:-}" ]]; then
  mkdir -p "$campaign"
  array="$(sbatch --parsable --export="ALL,CAMPAIGN=$campaign" "$0")"
  sbatch --job-name=taintsim-fuzz-merge --dependency="afterok:${array%%;*}" \
    --export="ALL,CAMPAIGN=$campaign" \
    --wrap='taintsim fuzz merge "$CAMPAIGN"/part-* --out "$CAMPAIGN/whole" --overwrite --fail-on NEW'
  exit 0
fi

# A task that was preempted and queued again goes on with its folder.
out="$campaign/part-$SLURM_ARRAY_TASK_ID"
if [[ -e "$out/state.json" ]]; then
  exec taintsim fuzz resume "$out" --jobs "$SLURM_CPUS_PER_TASK" --fail-on NONE
fi
exec taintsim fuzz --seed 7 --runs 1000000 --shard "$SLURM_ARRAY_TASK_ID/$shards" \
  --jobs "$SLURM_CPUS_PER_TASK" --fail-on NONE --out "$out"
