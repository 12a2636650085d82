import { workerData } from "node:worker_threads"
import { serveJobs } from "../../worker/serve-jobs.ts"
import { createEncoder, type Encoder } from "./encode.ts"
import { type LoadedModel, loadModel } from "./load-model.ts"
import type { EncoderSettings, Job, JobResults } from "./messages.ts"
import { poolTokens } from "./pool-tokens.ts"

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
