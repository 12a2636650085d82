import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { parseBudget } from "../../config/budget.ts"
import { UsageError } from "../../core/errors.ts"
import type { Budget } from "../../core/evaluation.ts"
import { createRandom } from "../../core/random.ts"
import { parseSlo, type Slo } from "../../engine/bench/slo.ts"
import { type ArrivalProcess, drawArrivals } from "../../perf/arrivals.ts"
import type { LoadPlan } from "../../perf/load-plan.ts"
import { parseTrace, type TraceEntry } from "../../perf/trace.ts"

/** What the command line asks for, read and checked. */
export interface BenchSettings {
  readonly mode: BenchMode
  readonly slo: readonly Slo[]
  /** Lengths of prompts and answers, of a trace that is replayed or only sampled for them. */
  readonly lengths: readonly TraceEntry[] | null
  /** Synthetic prompts and answers of an endpoint without a data set. */
  readonly prompts: { readonly promptTokens: number; readonly maxTokens: number; readonly sharedPrefix: number }
  readonly warmUp: boolean
  readonly calibrate: boolean
  readonly blocks: number | null
  readonly seed: number
  readonly budget: Budget | null
  /** Traffic to project a bill for; null: none. */
  readonly queriesPerMonth: number | null
  /** Share of requests that must be answered: what the error budget is counted against. */
  readonly availabilityTarget: number
}

/**
 * - `levels`: these loads, in this order;
 * - `sweep`: closed loops of 1, 2, 4 … slots until throughput stops growing or the SLO breaks;
 * - `search`: the highest rate that still meets the SLO.
 */
export type BenchMode =
  | { readonly kind: "levels"; readonly plans: readonly LoadPlan[] }
  | { readonly kind: "sweep"; readonly maxConcurrency: number; planOf(concurrency: number): LoadPlan }
  | { readonly kind: "search"; readonly startRate: number; planOf(ratePerSecond: number): LoadPlan }

type Args = Readonly<Record<string, unknown>>

/** @throws UsageError for numbers that cannot be used, and for options that exclude each other */
export function readSettings(args: Args, cwd: string): BenchSettings {
  const slo = typeof args.slo === "string" ? parseSlo(args.slo) : []
  const trace = typeof args.trace === "string" ? readTrace(args.trace, cwd) : null
  const seed = Number(args.seed ?? 1)
  return {
    mode: modeOf(args, trace, slo, seed),
    slo,
    lengths: typeof args.lengths === "string" ? readTrace(args.lengths, cwd) : trace,
    seed,
    budget: typeof args.budget === "string" ? parseBudget(args.budget, "--budget") : null,
    queriesPerMonth:
      args.queriesPerMonth === undefined ? null : positive(args.queriesPerMonth, "--queries-per-month", 1, 1e12),
    availabilityTarget: share(args.availabilityTarget ?? 0.999, "--availability-target"),
    prompts: {
      promptTokens: Math.round(positive(args.promptTokens ?? 64, "--prompt-tokens", 1, 1e6)),
      maxTokens: Math.round(positive(args.maxTokens ?? 128, "--max-tokens", 1, 1e6)),
      sharedPrefix: args.sharedPrefix === undefined ? 0 : share(args.sharedPrefix, "--shared-prefix"),
    },
    warmUp: args.warmUp !== false,
    calibrate: args.calibrate !== false,
    blocks: args.blocks === undefined ? null : positive(args.blocks, "--blocks"),
  }
}

