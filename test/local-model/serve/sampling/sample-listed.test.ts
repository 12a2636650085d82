import type { LlamaContextSequence, Token } from "node-llama-cpp"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type GenerateOptions, generate } from "../../../../src/local-model/serve/generate.ts"
import { type LoadedModel, loadModel } from "../../../../src/local-model/serve/load-model.ts"
import { prompts, tinyModel } from "../shared-server.ts"

const greedy = {
  maxTokens: 16,
  temperature: 0,
  topP: 1,
  seed: 0,
  stopTokens: new Set<Token>(),
  stopTexts: [],
  grammar: null,
  signal: new AbortController().signal,
}

describe("the most likely tokens of a step", () => {
  let loaded: LoadedModel
  let sequence: LlamaContextSequence
  beforeAll(async () => {
    loaded = await loadModel({ modelPath: tinyModel, threads: 1, parallel: 1, gpu: false })
    sequence = loaded.context.getSequence()
  })
  afterAll(() => loaded.dispose())

  const answer = async (given: LoadedModel, alternatives: number) => {
    const tokens = loaded.model.tokenize(`<|user|>${prompts[0]}<|assistant|>`, true)
    const listed = []
    for await (const piece of generate(given, sequence, { ...greedy, tokens, alternatives }))
      listed.push(...piece.logprobs)
    return listed
  }

  it("are those of the whole distribution, with its probabilities to the accuracy of 32-bit floats", async () => {
    expect(loaded.listing).not.toBeNull()
    const few = await answer(loaded, 20)
    const whole = await answer({ ...loaded, listing: null }, 20)
    expect(few.length).toBeGreaterThan(3)
    expect(few.map(({ token }) => token)).toEqual(whole.map(({ token }) => token))
    for (const [i, { logprob, top_logprobs }] of few.entries()) {
      expect(logprob).toBe(whole[i]?.logprob)
      expect(top_logprobs).toHaveLength(20)
      for (const [k, { token, logprob: likely }] of top_logprobs.entries()) {
        const other = whole[i]?.top_logprobs.find((one) => one.token === token)
        // The last of twenty may be as likely as the first behind them.
        if (k < 10) expect(other).toBeDefined()
        if (other) expect(Math.abs(likely - other.logprob)).toBeLessThan(1e-5)
      }
    }
  })

  it("decide what is drawn as the whole distribution does", async () => {
    const tokens = loaded.model.tokenize(`<|user|>${prompts[0]}<|assistant|>`, true)
    const drawn = async (given: LoadedModel, options: Partial<GenerateOptions>) => {
      const written: Token[] = []
      for await (const piece of generate(given, sequence, { ...greedy, tokens, alternatives: null, ...options }))
        written.push(...(piece.tokens ?? []))
      return written
    }
    // Of three tokens most steps are left open, and taken again.
    for (const drawsFrom of [3, 200])
      for (const options of [{ temperature: 1 }, { temperature: 0.7, topP: 0.9 }, { temperature: 0, minTokens: 16 }])
        for (const seed of [1, 2, 3]) {
          const few = await drawn({ ...loaded, drawsFrom }, { ...options, seed })
          expect(few).toEqual(await drawn({ ...loaded, drawsFrom: null }, { ...options, seed }))
          if ("minTokens" in options) expect(few).toHaveLength(16)
        }
  })

  it("are handed over without the rest of the vocabulary", async () => {
    const step = await sequence
      .evaluateWithMetadata(loaded.model.tokenize("a", true), { probabilities: true, confidence: true })
      .next()
    expect(step.value?.probabilities?.size).toBe(20)
  })
})
