import type { BenchMode } from "../../bench/bench-mode.ts"
import { UsageError } from "../../core/errors.ts"
import { createRandom } from "../../core/random.ts"
import type { Slo } from "../../perf/bench/slo.ts"
import { type ArrivalProcess, drawArrivals } from "../../perf/load/arrivals.ts"
import type { LoadPlan, OpenLoop } from "../../perf/load/load-plan.ts"
import { minLoopRequests } from "../../perf/load/load-units.ts"
import type { TraceEntry } from "../../perf/load/trace.ts"
import { camelTo } from "../../words/names.ts"
import { count } from "../../words/number.ts"
import { duration } from "../../words/quantity.ts"
import type { Args } from "../command.ts"
import { numbers, parseDuration, positive } from "./option-values.ts"

/** @throws UsageError for options that exclude each other or cannot be used */
export function readMode(
  args: Args,
  trace: readonly TraceEntry[] | null,
  slo: readonly Slo[],
  seed: number,
): BenchMode {
  refuseContradictions(args)
  const ends = endsOf(args)
  const open = (ratePerSecond: number) => openLoop(args, ends, ratePerSecond, seed)
  const isFree = ["findRate", "rate", "trace", "concurrency"].every(
    (name) => args[name] === undefined || args[name] === false,
  )
  if (args.resume !== undefined && !args.tune)
    throw new UsageError("--resume needs --tune", { hint: "other loads are measured in one go" })
  if (args.tune && slo.length === 0)
    throw new UsageError("--tune needs an objective", { hint: 'add for example --slo "ttft<800ms,tpot<50ms"' })
  if (args.sweep || (args.tune && isFree))
    return {
      kind: "sweep",
      maxConcurrency: positive(args.maxConcurrency ?? 256, "--max-concurrency"),
      planOf: (slots) => closedLoop(args, ends, slots, minLoopRequests(slots)),
    }
  if (args.findRate) {
    if (slo.length === 0)
      throw new UsageError("--find-rate needs an objective", { hint: 'add for example --slo "ttft<800ms,tpot<50ms"' })
    return {
      kind: "search",
      startRate: args.rate === undefined ? null : (numbers(args.rate, "--rate")[0] as number),
      ...(args.quick === true && { isQuick: true }),
      planOf: ({ ratePerSecond, durationMs }, level) =>
        openLoop(args, Object.keys(ends).length > 0 ? ends : { durationMs }, ratePerSecond, `${seed}/${level}`),
      unitArrivals: (requests) => openLoop(args, { requests }, 1, `${seed}/unit`).arrivals,
    }
  }
  if (trace) return { kind: "levels", plans: [replay(trace, args, ends)] }
  // A search over settings leaves a server at the first load that misses the objectives.
  const loads = (name: "rate" | "concurrency", least?: number) => {
    const values = numbers(args[name] ?? 1, `--${name}`, least)
    return args.tune ? values.toSorted((a, b) => a - b) : values
  }
  if (args.rate !== undefined) return { kind: "levels", plans: loads("rate").map(open) }
  return {
    kind: "levels",
    plans: loads("concurrency", 1).map((slots) => closedLoop(args, ends, Math.round(slots))),
  }
}

/** What ends a level: a count, a duration or both. */
interface Ends {
  readonly requests?: number
  readonly durationMs?: number
}

function endsOf(args: Args): Ends {
  return {
    ...(args.requests === undefined ? {} : { requests: Math.round(positive(args.requests, "--requests")) }),
    ...(args.duration === undefined ? {} : { durationMs: parseDuration(String(args.duration)) }),
  }
}

/** A hundred requests, where nothing else ends a level. */
const defaultRequests = 100

function closedLoop(args: Args, ends: Ends, concurrency: number, atLeast = 0): LoadPlan {
  const rampMs = args.ramp === undefined ? 0 : parseDuration(String(args.ramp))
  return {
    kind: "closed",
    concurrency,
    ...(ends.durationMs === undefined ? { requests: Math.max(ends.requests ?? defaultRequests, atLeast) } : ends),
    ...(rampMs > 0 ? { rampMs } : {}),
  }
}

