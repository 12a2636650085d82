import { createOpenAI } from "@ai-sdk/openai"
import { ChatOpenAI } from "@langchain/openai"
import { generateText, streamText } from "ai"
import type { Token } from "node-llama-cpp"
import type OpenAI from "openai"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import {
  createShifts,
  type Penalties,
  shiftProbabilities,
} from "../../../src/local-model/serve/sampling/shift-probabilities.ts"
import type { RunningServer } from "../../../src/local-model/serve/start-server.ts"
import { openTestServer, prompts } from "./shared-server.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: RunningServer
let client: OpenAI
beforeAll(async () => {
  ;({ server, client } = await openTestServer())
})
afterAll(() => server?.stop())

const ask = (content: string) => ({ model: "tiny", messages: [{ role: "user" as const, content }], temperature: 0 })
const [prompt = "", other = ""] = prompts

describe("what a request may ask for, through the unmodified openai SDK", () => {
  it("gives n answers with seeds of their own; greedy ones are all alike", async () => {
    const alone = await client.chat.completions.create(ask(prompt))
    const three = await client.chat.completions.create({ ...ask(prompt), n: 3 })
    const text = alone.choices[0]?.message.content
    expect(three.choices.map(({ index, message }) => [index, message.content])).toEqual([0, 1, 2].map((i) => [i, text]))
    expect(three.usage?.prompt_tokens).toBe(alone.usage?.prompt_tokens)
    expect(three.usage?.completion_tokens).toBe(3 * (alone.usage?.completion_tokens ?? 0))
    const drawn = { ...ask(prompt), temperature: 2, seed: 1, n: 4 }
    const texts = (await client.chat.completions.create(drawn)).choices.map(({ message }) => message.content)
    expect(new Set(texts).size).toBeGreaterThan(1)
    const streamed = ["", "", "", ""]
    for await (const { choices } of await client.chat.completions.create({ ...drawn, stream: true }))
      for (const { index, delta } of choices) streamed[index] += delta.content ?? ""
    expect(streamed).toEqual(texts)
  })

  it("times n answers by what was read for them: the prompt once for each, but for what the cache held", async () => {
    const timed = async (more: object) => {
      const answer = await client.chat.completions.create({ ...ask(prompt), max_tokens: 4, ...more } as ReturnType<
        typeof ask
      >)
      return answer as typeof answer & { timings: { cache_n: number; prompt_n: number; predicted_n: number } }
    }
    const tokens = (await timed({})).usage?.prompt_tokens ?? 0
    expect((await timed({ n: 3 })).timings).toMatchObject({ cache_n: 0, prompt_n: 3 * tokens, predicted_n: 12 })
    const { usage, timings } = await timed({ n: 3, cache_prompt: true })
    const first = usage?.prompt_tokens_details?.cached_tokens ?? 0
    expect(usage?.prompt_tokens).toBe(tokens)
    // The second and the third find all but the last token, which is always read.
    expect(timings).toMatchObject({ cache_n: first + 2 * (tokens - 1), prompt_n: tokens - first + 2 })
    let streamed: unknown
    const ends = await client.chat.completions.create({ ...ask(prompt), max_tokens: 4, n: 3, stream: true })
    for await (const chunk of ends) streamed = (chunk as { timings?: unknown }).timings ?? streamed
    expect(streamed).toMatchObject({ cache_n: 0, prompt_n: 3 * tokens, predicted_n: 12 })
  })

  it("counts of a list of prompts what each of them found in the cache", async () => {
    const list = { model: "tiny", prompt: [prompt, prompt], max_tokens: 2, temperature: 0, cache_prompt: true }
    const { usage, timings } = (await client.completions.create(list)) as OpenAI.Completion & {
      readonly timings: { cache_n: number; prompt_n: number }
    }
    const each = (usage?.prompt_tokens ?? 0) / 2
    const cached = (usage as { prompt_tokens_details?: { cached_tokens?: number } }).prompt_tokens_details
      ?.cached_tokens
    expect(cached).toBeGreaterThanOrEqual(each - 1)
    expect(timings).toMatchObject({ cache_n: cached, prompt_n: 2 * each - (cached ?? 0) })
  })

  it("makes what was written less likely by penalties, and keeps the model's end away as long as it is told", async () => {
    const long = { ...ask(prompt), ignore_eos: true, max_tokens: 40 }
    const words = async (more: object) => {
      const { choices, usage } = await client.chat.completions.create({ ...long, ...more } as typeof long)
      expect(choices[0]?.finish_reason).toBe("length")
      expect(usage?.completion_tokens).toBe(40)
      return (choices[0]?.message.content ?? "").split(/\s+/)
    }
    const plain = await words({})
    const varied = await words({ frequency_penalty: 2, presence_penalty: 2 })
    expect(new Set(varied).size / varied.length).toBeGreaterThan(new Set(plain).size / plain.length)
    const least = await client.chat.completions.create({ ...ask(prompt), min_tokens: 30 } as ReturnType<typeof ask>)
    expect(least.usage?.completion_tokens).toBeGreaterThanOrEqual(30)
    await expect(
      client.chat.completions.create({ ...long, response_format: { type: "json_object" } } as typeof long),
    ).rejects.toMatchObject({ status: 400, param: "response_format" })
  })

  it("draws from the most likely tokens alone by top_k and min_p, under a grammar, too", async () => {
    const hot = { ...ask(prompt), temperature: 2, max_tokens: 12 }
    const text = async (more: object) =>
      (await client.chat.completions.create({ ...hot, ...more } as typeof hot)).choices[0]?.message.content
    const greedy = await text({ temperature: 0 })
    expect(await text({ seed: 1 })).not.toBe(greedy)
    for (const one of [{ top_k: 1 }, { min_p: 1 }]) expect(await text({ seed: 1, ...one })).toBe(greedy)
    expect(await text({ seed: 1, top_k: 0, min_p: 0 })).toBe(await text({ seed: 1, top_k: -1 }))
    const format = { response_format: { type: "json_object" } }
    expect(await text({ ...format, seed: 1, top_k: 1 })).toBe(await text({ ...format, temperature: 0 }))
  })

  it("biases tokens by their ids, while log-probabilities stay the model's own", async () => {
    const biased = { ...ask(prompt), max_tokens: 4, logprobs: true, logit_bias: { 124: 100 } }
    const { choices } = await client.chat.completions.create(biased)
    expect(choices[0]?.message.content).toBe("wwww")
    const plain = await client.chat.completions.create({ ...ask(prompt), max_tokens: 1, logprobs: true })
    expect(choices[0]?.logprobs?.content?.[0]?.logprob).toBeLessThan(
      plain.choices[0]?.logprobs?.content?.[0]?.logprob as number,
    )
    const completed = { model: "tiny", prompt, max_tokens: 3, temperature: 0 }
    expect((await client.completions.create({ ...completed, logit_bias: { 51: 100 } })).choices[0]?.text).toBe("...")
    const [free] = (await client.completions.create(completed)).choices
    // What a bias of 0 changes: nothing.
    expect((await client.completions.create({ ...completed, logit_bias: { 51: 0 } })).choices[0]?.text).toBe(free?.text)
    for (const [logit_bias, param] of [
      [{ 999999: 1 }, "logit_bias"],
      [{ word: 1 }, "logit_bias.word"],
      [{ 5: 101 }, "logit_bias.5"],
    ] as const)
      await expect(
        client.chat.completions.create({ ...ask(prompt), logit_bias: { ...logit_bias } }),
      ).rejects.toMatchObject({ status: 400, param })
  })

  it("continues each prompt of a list, in its order", async () => {
    const each = (text: string | string[]) =>
      client.completions.create({ model: "tiny", prompt: text, max_tokens: 6, temperature: 0 })
    const [a, b, both] = [await each(prompt), await each(other), await each([prompt, other])]
    expect(both.choices.map(({ index, text }) => [index, text])).toEqual([
      [0, a.choices[0]?.text],
      [1, b.choices[0]?.text],
    ])
    expect(both.usage?.prompt_tokens).toBe((a.usage?.prompt_tokens ?? 0) + (b.usage?.prompt_tokens ?? 0))
    const texts = ["", ""]
    const stream = await client.completions.create({
      model: "tiny",
      prompt: [prompt, other],
      max_tokens: 6,
      temperature: 0,
      stream: true,
    })
    for await (const { choices } of stream) for (const { index, text } of choices) texts[index] += text
    expect(texts).toEqual(both.choices.map(({ text }) => text))
  })
})

