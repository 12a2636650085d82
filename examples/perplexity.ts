import { local, perplexityDrift, perplexityFigures, systemClock, textPerplexity } from "evalkit"

// Perplexity of given texts under four quantizations of one model, and whether each differs from F16:
//   node --import jiti/register examples/perplexity.ts
const model = new URL("../models/tiny/tiny-m-f16.gguf", import.meta.url)
const texts = [
  "Die Tante zeichnet einen grünen Apfel.",
  "Der große Mann zeichnet eine schöne Lampe.",
  "Anna lives in Rome. She works as a baker and likes green tea.",
  "The text does not say.",
]

let baseline: Awaited<ReturnType<typeof textPerplexity>> | null = null
for (const quantization of ["F16", "Q8_0", "Q4_0", "Q2_0"] as const) {
  const session = await local(model, { quantization }).open({
    clock: systemClock,
    signal: new AbortController().signal,
    environment: process.env,
    cacheDirectory: ".evalkit",
    progress: (line) => console.error(line),
  })
  try {
    if (!session.scoreText) throw new Error("this endpoint cannot score texts")
    const rows = await textPerplexity(texts, { scoreText: session.scoreText })
    const { perplexity, bitsPerByte } = perplexityFigures(rows)
    baseline ??= rows
    const { ratio, low, high } = perplexityDrift(baseline, rows)
    console.log({ quantization, perplexity, bitsPerByte, ratio, low, high })
  } finally {
    await session.close()
  }
}
