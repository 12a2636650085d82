import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { systemClock } from "../../src/core/clock.ts"
import { quantileOfSorted } from "../../src/perf/percentile.ts"
import { requestFigures } from "../../src/perf/request-figures.ts"
import { local } from "../../src/providers/local.ts"
import { loadModel } from "../../src/providers/serve/load-model.ts"

/**
 * What serving adds: the tiny model asked through the binding alone, and through `local(...)` over HTTP, plain, with the
 * log-probability of each token, and with ten alternatives. Medians in milliseconds over the same prompts, one at a time.
 *
 * node --import jiti/register benchmarks/serve/main.ts
 */
const model = fileURLToPath(new URL("../../models/tiny/tiny-m-f16.gguf", import.meta.url))
const items = fileURLToPath(new URL("../../datasets/data/tiny-tasks.jsonl", import.meta.url))
const lines = (await readFile(items, "utf8")).trim().split("\n")
const prompts = lines.filter((_, i) => i % 9 === 0).map((line) => (JSON.parse(line) as { input: string }).input)

interface Timing {
  readonly ttftMs: number
  readonly tpotMs: number | null
}

const rows = {
  "binding alone": await bareBinding(),
  "served, no log-probabilities": await served(undefined),
  "served, log-probabilities": await served(0),
  "served, ten alternatives": await served(10),
}
console.table(
  Object.fromEntries(
    Object.entries(rows).map(([name, timings]) => [
      name,
      {
        "TTFT p50 ms": median(timings.map((timing) => timing.ttftMs)),
        "TPOT p50 ms": median(timings.flatMap((timing) => timing.tpotMs ?? [])),
      },
    ]),
  ),
)

async function bareBinding(): Promise<Timing[]> {
  const loaded = await loadModel({ modelPath: model, threads: 1, parallel: 1, gpu: false })
  const sequence = loaded.context.getSequence()
  const timings: Timing[] = []
  for (const prompt of prompts) {
    await sequence.clearHistory()
    const tokens = [
      loaded.model.tokens.bos!,
      ...loaded.model.tokenize("<|user|>", true),
      ...loaded.model.tokenize(prompt),
      ...loaded.model.tokenize("<|assistant|>", true),
    ]
    const stamps = [performance.now()]
    for await (const _ of sequence.evaluate(tokens, { temperature: 0 })) stamps.push(performance.now())
    const [sent = 0, first = 0] = stamps
    const last = stamps.at(-1) ?? 0
    timings.push({ ttftMs: first - sent, tpotMs: stamps.length > 2 ? (last - first) / (stamps.length - 2) : null })
  }
  await loaded.dispose()
  return timings
}

async function served(topLogprobs: number | undefined): Promise<Timing[]> {
  const signal = new AbortController().signal
  const environment = process.env
  const session = await local(model, { parallel: 1 }).open({
    clock: systemClock,
    signal,
    environment,
    cacheDirectory: "",
    progress: () => undefined,
  })
  const timeouts = { connectMs: 10_000, firstTokenMs: 10_000, gapMs: 10_000, totalMs: 60_000 }
  const timings: Timing[] = []
  try {
    for (const prompt of prompts) {
      const now = systemClock.now()
      const answer = await session.request(
        {
          messages: [{ role: "user", content: prompt }],
          parameters: { temperature: 0, ...(topLogprobs !== undefined && { topLogprobs }) },
        },
        { signal, timeouts, clock: systemClock, originMs: now, scheduledMs: now },
      )
      const figures = requestFigures(answer.log, answer.usage.completionTokens)
      if (figures.ttftMs !== null) timings.push({ ttftMs: figures.ttftMs, tpotMs: figures.tpotMs })
    }
  } finally {
    await session.close()
  }
  return timings
}

function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  return Math.round(1000 * quantileOfSorted(sorted, 0.5)) / 1000
}
