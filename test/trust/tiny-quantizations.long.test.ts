import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { Token } from "node-llama-cpp"
import { describe, expect, it } from "vitest"
import { perplexityFigures, perplexityRow } from "../../metrics/perplexity/row.ts"
import { ensureQuantized } from "../../src/local-model/gguf/ensure-quantized.ts"
import { loadModel } from "../../src/local-model/serve/load-model.ts"
import { scoreTokens } from "../../src/local-model/serve/score-tokens.ts"
import type { ServedLogprob } from "../../src/local-model/serve/token-logprob.ts"
import { mean } from "../../src/stats/mean.ts"
import { tokenDivergence } from "../../src/stats/token-divergence.ts"
import { scratchDirectory } from "../support/scratch.ts"

const source = fileURLToPath(new URL("../../models/tiny/tiny-m-f16.gguf", import.meta.url))
const items = new URL("../../datasets/data/tiny-tasks.jsonl", import.meta.url)
const signal = new AbortController().signal

const directory = scratchDirectory()

/** Every 9th item with its reference answer. */
async function references(): Promise<{ prompt: string; answer: string }[]> {
  const lines = (await readFile(items, "utf8")).trim().split("\n")
  return lines
    .filter((_, i) => i % 9 === 0)
    .map((line) => JSON.parse(line) as { input: string; references: string[] })
    .map((item) => ({ prompt: item.input, answer: item.references[0]! }))
}

/** Log-probabilities of the tokens of the reference answers under a model, with 20 alternatives each. */
async function answerScores(modelPath: string): Promise<ServedLogprob[]> {
  const loaded = await loadModel({ modelPath, threads: 1, parallel: 1, gpu: false })
  try {
    const sequence = loaded.context.getSequence()
    const scores: ServedLogprob[] = []
    for (const { prompt, answer } of await references()) {
      const { model } = loaded
      const asked = [model.tokens.bos!, ...model.tokenize("<|user|>", true), ...model.tokenize(prompt)]
      const head: Token[] = [...asked, ...model.tokenize("<|assistant|>", true)]
      const tokens = [...head, ...model.tokenize(answer)]
      scores.push(...(await scoreTokens(loaded, sequence, { tokens, from: head.length, alternatives: 20, signal })))
    }
    return scores
  } finally {
    await loaded.dispose()
  }
}

describe("quantizations of the tiny model", () => {
  it("perplexity and divergence from F16 grow from Q8_0 over Q4_0 to Q2_0", async () => {
    const f16 = await answerScores(source)
    const listed = (score: ServedLogprob) => score.top_logprobs
    const figures: { perplexity: number; divergence: number }[] = []
    for (const type of ["Q8_0", "Q4_0", "Q2_0"] as const) {
      const scores = await answerScores(await ensureQuantized(source, type, { directory }))
      const row = perplexityRow(
        scores.map((score) => score.logprob),
        scores.map((score) => score.token).join(""),
      )
      figures.push({
        perplexity: perplexityFigures([row]).perplexity,
        divergence: mean(scores.map((score, i) => tokenDivergence(listed(f16[i]!), listed(score)))),
      })
    }
    const base = perplexityFigures([
      perplexityRow(
        f16.map((score) => score.logprob),
        "x",
      ),
    ]).perplexity
    const [q8, q4, q2] = figures
    expect(q8!.divergence).toBeGreaterThan(0)
    expect(q4!.divergence).toBeGreaterThan(q8!.divergence)
    expect(q2!.divergence).toBeGreaterThan(q4!.divergence)
    expect(Math.abs(q8!.perplexity / base - 1)).toBeLessThan(0.005)
    expect(q4!.perplexity).toBeGreaterThan(q8!.perplexity)
    expect(q2!.perplexity).toBeGreaterThan(q4!.perplexity)
  }, 120_000)
})
