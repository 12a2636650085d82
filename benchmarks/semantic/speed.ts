import { dirname } from "node:path"
import { env, pipeline } from "@huggingface/transformers"
import { bertScore } from "../../metrics/semantic/bert-score.ts"
import { optimalTransport } from "../../metrics/semantic/optimal-transport.ts"
import { createRandom } from "../../src/core/random.ts"
import { minilmFolder } from "../../src/encoders/embedder/minilm/minilm-folder.ts"
import { answerOf, noTools, sampleOf } from "../../test/metrics/lexical-fixtures.ts"
import { modelCache, realModel } from "../../test/metrics/semantic/model.ts"
import { distinctSentences, median } from "./sentences.ts"

/**
 * Sentences per second through evalkit's embedder (a worker thread) and through transformers.js' own pipeline on the same file, in
 * turns; BERTScore pairs per second; milliseconds of exact transport. Medians of five rounds
 * (transport: of 13 to 200).
 *
 * node --import jiti/register benchmarks/semantic/speed.ts
 */
const rounds = 5
const texts = distinctSentences(128)
const folder = await minilmFolder(modelCache, "fp32")
env.localModelPath = dirname(folder)
env.allowRemoteModels = false
const bare = await pipeline("feature-extraction", folder.slice(dirname(folder).length + 1), {
  dtype: "fp32",
  session_options: { intraOpNumThreads: 1 },
})
const embedder = realModel()

async function perSecond(count: number, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (1000 * count) / (performance.now() - started)
}

async function inBatches(size: number, use: (batch: string[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < texts.length; start += size) await use(texts.slice(start, start + size))
}

await embedder.embed(["warm"])
await bare(["warm"], { pooling: "mean", normalize: true })
for (const size of [1, 32]) {
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    ours.push(await perSecond(texts.length, () => inBatches(size, (batch) => embedder.embed(batch))))
    const call = (batch: string[]) => bare(batch, { pooling: "mean", normalize: true })
    theirs.push(await perSecond(texts.length, () => inBatches(size, call)))
  }
  console.log(
    `sentences/s, batch ${size}: evalkit ${Math.round(median(ours))}, bare pipeline ${Math.round(median(theirs))}`,
  )
}

const pairs = texts.slice(0, 64).map((text, i) => ({ text, reference: texts[64 + i] as string }))
for (const cached of [false, true]) {
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) {
    const own = cached ? embedder : realModel()
    if (!cached) await own.embed(["warm"])
    const metric = bertScore({ embedder: own })
    const score = () =>
      Promise.all(pairs.map(async (pair) => metric.measure(sampleOf([pair.reference]), answerOf(pair.text), noTools)))
    if (cached) await score()
    rates.push(await perSecond(pairs.length, score))
    if (!cached) await own.close()
  }
  console.log(
    `BERTScore pairs/s, ${cached ? "embeddings in the cache" : "nothing in the cache"}: ${Math.round(median(rates))}`,
  )
}
await embedder.close()

const random = createRandom("transport")
for (const size of [20, 100, 300]) {
  const points = () => Array.from({ length: size }, () => [random.next(), random.next(), random.next()])
  const [from, to] = [points(), points()]
  const cost = from.flatMap((a) => to.map((b) => Math.hypot(...a.map((value, i) => value - (b[i] as number)))))
  const masses = from.map(() => random.next())
  const times = Array.from({ length: Math.ceil(4000 / size) }, () => {
    const started = performance.now()
    optimalTransport(masses, masses.toReversed(), cost)
    return performance.now() - started
  })
  console.log(`transport ${size} × ${size}: ${median(times).toFixed(2)} ms`)
}
