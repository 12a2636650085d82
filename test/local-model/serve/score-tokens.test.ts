import type { LlamaContextSequence, Token } from "node-llama-cpp"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { type LoadedModel, loadModel } from "../../../src/local-model/serve/load-model.ts"
import { scoreTokens } from "../../../src/local-model/serve/score-tokens.ts"
import { tinyModel } from "./shared-server.ts"

describe("scores of given tokens", () => {
  let loaded: LoadedModel
  let sequence: LlamaContextSequence
  beforeAll(async () => {
    loaded = await loadModel({ modelPath: tinyModel, threads: 1, parallel: 1, gpu: false })
    sequence = loaded.context.getSequence()
  })
  afterAll(() => loaded.dispose())

  it("are those of the whole vocabulary, also of tokens outside the likely ones that are handed over", async () => {
    const random = createRandom(1)
    const tokens = Array.from({ length: 100 }, () => Math.floor(random.next() * 1200) as Token)
    const handed: number[] = []
    const { all, likely } = loaded.sampling
    const counted =
      (list: typeof all): typeof all =>
      async (...asked) => {
        const listing = await list(...asked)
        handed.push(listing.probabilities.size)
        return listing
      }
    const score = (sampling: Partial<LoadedModel["sampling"]>) =>
      scoreTokens({ ...loaded, sampling: { ...loaded.sampling, ...sampling } }, sequence, {
        ...{ tokens, from: 40, alternatives: 30, signal: new AbortController().signal },
      })
    const listed = await score({ likely: counted(likely), all: counted(all) })
    expect(handed.filter((size) => size === 1024)).toHaveLength(60)
    // Of random tokens some are outside, and asked for anew.
    expect(handed.length).toBeGreaterThan(60)
    const whole = await score({ likely: all })
    expect(listed).toHaveLength(60)
    for (const [i, { token, logprob, top_logprobs }] of listed.entries()) {
      expect(token).toBe(whole[i]?.token)
      expect(Math.abs(logprob - (whole[i]?.logprob ?? Number.NaN))).toBeLessThan(1e-4)
      expect(top_logprobs).toHaveLength(30)
    }
  })
})
