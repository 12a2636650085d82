import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { RunningServer } from "../../../../src/local-model/serve/start-server.ts"
import { openTestServer } from "../shared-server.ts"

let server: RunningServer
let root: string

beforeAll(async () => {
  ;({ server } = await openTestServer({ parallel: 2 }))
  root = server.baseUrl.replace("/v1", "")
})
afterAll(() => server?.stop())

interface Listed {
  readonly id: number
  readonly token: string
  readonly logprob: number
  readonly top_logprobs: readonly Listed[]
}

/** What is read here of what the routes answer. */
interface Told {
  readonly tokens: (number | { readonly id: number; readonly piece: string | number[] })[]
  readonly content: string
  readonly prompt: string
  readonly stop: boolean
  readonly stop_type: string
  readonly tokens_predicted: number
  readonly completion_probabilities: readonly Listed[]
  readonly choices: readonly { readonly message: { readonly content: string } }[]
  readonly chat_template: string
  readonly error: { readonly param: string }
}

const headers = { "content-type": "application/json" }
async function post(path: string, body: object) {
  const response = await fetch(`${root}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  return { status: response.status, json: (await response.json()) as Told }
}

describe("the routes of llama.cpp's server", () => {
  it("/tokenize gives numbers, and pieces whose parts of characters are bytes", async () => {
    const { json } = await post("/tokenize", { content: "The 😀", with_pieces: true, add_special: true })
    const tokens = json.tokens as { id: number; piece: string | number[] }[]
    expect(tokens[0]).toEqual({ id: 0, piece: "<|bos|>" })
    expect(tokens.some(({ piece }) => Array.isArray(piece))).toBe(true)
    const bytes = tokens.slice(1).map(({ piece }) => Buffer.from(piece as string))
    expect(Buffer.concat(bytes).toString("utf8")).toBe("The 😀")
    expect((await post("/tokenize", { content: "The 😀" })).json.tokens).toEqual(tokens.slice(1).map(({ id }) => id))
  })

  it("/tokenize reads control tokens unless it is told not to", async () => {
    const read = async (parse_special: boolean) =>
      (await post("/tokenize", { content: "<|user|>", parse_special })).json.tokens.length
    expect(await read(true)).toBe(1)
    expect(await read(false)).toBeGreaterThan(1)
  })

  it("/detokenize gives the text back, and names a token that there is not", async () => {
    const { tokens } = (await post("/tokenize", { content: "<|user|>A café 😀." })).json
    expect((await post("/detokenize", { tokens })).json).toEqual({ content: "<|user|>A café 😀." })
    const { status, json } = await post("/detokenize", { tokens: [5, 99_999] })
    expect([status, json.error.param]).toEqual([400, "tokens"])
  })

  it("/apply-template gives the prompt that a chat request is answered from", async () => {
    const messages = [
      { role: "user", content: "What is 1 + 2?" },
      { role: "assistant", content: "3" },
      { role: "user", content: "And 3 + 4?" },
    ]
    const { json } = await post("/apply-template", { messages })
    expect(json).toEqual({ prompt: "<|user|>What is 1 + 2?<|assistant|>3<|end|><|user|>And 3 + 4?<|assistant|>" })
    const chat = await post("/v1/chat/completions", { messages, temperature: 0, max_tokens: 12 })
    const asked = { prompt: json.prompt, temperature: 0, n_predict: 12 }
    expect((await post("/completion", asked)).json.content).toBe(chat.json.choices[0]?.message.content)
    expect((await post("/apply-template", { messages: [] })).status).toBe(400)
  })

  it("/props says what is served, and no folder", async () => {
    const props = (await (await fetch(`${root}/props`)).json()) as Told
    expect(props).toMatchObject({
      default_generation_settings: { n_ctx: 512, params: { temperature: 0.8, n_predict: -1 } },
      total_slots: 2,
      model_path: "tiny-s-f16.gguf",
      bos_token: "<|bos|>",
    })
    expect(props.chat_template).toContain("<|assistant|>")
  })

  it("/slots says which places are at work, and 503 on request when none is free", async () => {
    const slots = async () => (await fetch(`${root}/slots`)).json() as Promise<{ is_processing: boolean }[]>
    expect(await slots()).toEqual([0, 1].map((id) => ({ id, n_ctx: 512, speculative: false, is_processing: false })))
    const work = () => post("/completion", { prompt: "The", n_predict: 400, ignore_eos: true })
    const [one, both] = [work(), work()]
    await expect.poll(async () => (await slots()).filter((slot) => slot.is_processing).length).toBe(2)
    expect((await fetch(`${root}/slots?fail_on_no_slot=1`)).status).toBe(503)
    await Promise.all([one, both])
    expect((await fetch(`${root}/slots?fail_on_no_slot=1`)).status).toBe(200)
  })

  it.each([
    ["/tokenize", {}, "content"],
    ["/detokenize", { tokens: ["a"] }, "tokens[0]"],
    ["/completion", { prompt: 5 }, "prompt"],
    ["/completion", { prompt: ["a", "b"] }, "prompt"],
    ["/completion", { prompt: "a", grammar: 'root ::= "a" | root' }, "grammar"],
    ["/completion", { prompt: "a", grammar: "root ::= <[5]>", json_schema: {} }, "grammar"],
    ["/completion", { prompt: "a", grammar: "root ::= <[99999]>" }, "prompt"],
    ["/completion", { prompt: "a", n_probs: 2, post_sampling_probs: true }, "post_sampling_probs"],
    ["/completion", { prompt: "a", n_probs: 1_000_000 }, "n_probs"],
    ["/completion", { prompt: "a", samplers: ["top_k"] }, "samplers"],
    ["/completion", { prompt: "a", mirostat: 2 }, "mirostat"],
    ["/completion", { prompt: "word ".repeat(600) }, "prompt"],
  ])("%s answers 400 to %j and names %s", async (path, body, param) => {
    const { status, json } = await post(path, body)
    expect([status, json.error.param]).toEqual([400, param])
  })
})

describe("/completion", () => {
  it("continues a prompt and says how it ended, in llama.cpp's words", async () => {
    const prompt = "<|user|>What is 12 + 30?<|assistant|>"
    const { json } = await post("/completion", { prompt, temperature: 0, n_probs: 3, return_tokens: true })
    expect(json).toMatchObject({ stop: true, stop_type: "eos", stopping_word: "", truncated: false, model: "tiny" })
    expect(json.tokens_predicted).toBe(json.tokens.length)
    expect(json.completion_probabilities.map(({ id }) => id)).toEqual(json.tokens)
    expect((await post("/detokenize", { tokens: json.tokens })).json.content).toBe(json.content)
    for (const { id, top_logprobs } of json.completion_probabilities) {
      expect(top_logprobs).toHaveLength(3)
      expect(top_logprobs[0]).toMatchObject({ id, bytes: expect.any(Array), token: expect.any(String) })
    }
    expect((await post("/completion", { prompt, temperature: 0, n_predict: 1 })).json.stop_type).toBe("limit")
    const first = (json.content as string).trim()[0] as string
    const stopped = (await post("/completion", { prompt, temperature: 0, stop: [first] })).json
    expect(stopped).toMatchObject({ stop_type: "word", stopping_word: first })
  })

  it("streams the same text, without [DONE]", async () => {
    const body = { prompt: "<|user|>What is 12 + 30?<|assistant|>", temperature: 0, n_predict: 6 }
    const response = await fetch(`${root}/completion`, {
      method: "POST",
      headers,
      body: JSON.stringify({ ...body, stream: true }),
    })
    const events = (await response.text()).split("\n\n").filter((line) => line !== "")
    const read = events.map((line) => JSON.parse(line.replace(/^data: /, "")) as Told)
    expect(read.map(({ content }) => content).join("")).toBe((await post("/completion", body)).json.content)
    expect(read.map(({ stop }) => stop)).toEqual([...read.slice(1).map(() => false), true])
  })

  it("lists the whole distribution of the model beside letters that a grammar allows", async () => {
    const body = { prompt: "The", n_predict: 1, temperature: 0, grammar: "root ::= [a-z]+", n_probs: 1_000_000 }
    const first = (await post("/completion", body)).json.completion_probabilities[0]!
    expect(first.token).toMatch(/^[a-z]+$/)
    const shares = first.top_logprobs.map(({ logprob }) => Math.exp(logprob))
    expect(shares).toHaveLength(1280)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 4)
  })

  it("answers in JSON of a schema", async () => {
    const json_schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] }
    const { json } = await post("/completion", { prompt: "JSON: ", json_schema, temperature: 0, n_probs: 1 })
    expect(JSON.parse(json.content)).toEqual({ n: expect.any(Number) })
  })
})
