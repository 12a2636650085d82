import { parentPort, workerData } from "node:worker_threads"
import { foreignAnswer } from "../../../datasets/foreign-answer.ts"
import { systemClock } from "../../core/clock.ts"
import { EvalkitError, messageOf } from "../../core/errors.ts"
import { transformers } from "../../encoders/embedder/transformers.ts"
import { localScorer, type RowBatch } from "../../pipeline/score-file/scorer.ts"
import { createOfflineTools } from "../../score/metric-tools-offline.ts"
import { orderMetrics } from "../../score/order-metrics.ts"
import { evaluationOf, type MetricSource } from "./chosen-metrics.ts"

// One thread of `evalkit score`: loads the same config, scores the batches that it is sent. See worker-pool.ts.

const { cacheDirectory, ...source } = workerData as MetricSource & { readonly cacheDirectory: string }
const evaluation = await evaluationOf(source)
const { tools } = createOfflineTools({
  evaluation,
  clock: systemClock,
  signal: new AbortController().signal,
  environment: process.env,
  cacheDirectory,
  defaultEmbedder: transformers({ cacheDirectory }),
})
const scorer = localScorer(orderMetrics(evaluation.metrics), tools, foreignAnswer)

parentPort?.on("message", async ({ id, batch }: { readonly id: number; readonly batch: RowBatch }) => {
  try {
    parentPort?.postMessage({ id, scored: await scorer.score(batch) })
  } catch (error) {
    const facts = error instanceof EvalkitError ? { code: error.code, exitCode: error.exitCode } : { code: "fault" }
    parentPort?.postMessage({ id, failed: { message: messageOf(error), ...facts } })
  }
})
parentPort?.postMessage({ ready: true })
