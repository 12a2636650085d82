import { workerData } from "node:worker_threads"
import type { TokenEmbeddings } from "../../../core/metric/embedder.ts"
import { serveJobs } from "../../worker/serve-jobs.ts"
import { createEncoder, type Encoder } from "./encode.ts"
import { type LoadedModel, loadModel } from "./load-model.ts"
import type { EncoderSettings, Job, JobResults } from "./messages.ts"

const settings = workerData as EncoderSettings

serveJobs<{ readonly model: LoadedModel; readonly encoder: Encoder }, Job>({
  async open(progress) {
    const model = await loadModel(settings, progress)
    return { model, encoder: createEncoder(model, settings) }
  },
  async work({ encoder }, job, proceed): Promise<JobResults[Job["kind"]]> {
    if (job.kind === "tokenize") return encoder.tokenize(job.texts)
    const layer = job.kind === "tokens" ? job.layer : null
    const texts = await encoder.encode(job.texts, layer, (done) =>
      proceed(`embedding: ${done} of ${job.texts.length} texts`),
    )
    return job.kind === "tokens" ? texts : texts.map((text) => poolTokens(text, settings))
  },
  close: ({ model }) => model.dispose(),
  transfer: (results) => buffersOf(results as JobResults[Job["kind"]]),
})

function buffersOf(results: JobResults[Job["kind"]]): ArrayBuffer[] {
  return results.flatMap((result) => {
    if (result instanceof Float32Array) return [result.buffer as ArrayBuffer]
    return "vectors" in result ? [result.vectors.buffer as ArrayBuffer] : []
  })
}

/** One vector of a text's token vectors: their mean (special tokens included, as sentence-transformers does), the first or the last. */
function poolTokens(
  { vectors, dimension, tokens }: TokenEmbeddings,
  { pooling, normalize }: Pick<EncoderSettings, "pooling" | "normalize">,
): Float32Array {
  const pooled = pooling === "mean" ? mean(vectors, dimension, tokens.length) : row(vectors, dimension, pooling)
  if (!normalize) return pooled
  const length = Math.sqrt(pooled.reduce((sum, value) => sum + value * value, 0))
  return length === 0 ? pooled : pooled.map((value) => value / length)
}

function mean(vectors: Float32Array, dimension: number, count: number): Float32Array {
  const sums = new Float64Array(dimension)
  for (let i = 0; i < vectors.length; i++)
    sums[i % dimension] = (sums[i % dimension] as number) + (vectors[i] as number)
  return Float32Array.from(sums, (sum) => sum / Math.max(1, count))
}

function row(vectors: Float32Array, dimension: number, which: "cls" | "last"): Float32Array {
  const start = which === "cls" ? 0 : Math.max(0, vectors.length - dimension)
  return vectors.slice(start, start + dimension)
}
