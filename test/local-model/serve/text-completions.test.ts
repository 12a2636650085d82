import type OpenAI from "openai"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { RunningServer } from "../../../src/local-model/serve/start-server.ts"
import { type BareBinding, openBareBinding, trainedPrompt } from "./bare-binding.ts"
import { openTestServer, prompts } from "./shared-server.ts"

let server: RunningServer
let client: OpenAI
let bare: BareBinding

beforeAll(async () => {
  ;({ server, client } = await openTestServer())
  bare = await openBareBinding()
})
afterAll(async () => {
  await server?.stop()
  await bare?.dispose()
})

/** Teacher-forced probabilities by the binding itself. */
async function bareScores(text: string): Promise<number[]> {
  const tokens = [bare.model.tokens.bos!, ...bare.model.tokenize(text)]
  await bare.sequence.clearHistory()
  const results = await bare.sequence.controlledEvaluate(
    tokens.map((token) => [token, { generateNext: { probabilities: true } }]),
  )
  return tokens.slice(1).map((token, i) => Math.log(results[i]?.next.probabilities?.get(token) ?? 0))
}

const isFraction = (value: unknown) => typeof value === "number" && !Number.isInteger(value)

describe("text completions", () => {
  it("score a given text without generating: echo, logprobs, max_tokens 0", async () => {
    const text = "Die Tante zeichnet einen grünen Apfel. ".repeat(8)
    const answer = await client.completions.create({
      model: "tiny",
      prompt: text,
      echo: true,
      logprobs: 2,
      max_tokens: 0,
    })
    const choice = answer.choices[0]!
    const expected = await bareScores(text)
    expect(choice.text).toBe(text)
    expect(choice.logprobs?.tokens?.join("")).toBe(text)
    expect(choice.logprobs?.token_logprobs).toHaveLength(expected.length)
    choice.logprobs?.token_logprobs?.forEach((logprob, i) => {
      // The server evaluates in pieces; half-precision products differ in the last digits with the size of a batch.
      expect(Math.abs((logprob ?? 0) - expected[i]!)).toBeLessThan(0.05)
    })
    expect(Object.keys(choice.logprobs?.top_logprobs?.[0] ?? {})).toHaveLength(2)
    expect(answer.usage?.completion_tokens).toBe(0)
  })

  it("list more alternatives to the tokens of a given text than to those of an answer", async () => {
    const asked = { model: "tiny", prompt: "The aunt draws", logprobs: 30, max_tokens: 0 } as const
    const { choices } = await client.completions.create({ ...asked, echo: true })
    expect(Object.keys(choices[0]?.logprobs?.top_logprobs?.at(-1) ?? {}).length).toBeGreaterThan(20)
    await expect(client.completions.create(asked)).rejects.toThrow(/logprobs: expected at most 20 without echo/)
  })

  it("give each token's place in the text", async () => {
    const answer = await client.completions.create({
      model: "tiny",
      prompt: "The aunt draws",
      echo: true,
      logprobs: 0,
      max_tokens: 0,
    })
    const { tokens, text_offset } = answer.choices[0]!.logprobs!
    tokens?.forEach((token, i) => {
      expect("The aunt draws".startsWith(token, text_offset?.[i])).toBe(true)
    })
  })

  it("take token numbers, so that a template can be scored exactly", async () => {
    const answer = await client.completions.create({
      model: "tiny",
      prompt: trainedPrompt(bare.model, prompts[0]!),
      max_tokens: 32,
      temperature: 0,
    })
    expect(answer.choices[0]).toMatchObject({ text: "Die Tante zeichnet einen grünen Apfel.", finish_reason: "stop" })
    await expect(client.completions.create({ model: "tiny", prompt: [1_000_000] })).rejects.toMatchObject({
      status: 400,
      param: "prompt",
    })
  })

  it("answer a list of prompts as each would be answered alone, in one answer and in a stream", async () => {
    const texts = [...prompts.slice(0, 2), "The aunt"]
    const asked = { model: "tiny", max_tokens: 6, temperature: 0, logprobs: 1, echo: true } as const
    const alone = await Promise.all(texts.map((prompt) => client.completions.create({ ...asked, prompt })))
    const together = await client.completions.create({ ...asked, prompt: texts })
    // A batch of another shape adds up in another order: log-probabilities are the same to a rounding error.
    const near = <Value>(value: Value) =>
      JSON.parse(JSON.stringify(value), (_, part) => (isFraction(part) ? expect.closeTo(part, 4) : part))
    expect(together.choices).toEqual(near(alone.map(({ choices }, index) => ({ ...choices[0], index }))))
    const sum = (field: "prompt_tokens" | "completion_tokens" | "total_tokens") =>
      alone.reduce((total, { usage }) => total + usage![field], 0)
    for (const field of ["prompt_tokens", "completion_tokens", "total_tokens"] as const)
      expect(together.usage?.[field]).toBe(sum(field))
    const tokens = texts.map((text) => bare.model.tokenize(text) as number[])
    const numbers = await client.completions.create({ ...asked, echo: false, prompt: tokens })
    expect(numbers.choices.map(({ index }) => index)).toEqual([0, 1, 2])
    const written = ["", "", ""]
    const ends: unknown[] = []
    const stream_options = { include_usage: true }
    for await (const { choices, usage } of await client.completions.create({
      ...asked,
      prompt: texts,
      stream: true,
      stream_options,
    })) {
      for (const { index, text, finish_reason } of choices) {
        written[index] += text
        if (finish_reason) ends.push([index, finish_reason])
      }
      if (usage) ends.push(usage.total_tokens)
    }
    expect(written).toEqual(together.choices.map(({ text }) => text))
    expect(ends).toEqual([
      ...together.choices.map(({ index, finish_reason }) => [index, finish_reason]),
      sum("total_tokens"),
    ])
  })

  it("list the token that ends the text behind an echo, so that it is never the text's own last one", async () => {
    const tokens = [
      ...trainedPrompt(bare.model, prompts[0]!),
      ...bare.model.tokenize("Die Tante zeichnet einen grünen Apfel."),
    ]
    const asked = { model: "tiny", prompt: tokens, max_tokens: 1, temperature: 0, logprobs: 1 } as const
    const { choices, usage } = await client.completions.create({ ...asked, echo: true })
    expect(choices[0]?.finish_reason).toBe("stop")
    expect(choices[0]?.logprobs?.token_logprobs).toHaveLength(tokens.length + 1)
    expect(choices[0]?.logprobs?.token_logprobs?.at(-1)).toBeGreaterThan(-0.5)
    expect([choices[0]?.text, usage?.completion_tokens]).toEqual([bare.model.detokenize(tokens as never, true), 1])
    const silent = await client.completions.create(asked)
    expect([silent.choices[0]?.text, silent.usage?.completion_tokens]).toEqual(["", 0])
  })

  it("stream", async () => {
    const stream = await client.completions.create({
      model: "tiny",
      prompt: "The aunt",
      max_tokens: 5,
      temperature: 0,
      stream: true,
    })
    let text = ""
    let finish: string | null = null
    for await (const chunk of stream) {
      text += chunk.choices[0]?.text ?? ""
      finish ??= chunk.choices[0]?.finish_reason ?? null
    }
    const whole = await client.completions.create({ model: "tiny", prompt: "The aunt", max_tokens: 5, temperature: 0 })
    expect(text).toBe(whole.choices[0]?.text)
    expect(finish).toBe(whole.choices[0]?.finish_reason)
  })
})
