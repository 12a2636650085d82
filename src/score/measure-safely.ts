import { stackOf } from "../core/error-stack.ts"
import { EvalkitError, messageOf } from "../core/errors.ts"
import type { Generation } from "../core/generation.ts"
import { isObject } from "../core/json-members.ts"
import { type AnyMetric, type Measured, unscored } from "../core/metric/metric.ts"
import type { MetricTools, ModelCaller } from "../core/metric/metric-tools.ts"
import { isStoreLost } from "../core/run/run-store.ts"
import type { Sample } from "../core/sample.ts"
import { redactValue } from "../text/redact.ts"
import { redactSecrets } from "../text/secrets.ts"
import { scoreReasons } from "../words/reasons/scores.ts"

/** What a metric found of one answer, checked. */
export interface CheckedMeasurement {
  readonly measured: Measured<unknown>
  /** `metric.value(row)`: finite and within the metric's range, or null. */
  readonly value: number | null
}

/** Milliseconds of its own that a metric may take for one answer. */
export const maxMeasurementMs = 600_000

/**
 * Measures one answer. Whatever the metric does, there is a row: an error, no end within the limit, or a value that is no
 * finite number within the metric's range becomes `unscored` with metric, sample and cause. Time in which the metric waits
 * for a model that it asked through its tools does not count. A metric that never gives up the thread cannot be stopped.
 *
 * @param limitMs milliseconds of the metric's own time
 * @returns at once what is measured at once: most metrics wait for nothing, and a run has millions of measurements
 */
export function measureSafely(
  metric: AnyMetric,
  sample: Sample,
  generation: Generation,
  tools: MetricTools,
  limitMs: number = maxMeasurementMs,
): CheckedMeasurement | Promise<CheckedMeasurement> {
  const watched = metric.asks?.length ? watchCalls(tools) : { tools, waiting: () => false }
  try {
    const started = metric.measure(sample, generation, watched.tools)
    if (started instanceof Promise)
      return inTime(started, watched.waiting, tools.signal, limitMs)
        .then((measured) => (measured === late ? tooLate(metric, sample, limitMs) : checked(metric, measured, sample)))
        .catch((error: unknown) => failed(metric, sample, tools, error))
    return checked(metric, started, sample)
  } catch (error) {
    return failed(metric, sample, tools, error)
  }
}

function placeOf(metric: AnyMetric, sample: Sample): string {
  return `metric ${metric.name}, sample ${sample.id}`
}

function tooLate(metric: AnyMetric, sample: Sample, limitMs: number): CheckedMeasurement {
  const why = `${placeOf(metric, sample)}: no result in ${limitMs / 1000} s`
  return { measured: unscored("metric_timeout", why), value: null }
}

/** What an error leaves of a measurement. @throws the error, where it says nothing of the answer */
function failed(
  metric: AnyMetric,
  sample: Sample,
  { signal }: Pick<MetricTools, "signal">,
  error: unknown,
): CheckedMeasurement {
  // A store that cannot be reached says nothing of the answer.
  if (signal.aborted || isStoreLost(error)) throw error
  const cause = redactSecrets(messageOf(error)).slice(0, maxCauseLength)
  const absent = error instanceof EvalkitError && unavailable.find((code) => code === error.code)
  if (absent) return { measured: unscored(absent, cause), value: null }
  const stack = stackOf(error)
  const details = stack === undefined ? undefined : { stack: redactSecrets(stack) }
  return { measured: unscored("metric_failed", `${placeOf(metric, sample)}: ${cause}`, details), value: null }
}

const maxCauseLength = 500

/** What a metric cannot do without, and what is wrong is not its fault. */
const unavailable = ["missing_package", "model_unavailable"] as const

const late = Symbol("late")

/** The value of a measurement, if there is one that can be averaged, stored and compared; no key is in it. */
function checked(metric: AnyMetric, result: Measured<unknown>, sample: Sample): CheckedMeasurement {
  const input: unknown = result
  if (!isObject(input) || (input.status !== "scored" && input.status !== "unscored"))
    return {
      measured: unscored("metric_value", `${placeOf(metric, sample)}: ${scoreReasons.noMeasurement}`),
      value: null,
    }
  const measured = redactValue(result, redactSecrets)
  if (measured.status === "unscored") return { measured, value: null }
  const value: unknown = metric.value(measured.row)
  if (value === null && isStorable(measured.row)) return { measured, value: null }
  const problem = problemOf(value, metric.range)
  if (problem === null && isStorable(measured.row)) return { measured, value: value as number }
  const got = problem ?? scoreReasons.notFinite
  return { measured: unscored("metric_value", `${placeOf(metric, sample)}: ${got}`), value: null }
}

function problemOf(value: unknown, [low, high]: readonly [number, number]): string | null {
  if (typeof value !== "number") return scoreReasons.noNumber(JSON.stringify(value)?.slice(0, 80) ?? typeof value)
  if (!Number.isFinite(value)) return `its value is ${value}`
  const slack = rounding * Math.max(1, Math.abs(value))
  if (value < low - slack || value > high + slack) return scoreReasons.outOfRange(value, low, high)
  return null
}

/** Sums of many terms may leave a range by rounding alone. */
const rounding = 1e-6

/** Whether a row comes back from JSON as it went in: NaN and infinity would come back as null, and be counted as 0. */
function isStorable(row: unknown): boolean {
  if (typeof row === "number") return Number.isFinite(row)
  if (typeof row !== "object" || row === null) return true
  for (const value of Array.isArray(row) ? row : Object.values(row)) if (!isStorable(value)) return false
  return true
}

/** The tools, and whether the metric waits for a model now. */
function watchCalls(tools: MetricTools): { readonly tools: MetricTools; waiting(): boolean } {
  let pending = 0
  const { models } = tools
  const watched: ModelCaller = {
    ...models,
    async call(...request) {
      pending++
      try {
        return await models.call(...request)
      } finally {
        pending--
      }
    },
  }
  return { tools: { ...tools, models: watched }, waiting: () => pending > 0 }
}

/** The promise's value, or {@link late}. The clock stands still while `waiting()`. */
async function inTime<T>(
  started: Promise<T>,
  waiting: () => boolean,
  signal: AbortSignal,
  limitMs: number,
): Promise<T | typeof late> {
  const stepMs = Math.min(limitMs, 500)
  let ownMs = 0
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<typeof late>((resolve, reject) => {
    timer = setInterval(() => {
      if (!waiting()) ownMs += stepMs
      // A model that was asked is paid for: its answer is waited for, and kept.
      if (signal.aborted && !waiting()) reject(signal.reason)
      else if (ownMs >= limitMs) resolve(late)
    }, stepMs)
  })
  tooLate.catch(() => {})
  started.catch(() => {})
  try {
    return await Promise.race([started, tooLate])
  } finally {
    clearInterval(timer)
  }
}
