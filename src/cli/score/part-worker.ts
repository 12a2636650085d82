import { parentPort, workerData } from "node:worker_threads"
import { makeTextMetric } from "../../../metrics/text-metrics.ts"
import { EvalkitError, messageOf } from "../../core/errors.ts"
import type { MetricTools } from "../../core/metric/metric-tools.ts"
import { orderMetrics } from "../../score/order-metrics.ts"
import { type Part, scorePart } from "../../score/threads/score-part.ts"
import type { ScoringThreadData } from "../../score/threads/scoring-threads.ts"
import { encodeRows } from "../../store/encode-rows.ts"
import { unpackAnswers } from "../../store/packed-answers.ts"

// One thread that scores a stored run: makes the same metrics, measures the parts that it is sent. See worker-pool.ts.

const { metrics: recipes } = workerData as ScoringThreadData
const metrics = orderMetrics(
  recipes.map(({ signature, ...recipe }) => {
    const metric = makeTextMetric(recipe)
    if (metric.signature === signature) return metric
    throw new Error(`${metric.name} would be measured otherwise: ${metric.signature} instead of ${signature}`)
  }),
)

/** Metrics that measure texts use none of these. */
const absent = () => {
  throw new Error("a thread that scores has no tools")
}
const tools: Omit<MetricTools, "valueOf"> = {
  signal: new AbortController().signal,
  seed: 0,
  cache: { get: absent, set: absent },
  models: { call: absent },
  candidateModels: [],
}

parentPort?.on("message", async ({ id, batch: part }: { readonly id: number; readonly batch: Part }) => {
  try {
    const rows = await scorePart(metrics, part, unpackAnswers(part.packed), tools)
    parentPort?.postMessage({ id, scored: { encoded: encodeRows(rows) } })
  } catch (error) {
    const facts = error instanceof EvalkitError ? { code: error.code, exitCode: error.exitCode } : { code: "fault" }
    parentPort?.postMessage({ id, failed: { message: messageOf(error), ...facts } })
  }
})
parentPort?.postMessage({ ready: true })