describe("other clients, unmodified, get the same answer", () => {
  it("from the Vercel AI SDK, whole and streamed, and from LangChain", async () => {
    const expected = (await client.chat.completions.create(ask(prompt))).choices[0]?.message.content
    const model = createOpenAI({ baseURL: server.baseUrl, apiKey: "none" }).chat("tiny")
    expect((await generateText({ model, prompt, temperature: 0, maxRetries: 0 })).text).toBe(expected)
    let streamed = ""
    for await (const text of streamText({ model, prompt, temperature: 0, maxRetries: 0 }).textStream) streamed += text
    expect(streamed).toBe(expected)
    const chain = new ChatOpenAI({
      model: "tiny",
      apiKey: "none",
      temperature: 0,
      maxRetries: 0,
      configuration: { baseURL: server.baseUrl },
    })
    expect((await chain.invoke(prompt)).content).toBe(expected)
  })
})

const tokens = (entries: [number, number][]) => new Map(entries) as ReadonlyMap<unknown, number> as Map<Token, number>

describe("a distribution that penalties and biases shift", () => {
  const from = tokens([
    [1, 0.5],
    [2, 0.3],
    [3, 0.15],
    [4, 0.05],
  ])
  const written = (bias: Map<Token, number>, penalties: Penalties, ...answer: number[]) => {
    const { shifts, write } = createShifts(bias, penalties)
    for (const token of answer) write(token as Token)
    return shifts
  }

  it("stays in order, without what is barred", () => {
    const shifts = written(new Map(), { presence: 1, frequency: 0.5 }, 1, 4, 1)
    const shifted = shiftProbabilities(from, shifts, (token) => Number(token) === 2)
    // 0.5·e^−(1 + 0.5·2) = 0.0677, 0.05·e^−1.5 = 0.0112
    expect([...shifted.keys()]).toEqual([3, 1, 4])
    expect([...shifted.values()][1]).toBeCloseTo(0.0676676, 6)
    expect([...shifted.values()][2]).toBeCloseTo(0.0111565, 6)
    const likelier = shiftProbabilities(from, written(new Map(), { presence: -2, frequency: 0 }, 1, 4), () => false)
    expect([...likelier.keys()]).toEqual([1, 4, 2, 3])
  })

  it("adds a bias to what penalties take", () => {
    const bias = tokens([
      [4, 3],
      [1, -100],
    ])
    const none = { presence: 0, frequency: 0 }
    expect([...shiftProbabilities(from, written(bias, none, 4, 4), () => false).keys()]).toEqual([4, 2, 3, 1])
    // 0.05·e^(3 − 2·1) = 0.136
    const shifts = written(bias, { presence: 0, frequency: 1 }, 4, 4)
    expect([...shiftProbabilities(from, shifts, () => false).keys()]).toEqual([2, 3, 4, 1])
  })
})
