import type { Generation } from "../../core/generation.ts"
import type { JsonObject } from "../../core/json.ts"
import type { Check, VariantReport } from "../../core/report/report.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { answerLatency } from "../../perf/answer-latency.ts"
import { doubtfulFigures } from "../../perf/client/client-error-check.ts"
import type { ClientError } from "../../perf/client/self-calibration.ts"
import { quantileOfSorted } from "../../perf/percentile.ts"

/** Kind of the run event that holds the client's own measurement error. */
export const clientErrorEvent = "client_error"

/** Measures the client's error at the run's own load; passed in, because it needs a transport. */
export type Calibrate = (load: {
  readonly concurrency: number
  readonly chunkIntervalMs: number
}) => Promise<ClientError | null>

/** The pace of a run's streams, from its first answers. */
export interface PaceSampler {
  add(generation: Generation): void
  /** Median time per token of the quickest variant, in milliseconds; null when nothing was timed. */
  chunkIntervalMs(): number | null
}

/** Answers per variant that the pace is read from. */
const enoughAnswers = 200

/** Keeps the time per token of each variant's first answers. */
export function createPaceSampler(): PaceSampler {
  const byVariant = new Map<string, number[]>()
  return {
    add(generation) {
      const { tpotMs } = answerLatency(generation)
      if (tpotMs === null || generation.source !== "measured") return
      const known = byVariant.get(generation.variant)
      if (!known) byVariant.set(generation.variant, [tpotMs])
      else if (known.length < enoughAnswers) known.push(tpotMs)
    },
    chunkIntervalMs() {
      const medians = [...byVariant.values()].map((paces) => quantileOfSorted(Float64Array.from(paces).sort(), 0.5))
      return medians.length === 0 ? null : Math.min(...medians)
    },
  }
}

/** The client's error as the store keeps it. */
export function clientErrorData(error: ClientError): JsonObject {
  return JSON.parse(JSON.stringify(error)) as JsonObject
}

/** The check that every performance report makes of its own client; null when the client was not calibrated. */
export function clientErrorCheck(
  store: Pick<RunStore, "events">,
  runId: string,
  variants: readonly VariantReport[],
): Check | null {
  let latest: ClientError | null = null
  for (const { kind, data } of store.events(runId))
    if (kind === clientErrorEvent) latest = data as unknown as ClientError
  if (!latest) return null
  const error = latest
  const doubtful = new Set(
    variants.flatMap(({ name, speed }) => doubtfulFigures(speed, error).map(({ figure }) => `${figure} of ${name}`)),
  )
  const busy = Math.round(error.load.eventLoopUtilisation * 100)
  const facts = `TTFT ±${short(error.ttftMsP50)}, ITL ±${short(error.itlMsP50)} (medians), event loop busy ${busy} %`
  return {
    name: "the client's own error is under 5 % of every figure",
    status: doubtful.size === 0 ? "passed" : "failed",
    message: doubtful.size === 0 ? facts : `${facts}; over 5 % of ${summary([...doubtful])}`,
  }
}

function summary(figures: readonly string[]): string {
  return figures.length <= 3
    ? figures.join(", ")
    : `${figures.slice(0, 2).join(", ")} and ${figures.length - 2} more figures`
}

function short(ms: number): string {
  return ms < 0.1 ? `${Math.round(ms * 1000)} µs` : `${ms.toPrecision(2)} ms`
}
