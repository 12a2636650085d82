import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { Token } from "node-llama-cpp"
import { systemClock } from "../../src/core/clock.ts"
import { generate } from "../../src/local-model/serve/generate.ts"
import { loadModel } from "../../src/local-model/serve/load-model.ts"
import { quantileOfSorted } from "../../src/perf/percentile.ts"
import { requestFigures } from "../../src/perf/request-figures.ts"
import { local } from "../../src/providers/local.ts"

/**
 * What serving adds: the tiny model evaluated in this process, and asked through `local(...)` over HTTP, plain, with the
 * log-probability of each token, and with ten alternatives. First medians in milliseconds over the same prompts, one at a
 * time; then tokens a second with several at once, which share batches.
 *
 * UV_THREADPOOL_SIZE=1 node --import jiti/register benchmarks/serve/main.ts
 */
const model = fileURLToPath(new URL("../../models/tiny/tiny-m-f16.gguf", import.meta.url))
const items = fileURLToPath(new URL("../../datasets/data/tiny-tasks.jsonl", import.meta.url))
const lines = (await readFile(items, "utf8")).trim().split("\n")
const prompts = lines.filter((_, i) => i % 9 === 0).map((line) => (JSON.parse(line) as { input: string }).input)

interface Timing {
  readonly ttftMs: number
  readonly tpotMs: number | null
  readonly tokens: number
}

const ways = {
  "without HTTP": generateHere,
  "served, no log-probabilities": (parallel: number) => askServer(parallel, undefined),
  "served, log-probabilities": (parallel: number) => askServer(parallel, 0),
  "served, ten alternatives": (parallel: number) => askServer(parallel, 10),
}
const alone: Record<string, object> = {}
const together: Record<string, object> = {}
for (const [name, ask] of Object.entries(ways)) {
  const { timings } = await ask(1)
  alone[name] = {
    "TTFT p50 ms": median(timings.map(({ ttftMs }) => ttftMs)),
    "TPOT p50 ms": median(timings.flatMap(({ tpotMs }) => tpotMs ?? [])),
  }
  const rates: [string, number][] = []
  for (const parallel of [1, 2, 4, 8])
    rates.push([`${parallel} at once`, Math.round((await ask(parallel)).tokensPerSecond)])
  together[name] = Object.fromEntries(rates)
}
console.table(alone)
console.table(together)

interface Answers {
  readonly timings: readonly Timing[]
  readonly tokensPerSecond: number
}

/** Asks every prompt, `parallel` of them at a time. */
async function askAll(
  parallel: number,
  ask: (prompt: string, slot: number) => Promise<Timing | null>,
): Promise<Answers> {
  const waiting = [...prompts]
  const timings: Timing[] = []
  const startMs = performance.now()
  await Promise.all(
    Array.from({ length: parallel }, async (_, slot) => {
      for (let prompt = waiting.shift(); prompt !== undefined; prompt = waiting.shift()) {
        const timing = await ask(prompt, slot)
        if (timing) timings.push(timing)
      }
    }),
  )
  const tokens = timings.reduce((sum, timing) => sum + timing.tokens, 0)
  return { timings, tokensPerSecond: (1000 * tokens) / (performance.now() - startMs) }
}

/** Generates as the server's process does, with its pool of one thread (`UV_THREADPOOL_SIZE`). */
async function generateHere(parallel: number): Promise<Answers> {
  const loaded = await loadModel({ modelPath: model, threads: 1, parallel, gpu: false })
  const sequences = Array.from({ length: parallel }, () => loaded.context.getSequence())
  const plain = { temperature: 0, topP: 1, seed: 0, alternatives: null, stopTexts: [], grammar: null }
  const limits = { maxTokens: loaded.contextSize, stopTokens: new Set<Token>(), signal: new AbortController().signal }
  const answers = await askAll(parallel, async (prompt, slot) => {
    const tokens = [
      loaded.model.tokens.bos!,
      ...loaded.model.tokenize("<|user|>", true),
      ...loaded.model.tokenize(prompt),
      ...loaded.model.tokenize("<|assistant|>", true),
    ]
    const pieces = generate(loaded, sequences[slot]!, { ...plain, ...limits, tokens })
    let piece = await pieces.next()
    while (!piece.done) piece = await pieces.next()
    const { promptMs, predictedMs, completionTokens } = piece.value
    const tpotMs = completionTokens > 1 ? predictedMs / (completionTokens - 1) : null
    return { ttftMs: promptMs, tpotMs, tokens: completionTokens }
  })
  await loaded.dispose()
  return answers
}

async function askServer(parallel: number, topLogprobs: number | undefined): Promise<Answers> {
  const signal = new AbortController().signal
  const context = {
    clock: systemClock,
    signal,
    environment: process.env,
    cacheDirectory: "",
    progress: () => undefined,
  }
  const session = await local(model, { parallel }).open(context)
  const timeouts = { connectMs: 10_000, firstTokenMs: 10_000, gapMs: 10_000, totalMs: 60_000 }
  const parameters = { temperature: 0, ...(topLogprobs !== undefined && { topLogprobs }) }
  try {
    return await askAll(parallel, async (prompt) => {
      const now = systemClock.now()
      const request = { messages: [{ role: "user" as const, content: prompt }], parameters }
      const options = { signal, timeouts, clock: systemClock, originMs: now, scheduledMs: now }
      const { log, usage } = await session.request(request, options)
      const { ttftMs, tpotMs } = requestFigures(log, usage.completionTokens)
      return ttftMs === null ? null : { ttftMs, tpotMs, tokens: usage.completionTokens ?? 0 }
    })
  } finally {
    await session.close()
  }
}

function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  return Math.round(1000 * quantileOfSorted(sorted, 0.5)) / 1000
}