function openLoop(args: Args, ends: Ends, ratePerSecond: number, seed: number | string): OpenLoop {
  const process = (args.arrival ?? "poisson") as ArrivalProcess
  const { requests: count = ends.durationMs === undefined ? defaultRequests : undefined, durationMs } = ends
  const limits = { ...(count === undefined ? {} : { count }), ...(durationMs === undefined ? {} : { durationMs }) }
  const cv = args.cv === undefined ? {} : { cv: Number(args.cv) }
  const arrivals = drawArrivals({ process, ratePerSecond, ...limits, ...cv }, createRandom(seed))
  return {
    kind: "open",
    arrivals,
    description: `${process}${cv.cv ? ` cv ${cv.cv}` : ""}, seed ${seed}`,
    ...most(args),
  }
}

/** Requests a second beyond which a trace's times are taken for misread. */
const maxTraceRate = 1000

function replay(trace: readonly TraceEntry[], args: Args, ends: Ends): LoadPlan {
  const speed = args.traceSpeed === undefined ? 1 : Number(args.traceSpeed)
  if (!(speed > 0)) throw new UsageError("--trace-speed must be above 0", { where: String(args.traceSpeed) })
  const arrivals = trace
    .map(({ atMs }) => atMs / speed)
    .filter(
      (atMs, i) =>
        i < (ends.requests ?? Number.POSITIVE_INFINITY) && atMs < (ends.durationMs ?? Number.POSITIVE_INFINITY),
    )
  const spanMs = (trace.at(-1)?.atMs ?? 0) / speed
  const ratePerSecond = spanMs > 0 ? ((trace.length - 1) / spanMs) * 1000 : 0
  const isShort = ends.durationMs !== undefined && ends.requests === undefined && spanMs < ends.durationMs / 10
  if (args.traceSpeed === undefined && trace.length > 1 && (ratePerSecond > maxTraceRate || spanMs === 0 || isShort))
    throw new UsageError(
      `are the trace's times in another unit? Its ${count(trace.length)} requests would come within ${duration(spanMs)}` +
        (ratePerSecond > maxTraceRate ? `, ${count(Math.round(ratePerSecond))} a second` : ""),
      {
        code: "trace_rate",
        where: String(args.trace),
        hint: "name the column of arrivals t_s where it counts seconds, t_ms where milliseconds; where they are right, add --trace-speed 1",
      },
    )
  const description = speed === 1 ? "trace, at its own speed" : `trace, ${speed} times its speed`
  return { kind: "open", arrivals: Float64Array.from(arrivals), description, ...most(args) }
}

/** What a client with so many connections would hold back; those requests keep their schedule. */
function most({ maxInFlight }: Args): { readonly maxInFlight?: number } {
  return maxInFlight === undefined ? {} : { maxInFlight: Math.round(positive(maxInFlight, "--max-in-flight", 1)) }
}

/** Refuses more than one kind of load; only a search takes a rate besides, to start from. */
function refuseContradictions(args: Args): void {
  const chosen = ["sweep", "findRate", "rate", "trace", "concurrency"].filter(
    (name) => args[name] !== undefined && args[name] !== false,
  )
  const exclusive = chosen.filter((name) => !(name === "rate" && chosen.includes("findRate")))
  if (exclusive.length > 1)
    throw new UsageError("these options exclude each other", {
      where: exclusive.map((name) => `--${camelTo("-", name)}`).join(", "),
    })
  const isOpen = ["findRate", "rate", "trace"].some((name) => chosen.includes(name))
  if (args.maxInFlight !== undefined && !isOpen)
    throw new UsageError("--max-in-flight limits an open loop", { hint: "add --rate or --trace, or use --concurrency" })
}
