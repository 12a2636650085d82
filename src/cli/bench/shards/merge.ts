import { mergeShards, type ShardFile } from "../../../bench/shards/merge-shards.ts"
import { UsageError } from "../../../core/errors.ts"
import type { BenchResult } from "../../../perf/bench/bench-result.ts"
import type { Args } from "../../command.ts"
import { positive } from "../option-values.ts"
import { readShard } from "./shard-file.ts"

/** Options that say what is to be measured: with `--merge` everything has been. */
const measuring = [
  ...["config", "url", "model", "variant", "profile", "concurrency", "sweep", "rate", "trace", "findRate", "requests"],
  ...["duration", "slo", "seed", "shard", "startAt", "out", "price", "budget", "promptCache", "arrival"],
]

/**
 * What `--merge` asks for: one result from the parts of several workers.
 *
 * @throws UsageError for parts that do not belong together, and for options of a measurement
 */
export async function mergeParts(args: Args, cwd: string): Promise<BenchResult> {
  const named = measuring.filter((name) => args[name] !== undefined && args[name] !== false)
  if (named.length > 0)
    throw new UsageError("--merge measures nothing: the parts say how they were measured", {
      where: named.join(", "),
      hint: "beside it go --json, --csv, --html, --markdown, --compare and --queries-per-month",
    })
  const paths = (args.merge as readonly unknown[]).map(String)
  if (paths.length === 0) throw new UsageError("--merge needs the files of all workers", {})
  const files: ShardFile[] = []
  for (const path of paths) files.push(await readShard(path, cwd))
  const queries = args.queriesPerMonth
  return mergeShards(files, queries === undefined ? null : positive(queries, "--queries-per-month", 1, 1e12))
}
