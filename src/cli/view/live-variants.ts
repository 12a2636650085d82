import type { LiveVariant } from "../../../reports/view/live-page.ts"
import { isAnswered } from "../../core/outcome.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { createCostAccumulator } from "../../cost/cost-figures.ts"
import { createSpeedAccumulator } from "../../perf/speed-figures.ts"
import { wilsonRate } from "../../perf/wilson.ts"
import { normalQuantile } from "../../stats/distributions.ts"
import { levelText } from "../../stats/level-text.ts"

/** Answers per variant up to which the live page reads them all again at every look. */
const mostRead = 20_000

/** How far a run is: answers on disk per variant, their speed and cost, and the first primary metric where it is scored. */
export function liveVariants(store: RunStore, record: RunRecord): LiveVariant[] {
  const finished = new Map<string, number>()
  for (const { variant } of store.finished(record.id)) finished.set(variant, (finished.get(variant) ?? 0) + 1)
  const metric = record.metrics.find((one) => one.primary) ?? record.metrics[0]
  return record.variants.map(({ name }) => ({
    name,
    finished: finished.get(name) ?? 0,
    failure: store.variantState(record.id, name)?.failure ?? null,
    ...soFar(store, record, name, finished.get(name) ?? 0),
    quality: metric ? partial(store, record, name, metric.name) : unknown("the run has no metric"),
  }))
}

/** Failures, end-to-end latency and cost of the answers so far. */
function soFar(
  store: RunStore,
  record: RunRecord,
  variant: string,
  finished: number,
): Pick<LiveVariant, "failed" | "e2eMs" | "perThousandUsd"> {
  if (finished > mostRead) {
    const later = unknown(`shown at the end: more than ${mostRead} answers`)
    return { failed: null, e2eMs: later, perThousandUsd: later }
  }
  const speed = createSpeedAccumulator({ alpha: record.alpha })
  const cost = createCostAccumulator({ price: null, alpha: record.alpha })
  let failed = 0
  for (const generation of store.generations(record.id, variant)) {
    speed.add(generation)
    cost.add(generation, null)
    if (!isAnswered(generation.outcome)) failed++
  }
  const figures = speed.figures()
  const { perThousandUsd } = cost.figures(figures.systemTokensPerSecond, null)
  return { failed, e2eMs: figures.e2eMs.p50, perThousandUsd }
}

/** Wilson's interval where all values are 0 or 1, else the mean with its normal interval. */
function partial(store: RunStore, record: RunRecord, variant: string, metric: string): Figure {
  let n = 0
  let sum = 0
  let squares = 0
  let binary = true
  for (const { value } of store.rows(record.id, variant, metric)) {
    if (value === null) continue
    n++
    sum += value
    squares += value * value
    binary &&= value === 0 || value === 1
  }
  if (n === 0) return unknown("scored after the last answer")
  if (binary) return wilsonRate(sum, n, undefined, record.alpha)
  const mean = sum / n
  const half =
    n < 2 ? null : normalQuantile(1 - record.alpha / 2) * Math.sqrt(Math.max(0, squares / n - mean * mean) / (n - 1))
  const bounds = half === null ? { low: null, high: null } : { low: mean - half, high: mean + half }
  return { status: "known", value: mean, ...bounds, n, method: `mean so far, normal ${levelText(record.alpha)}` }
}
