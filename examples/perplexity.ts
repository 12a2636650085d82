import { readFile } from "node:fs/promises"
import { local, perplexityDrift, perplexityFigures, referencePerplexity, systemClock } from "evalkit"

// Perplexity of the reference answers under four quantizations of one model, and whether each differs from F16:
//   node --import jiti/register examples/perplexity.ts
const model = new URL("../models/tiny/tiny-m-f16.gguf", import.meta.url)
const file = await readFile(new URL("../datasets/data/tiny-tasks.jsonl", import.meta.url), "utf8")
const items = file
  .trim()
  .split("\n")
  .filter((_, i) => i % 9 === 0)
  .map((line) => JSON.parse(line) as { input: string; references: [string] })
  .map(({ input, references }) => ({ messages: [{ role: "user", content: input } as const], answer: references[0] }))

let baseline: Awaited<ReturnType<typeof referencePerplexity>> | null = null
for (const quantization of ["F16", "Q8_0", "Q4_0", "Q2_0"] as const) {
  const session = await local(model, { quantization }).open({
    clock: systemClock,
    signal: new AbortController().signal,
    environment: process.env,
    cacheDirectory: ".evalkit",
    progress: (line) => console.error(line),
  })
  try {
    if (!session.scoreAnswer) throw new Error("this endpoint cannot score given answers")
    const rows = await referencePerplexity(items, session.scoreAnswer)
    const { perplexity, bitsPerByte } = perplexityFigures(rows)
    baseline ??= rows
    const { ratio, low, high } = perplexityDrift(baseline, rows)
    console.log({ quantization, perplexity, bitsPerByte, ratio, low, high })
  } finally {
    await session.close()
  }
}
