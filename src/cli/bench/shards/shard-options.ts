import { resolve } from "node:path"
import { UsageError } from "../../../core/errors.ts"
import type { OpenLoop } from "../../../perf/load/load-plan.ts"
import { type LoadShard, shardOfPlan } from "../../../perf/load/load-shard.ts"
import { checkOutput } from "../../../platform/output-file.ts"
import type { Args } from "../../command.ts"
import type { BenchSettings } from "../settings.ts"

/** What one worker is asked to do of a load that several share. */
export interface ShardPlan {
  readonly shard: LoadShard
  /** The load of all workers together. */
  readonly whole: OpenLoop
  readonly part: OpenLoop
  /** Milliseconds since 1970. */
  readonly startAtMs: number
  readonly outPath: string
  /** Server whose clock all go by; null: the endpoint. */
  readonly clockUrl: string | null
}

/**
 * What `--shard` and the options beside it say; null without it.
 *
 * @throws UsageError for options that are missing, that do not go together, or that cannot be used
 */
export function readShardPlan(args: Args, settings: BenchSettings, cwd: string, wallMs: number): ShardPlan | null {
  const beside = ["startAt", "out", "clock"].filter((name) => args[name] !== undefined)
  if (args.shard === undefined) {
    if (beside.length > 0)
      throw new UsageError("--start-at, --out and --clock go with --shard", { hint: "add for example --shard 1/2" })
    return null
  }
  const shard = parseShard(String(args.shard))
  for (const [name, example] of needed)
    if (args[name] === undefined)
      throw new UsageError("--shard needs --seed, --start-at and --out", {
        where: `--shard ${String(args.shard)}`,
        hint: `add ${example}, the same for every worker${name === "out" ? " but for the name" : ""}`,
      })
  const whole = wholeLoad(args, settings)
  const part = shardOfPlan(whole, shard)
  const outPath = resolve(cwd, String(args.out))
  checkOutput(outPath)
  return {
    shard,
    whole,
    part,
    outPath,
    startAtMs: parseStart(String(args.startAt), wallMs),
    clockUrl: args.clock === undefined ? null : clockAddress(String(args.clock)),
  }
}

const needed = [
  ["seed", "--seed 7"],
  ["startAt", "--start-at 2026-11-23T10:00:00Z"],
  ["out", "--out part1.jsonl"],
] as const

function parseShard(text: string): LoadShard {
  const [, number, of] = /^(\d{1,7})\/(\d{1,7})$/.exec(text) ?? []
  if (Number(number) >= 1 && Number(number) <= Number(of)) return { number: Number(number), of: Number(of) }
  throw new UsageError("a shard is written i/n", {
    where: `--shard ${text.slice(0, 40)}`,
    hint: "for example --shard 1/4",
  })
}

function wholeLoad(args: Args, { mode, blocks }: BenchSettings): OpenLoop {
  const where = "--shard"
  if (args.promptCache !== undefined || (blocks ?? 1) > 1)
    throw new UsageError("workers share one level of one variant: no --prompt-cache and no --blocks", { where })
  const plans = mode.kind === "levels" ? mode.plans : []
  const [plan] = plans
  if (plans.length !== 1 || plan?.kind !== "open")
    throw new UsageError("workers share one open loop", {
      where,
      hint: "give one --rate or a --trace; repeat the command, with a later start, for each further level",
    })
  return plan
}

/** Further ahead than this is a mistake in the date. */
const maxWaitMs = 24 * 3_600_000

function parseStart(text: string, wallMs: number): number {
  const where = `--start-at ${text.slice(0, 40)}`
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text)
  const startAtMs = isTime ? Date.parse(text) : Number.NaN
  if (Number.isNaN(startAtMs))
    throw new UsageError("the start must be a time with its zone", { where, hint: "for example 2026-11-23T10:00:00Z" })
  if (startAtMs <= wallMs)
    throw new UsageError("the start has passed", {
      where: `${where}, and it is ${new Date(wallMs).toISOString()}`,
      hint: "agree on a moment that leaves every worker time to begin and to warm up, such as two minutes from now",
    })
  if (startAtMs - wallMs > maxWaitMs)
    throw new UsageError("the start is more than a day ahead", { where, hint: "look at its date" })
  return startAtMs
}

function clockAddress(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? "")) return text
  throw new UsageError("--clock must be a web address", { where: text.slice(0, 80) })
}
