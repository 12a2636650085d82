import { EvalkitError, messageOf, UsageError } from "../core/errors.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import { measuresTheSame } from "../core/metric/text-measure.ts"
import type { Evaluation } from "../core/run/evaluation.ts"

/** What a metric's functions are called in, after the answers are there: an error in one of them would end the run unnamed. */
const named = ["value", "summarise", "section"] as const

/** The evaluation with metrics that name themselves where they fail. */
export function withNamedFaults(evaluation: Evaluation): Evaluation {
  return { ...evaluation, metrics: evaluation.metrics.map(nameFaults) }
}

/**
 * The metric, but errors of its own `value`, `summarise` and `section` say which metric failed, and where. (`measure` needs
 * nothing: what it throws leaves one answer unscored.)
 */
function nameFaults(metric: AnyMetric): AnyMetric {
  const fields = Object.fromEntries(Object.keys(metric).map((key) => [key, Reflect.get(metric, key)]))
  // A class instance keeps its own `this`, with whatever it has in private fields.
  const functions = [...named, "measure", "close"].flatMap((key) => {
    const own: unknown = Reflect.get(metric, key)
    if (typeof own !== "function") return []
    const call = (...args: readonly unknown[]): unknown => Reflect.apply(own, metric, args)
    return [[key, named.some((name) => name === key) ? saying(metric.name, key, call) : call] as const]
  })
  const form = Object.assign(Object.create(metric), fields, Object.fromEntries(functions)) as AnyMetric
  return measuresTheSame(form, metric)
}

function saying(metric: string, what: string, call: (...args: readonly unknown[]) => unknown) {
  return (...args: readonly unknown[]): unknown => {
    try {
      return call(...args)
    } catch (error) {
      if (error instanceof EvalkitError) throw error
      throw new UsageError(`a metric failed: ${messageOf(error)}`, {
        code: "metric_failed",
        where: `${what} of ${metric}`,
        hint: "the answers are kept: correct the metric, then score the run again with: evalkit score RUN",
        cause: error,
      })
    }
  }
}
