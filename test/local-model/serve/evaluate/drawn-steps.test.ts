import type { LlamaContext, LlamaContextSequence, Token } from "node-llama-cpp"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type NativeSampler, nativeContext } from "../../../../src/local-model/serve/evaluate/native-context.ts"
import { createRounds } from "../../../../src/local-model/serve/evaluate/rounds.ts"
import { type GenerateOptions, generate, type Piece } from "../../../../src/local-model/serve/generate.ts"
import { type LoadedModel, loadModel } from "../../../../src/local-model/serve/load-model.ts"
import { scoreTokens } from "../../../../src/local-model/serve/score-tokens.ts"
import { prompts, tinyModel } from "../shared-server.ts"

describe("the steps of an answer", () => {
  let loaded: LoadedModel
  let sequences: LlamaContextSequence[]
  beforeAll(async () => {
    loaded = await loadModel({ modelPath: tinyModel, threads: 1, parallel: 2, gpu: false })
    sequences = [loaded.context.getSequence(), loaded.context.getSequence()]
  })
  afterAll(() => loaded.dispose())

  const options = (prompt = 0, more: Partial<GenerateOptions> = {}): GenerateOptions => ({
    tokens: loaded.model.tokenize(`<|user|>${prompts[prompt]}<|assistant|>`, true),
    maxTokens: 24,
    temperature: 0,
    topP: 1,
    seed: 0,
    alternatives: 5,
    stopTokens: new Set<Token>(),
    stopTexts: [],
    grammar: null,
    signal: new AbortController().signal,
    ...more,
  })
  const all = async (model: LoadedModel, asked: GenerateOptions, index = 0) => {
    const pieces: Piece[] = []
    for await (const piece of generate(model, sequences[index] as LlamaContextSequence, asked)) pieces.push(piece)
    return pieces
  }
  it("are those of the binding's own evaluation, to the last bit of their log-probabilities", async () => {
    const { tokens } = options()
    const own = (await all(loaded, options(0, { alternatives: 3 }))).flatMap(({ logprobs }) => logprobs)
    expect(own.length).toBeGreaterThan(3)
    const [first] = sequences as [LlamaContextSequence]
    await first.clearHistory()
    let step = 0
    for await (const { token, probabilities } of first.evaluateWithMetadata(tokens, { probabilities: true })) {
      const [most, ...others] = [...probabilities.values()].slice(0, 3).map(Math.log)
      expect(own[step]?.token).toBe(loaded.model.detokenize([token], true))
      expect(own[step]?.logprob).toBe(most)
      for (const [i, value] of others.entries()) expect(own[step]?.top_logprobs[i + 1]?.logprob).toBeCloseTo(value, 5)
      if (++step === own.length) break
    }
  })

  it("keep what the binding knows of the sequence: the next request reuses the head that both prompts share", async () => {
    await all(loaded, options())
    const whole = options().tokens
    expect((sequences[0] as LlamaContextSequence).contextTokens.slice(0, whole.length)).toEqual(whole)
    const second = generate(loaded, sequences[0] as LlamaContextSequence, options(0, { reusePrefix: true }))
    let next = await second.next()
    while (!next.done) next = await second.next()
    expect(next.value.cachedPromptTokens).toBe(whole.length - 1)
  })

  it("go on when another one begins in its middle, as if it had stayed alone", async () => {
    const [first, second] = [await all(loaded, options(0)), await all(loaded, options(1))]
    const early = generate(loaded, sequences[0] as LlamaContextSequence, options(0))
    const pieces = [(await early.next()).value as Piece, (await early.next()).value as Piece]
    const [rest, others] = await Promise.all([remaining(early), all(loaded, options(1), 1)])
    expect(textsOf([...pieces, ...rest])).toBe(textsOf(first))
    expect(textsOf(others)).toBe(textsOf(second))
  })

  it("let a text be scored meanwhile, with the scores that it has alone", async () => {
    const asked = { tokens: options(1).tokens, from: 1, alternatives: 0, signal: options().signal }
    const alone = await scoreTokens(loaded, sequences[1] as LlamaContextSequence, asked)
    const early = generate(loaded, sequences[0] as LlamaContextSequence, options(0))
    await early.next()
    const [scores] = await Promise.all([
      scoreTokens(loaded, sequences[1] as LlamaContextSequence, asked),
      remaining(early),
    ])
    expect(scores.map(({ token }) => token)).toEqual(alone.map(({ token }) => token))
    for (const [i, { logprob }] of scores.entries()) expect(logprob).toBeCloseTo(alone[i]?.logprob ?? Number.NaN, 3)
  })

  it("read a prompt that is longer than a batch in parts", async () => {
    const long = loaded.model.tokenize(`<|user|>${"Count the words. ".repeat(60)}<|assistant|>`, true).slice(0, 400)
    const small = await loadModel({ modelPath: tinyModel, threads: 1, parallel: 1, gpu: false })
    try {
      expect(long.length).toBeGreaterThan(128)
      const rounds = createRounds(small.native, 64)
      const sequence = small.context.getSequence()
      let text = ""
      for await (const piece of generate({ ...small, rounds }, sequence, options(0, { tokens: long })))
        text += piece.text
      expect(text).toBe(textsOf(await all(loaded, options(0, { tokens: long }))))
      expect(sequence.contextTokens.slice(0, long.length)).toEqual(long)
    } finally {
      await small.dispose()
    }
  })
})

async function remaining(pieces: AsyncGenerator<Piece, unknown>): Promise<Piece[]> {
  const rest: Piece[] = []
  for await (const piece of pieces) rest.push(piece)
  return rest
}

function textsOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join("")
}

it("a context samples one token at a time, in the order asked, and goes on after a failure", async () => {
  let running = 0
  const started: number[] = []
  const own = {
    ...{ initBatch() {}, addToBatch() {}, async decodeBatch() {} },
    async sampleToken(index: number) {
      started.push(index)
      expect(++running).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running--
      if (index === 1) throw new Error("no logits")
    },
  }
  const bindings = { AddonSampler: class {} }
  const native = nativeContext({ _ctx: own, model: { _llama: { _bindings: bindings } } } as unknown as LlamaContext)
  const results = await Promise.allSettled([0, 1, 2].map((index) => native.sampleToken(index, {} as NativeSampler)))
  expect(started).toEqual([0, 1, 2])
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
  expect(() => nativeContext({ model: {} } as unknown as LlamaContext)).toThrow(/node-llama-cpp/)
})
