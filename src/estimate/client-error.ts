import type { Generation } from "../core/generation.ts"
import type { JsonObject } from "../core/json.ts"
import type { TimingError } from "../core/report/change.ts"
import { type Figure, figureValue } from "../core/report/figure.ts"
import type { Check, Distribution, VariantReport } from "../core/report/report.ts"
import type { GateRule } from "../core/run/evaluation.ts"
import type { RunStore } from "../core/run/run-store.ts"
import { answerLatency } from "../perf/answer-latency.ts"
import { doubtfulFigures } from "../perf/client/client-error-check.ts"
import type { ClientError } from "../perf/client/self-calibration.ts"
import { quantileOfSorted } from "../perf/percentile.ts"
import { clientErrorCheckName, clientErrorMessage } from "../words/perf/client-error.ts"
import type { Constraint } from "./constraints.ts"
import { reportFigure } from "./report-figure.ts"

/** Kind of the run event that holds the client's own measurement error. */
export const clientErrorEvent = "client_error"

/** Measures the client's error at the run's own load; passed in, because it needs a transport. @experimental */
export type Calibrate = (load: CalibratedLoad) => Promise<ClientError | null>

/** The load that a run had, and how long its own error is measured at it. @experimental */
export interface CalibratedLoad {
  readonly concurrency: number
  readonly chunkIntervalMs: number
  readonly durationMs: number
}

/**
 * Whether the client's own error could have made a difference of two times; null where it is longer than that.
 *
 * @param errorMs null: it was not measured
 */
export function timingErrorOf(differenceMs: number, errorMs: number | null): TimingError | null {
  if (errorMs === null) return "unmeasured"
  return errorMs === 0 || Math.abs(differenceMs) > errorMs ? null : "within"
}

/** The pace at which the error is measured where no answer came token by token, in milliseconds. */
const defaultIntervalMs = 20

/** The pace of a run's streams, from its first answers. */
export interface PaceSampler {
  add(generation: Generation): void
  /** The load of the run's own requests; null when nothing was timed. */
  load(concurrency: number): CalibratedLoad | null
}

/** The client's error is measured no longer than the requests of the run took, and between these, in milliseconds. */
const [minMs, longestMs] = [500, 2000]

/** Answers per variant that the pace is read from. */
const enoughAnswers = 200

/** Keeps the time per token of each variant's first answers; answers in one piece have none, and are as much in need of an error. */
export function createPaceSampler(): PaceSampler {
  const byVariant = new Map<string, number[]>()
  let requestsMs = 0
  let isTimed = false
  return {
    add(generation) {
      const { tpotMs, e2eMs } = answerLatency(generation)
      if (e2eMs === null || generation.source !== "measured") return
      requestsMs += e2eMs
      isTimed = true
      if (tpotMs === null) return
      const existing = byVariant.get(generation.variant)
      if (!existing) byVariant.set(generation.variant, [tpotMs])
      else if (existing.length < enoughAnswers) existing.push(tpotMs)
    },
    load(concurrency) {
      const medians = [...byVariant.values()].map((paces) => quantileOfSorted(Float64Array.from(paces).sort(), 0.5))
      if (!isTimed) return null
      const durationMs = Math.min(longestMs, Math.max(minMs, requestsMs / concurrency))
      return {
        concurrency,
        chunkIntervalMs: medians.length === 0 ? defaultIntervalMs : Math.min(...medians),
        durationMs,
      }
    },
  }
}

/** The client's error as the store keeps it. */
export function clientErrorData(error: ClientError): JsonObject {
  return JSON.parse(JSON.stringify(error)) as JsonObject
}

/** The client's own error of a run as it was measured last; null when it was not. */
export function storedClientError(store: Pick<RunStore, "events">, runId: string): ClientError | null {
  let latest: ClientError | null = null
  for (const { kind, data } of store.events(runId))
    if (kind === clientErrorEvent) latest = data as unknown as ClientError
  return latest
}

/**
 * The largest difference of two sides' times that evalkit's own error could make, in milliseconds: each of the two may be off by it.
 * Null where it was not measured of all.
 */
export function timeErrorOf(reports: readonly Pick<VariantReport, "speed">[]): number | null {
  const errors = reports.flatMap(({ speed }) => speed.clientErrorMs ?? [])
  return errors.length === 0 || errors.length < reports.length ? null : 2 * Math.max(...errors)
}

/** The report of a variant with its times marked that the client's own error is over 5 % of. */
export function withClientError(report: VariantReport, error: ClientError | null): VariantReport {
  if (!error) return report
  const { speed } = report
  const doubtful = new Set(doubtfulFigures(speed, error).map(({ figure }) => figure))
  const marked = (name: "TTFT" | "ITL", distribution: Distribution): Distribution => ({
    ...distribution,
    p50: approximate(distribution.p50, doubtful.has(`${name} p50`)),
    p99: approximate(distribution.p99, doubtful.has(`${name} p99`)),
  })
  return {
    ...report,
    speed: {
      ...speed,
      clientErrorMs: error.ttftMsP50,
      ttftMs: marked("TTFT", speed.ttftMs),
      itlMs: marked("ITL", speed.itlMs),
    },
  }
}

function approximate(figure: Figure, isApproximate: boolean): Figure {
  return isApproximate && figure.status === "known" ? { ...figure, isApproximate } : figure
}

/** What may rest on a time. */
export interface TimeDecisions {
  readonly variants: readonly VariantReport[]
  readonly gate: readonly GateRule[]
  readonly constraints: readonly Constraint[]
}

/**
 * The check that every performance report makes of its own client: does a decision rest on a time that evalkit's own error could turn?
 * A difference within the error is no change for any verdict; what is left are limits: a rule of the gate or a constraint whose
 * figure is nearer to its limit than the error. Null when the client was not calibrated.
 */
export function clientErrorCheck(error: ClientError | null, decisions: TimeDecisions): Check | null {
  if (!error) return null
  const { variants, gate, constraints } = decisions
  const limits = [
    ...gate.flatMap(({ figure, min, max, variants: only }) =>
      [min, max].flatMap((limit) => (limit === undefined ? [] : [{ figure, limit, only }])),
    ),
    ...constraints.map(({ figure, limit }) => ({ figure, limit, only: undefined })),
  ].filter(({ figure }) => /^(ttft|ttfo|e2e|tpot|itl)\w*Ms(\.|$)/.test(figure))
  const open = limits.flatMap(({ figure, limit, only }) =>
    variants.flatMap((variant) => {
      if (only && !only.includes(variant.name)) return []
      const value = figureValue(reportFigure(variant, figure))
      const errorMs = /^(tpot|itl)/.test(figure) ? error.itlMsP50 : error.ttftMsP50
      return value !== null && Math.abs(value - limit) <= errorMs ? [`${figure} of ${variant.name}`] : []
    }),
  )
  const marked = variants.flatMap(({ speed }) => doubtfulFigures(speed, error)).length
  return {
    name: clientErrorCheckName,
    status: open.length === 0 ? "passed" : "failed",
    message: clientErrorMessage({
      ttftMs: error.ttftMsP50,
      itlMs: error.itlMsP50,
      busyShare: error.load.eventLoopUtilisation,
      marked,
      undecided: open,
    }),
  }
}