function modeOf(args: Args, trace: readonly TraceEntry[] | null, slo: readonly Slo[], seed: number): BenchMode {
  const durationMs = args.duration === undefined ? undefined : parseDuration(String(args.duration))
  const requests = args.requests === undefined ? undefined : positive(args.requests, "--requests")
  const ends = { ...(requests === undefined ? {} : { requests }), ...(durationMs === undefined ? {} : { durationMs }) }
  const rampMs = args.ramp === undefined ? 0 : parseDuration(String(args.ramp))
  const chosen = ["sweep", "findRate", "rate", "trace", "concurrency"].filter(
    (name) => args[name] !== undefined && args[name] !== false,
  )
  const exclusive = chosen.filter((name) => !(name === "rate" && chosen.includes("findRate")))
  if (exclusive.length > 1)
    throw new UsageError("these options exclude each other", { where: exclusive.map(flagOf).join(", ") })

  const closed = (concurrency: number, atLeast = 0): LoadPlan => ({
    kind: "closed",
    concurrency,
    ...(durationMs === undefined ? { requests: Math.max(requests ?? 100, atLeast) } : ends),
    ...(rampMs > 0 ? { rampMs } : {}),
  })
  const open = (ratePerSecond: number): LoadPlan => {
    const process = (args.arrival ?? "poisson") as ArrivalProcess
    const count = requests ?? (durationMs === undefined ? 100 : undefined)
    const limits = { ...(count === undefined ? {} : { count }), ...(durationMs === undefined ? {} : { durationMs }) }
    const cv = args.cv === undefined ? {} : { cv: Number(args.cv) }
    const arrivals = drawArrivals({ process, ratePerSecond, ...limits, ...cv }, createRandom(seed))
    return { kind: "open", arrivals, description: `${process}${cv.cv ? ` cv ${cv.cv}` : ""}, seed ${seed}` }
  }

  if (args.sweep)
    return {
      kind: "sweep",
      maxConcurrency: positive(args.maxConcurrency ?? 256, "--max-concurrency"),
      planOf: (slots) => closed(slots, 4 * slots),
    }
  if (args.findRate) {
    if (slo.length === 0)
      throw new UsageError("--find-rate needs an objective", { hint: 'add for example --slo "ttft<800ms,tpot<50ms"' })
    return {
      kind: "search",
      startRate: args.rate === undefined ? 1 : (numbers(args.rate, "--rate")[0] as number),
      planOf: open,
    }
  }
  if (trace) return { kind: "levels", plans: [replay(trace, args, ends)] }
  if (args.rate !== undefined) return { kind: "levels", plans: numbers(args.rate, "--rate").map(open) }
  return {
    kind: "levels",
    plans: numbers(args.concurrency ?? 1, "--concurrency").map((slots) => closed(Math.round(slots))),
  }
}

function replay(
  trace: readonly TraceEntry[],
  args: Args,
  ends: { readonly requests?: number; readonly durationMs?: number },
): LoadPlan {
  const speed = args.traceSpeed === undefined ? 1 : Number(args.traceSpeed)
  if (!(speed > 0)) throw new UsageError("--trace-speed must be above 0", { where: String(args.traceSpeed) })
  const arrivals = trace
    .map(({ atMs }) => atMs / speed)
    .filter(
      (atMs, i) =>
        i < (ends.requests ?? Number.POSITIVE_INFINITY) && atMs < (ends.durationMs ?? Number.POSITIVE_INFINITY),
    )
  return { kind: "open", arrivals: Float64Array.from(arrivals), description: `trace, ${speed} times its speed` }
}

function readTrace(path: string, cwd: string): readonly TraceEntry[] {
  const full = resolve(cwd, path)
  let text: string
  try {
    text = readFileSync(full, "utf8")
  } catch (cause) {
    throw new UsageError("the trace cannot be read", { where: path, cause })
  }
  return parseTrace(text, path)
}

/**
 * Reads a duration: a number with `ms`, `s`, `min` or `h`; seconds without a unit.
 *
 * @example parseDuration("1.5min") // 90000
 */
export function parseDuration(text: string): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|min|m|h)?\s*$/.exec(text)
  const factor = new Map([
    ["ms", 1],
    ["s", 1000],
    ["min", 60_000],
    ["m", 60_000],
    ["h", 3_600_000],
  ]).get(match?.[2] ?? "s")
  const milliseconds = Number(match?.[1]) * (factor ?? Number.NaN)
  if (!(milliseconds > 0))
    throw new UsageError("a duration cannot be read", { where: text, hint: "write it as 30s or 5min" })
  return milliseconds
}

/** One number or several, joined by commas. */
function numbers(value: unknown, flag: string): readonly number[] {
  return String(value)
    .split(",")
    .map((part) => positive(part.trim(), flag, 0))
}

function positive(value: unknown, flag: string, least = 1, most = 1e7): number {
  const number = Number(value)
  if (!Number.isFinite(number) || number <= 0 || number < least || number > most)
    throw new UsageError(`${flag} must be a number above 0`, { where: String(value).slice(0, 40) })
  return number
}

function share(value: unknown, flag: string): number {
  const number = Number(value)
  if (!(number > 0 && number < 1))
    throw new UsageError(`${flag} must be between 0 and 1`, { where: String(value).slice(0, 40) })
  return number
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
