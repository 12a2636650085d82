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
