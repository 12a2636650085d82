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

  const answer = async (model: LoadedModel, alternatives: number) => {
    const tokens = loaded.model.tokenize(`<|user|>${prompts[0]}<|assistant|>`, true)
    const listed = []
    for await (const piece of generate(model, sequence, { ...greedy, tokens, alternatives }))
      listed.push(...piece.logprobs)
    return listed
  }

  it("are those of the whole distribution, with its probabilities to the accuracy of 32-bit floats", async () => {
    const few = await answer(loaded, 20)
    const { all } = loaded.sampling
    const whole = await answer({ ...loaded, sampling: { ...loaded.sampling, likely: all } }, 20)
    expect(few.length).toBeGreaterThan(3)
    expect(few.map(({ token }) => token)).toEqual(whole.map(({ token }) => token))
    for (const [i, { logprob, top_logprobs }] of few.entries()) {
      expect(logprob).toBe(whole[i]?.logprob)
      expect(top_logprobs).toHaveLength(20)
      for (const [k, { token, logprob: likely }] of top_logprobs.entries()) {
        const other = whole[i]?.top_logprobs.find((entry) => entry.token === token)
        // The last of twenty may be as likely as the first behind them.
        if (k < 10) expect(other).toBeDefined()
        if (other) expect(Math.abs(likely - other.logprob)).toBeLessThan(1e-5)
      }
    }
  })

  it("decide what is drawn as the whole distribution does", async () => {
    const tokens = loaded.model.tokenize(`<|user|>${prompts[0]}<|assistant|>`, true)
    const drawn = async (model: LoadedModel, options: Partial<GenerateOptions>) => {
      const written: Token[] = []
      for await (const piece of generate(model, sequence, { ...greedy, tokens, alternatives: null, ...options }))
        written.push(...(piece.tokens ?? []))
      return written
    }
    const { sampling } = loaded
    const looking = (count: number): LoadedModel => ({
      ...loaded,
      sampling: {
        ...sampling,
        isLarge: true,
        relative: (index) => sampling.relative(index, count),
      },
    })
    // Three tokens leave most steps open.
    for (const count of [3, 200])
      for (const options of [
        ...[
          { temperature: 1 },
          { temperature: 0.7, topP: 0.9 },
          { temperature: 1.3 },
          { temperature: 0, minTokens: 16 },
        ],
        { temperature: 1, minTokens: 16, alternatives: 2 },
      ])
        for (const seed of [1, 2, 3]) {
          const few = await drawn(looking(count), { ...options, seed })
          expect(few, JSON.stringify({ count, options, seed })).toEqual(await drawn(loaded, { ...options, seed }))
          if ("minTokens" in options) expect(few).toHaveLength(16)
        }
  })

  it("are asked for before all are: what they leave open decides how much more", async () => {
    const asked: string[] = []
    const { sampling } = loaded
    const spied = (count: number): LoadedModel["sampling"] => {
      const noted =
        <Name extends "relative" | "confident" | "all">(name: Name, most?: number) =>
        (index: number) => {
          asked.push(name)
          return sampling[name](index, most) as ReturnType<(typeof sampling)[Name]>
        }
      return {
        ...sampling,
        isLarge: true,
        relative: noted("relative", count),
        confident: noted("confident"),
        all: noted("all"),
      }
    }
    const tokens = loaded.model.tokenize(`<|user|>${prompts[0]}<|assistant|>`, true)
    const draw = async (count: number, more: Partial<GenerateOptions>) => {
      asked.length = 0
      const options = { ...greedy, tokens, maxTokens: 1, alternatives: null, ...more }
      for await (const _ of generate({ ...loaded, sampling: spied(count) }, sequence, options));
      return asked.splice(0)
    }
    expect(await draw(1024, { temperature: 0 })).toEqual([])
    expect(await draw(1024, { temperature: 0.5 })).toEqual(["relative"])
    expect(await draw(1024, { temperature: 0.5, alternatives: 3 })).toEqual(["relative", "confident"])
    expect((await draw(1, { temperature: 1.9, seed: 4 })).slice(0, 2)).toEqual(["relative", "all"])
  })
})
