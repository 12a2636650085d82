import { getLlama, type Llama, type LlamaModel } from "node-llama-cpp"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { textSlices } from "../../../../src/local-model/serve/native/text-slices.ts"
import type { RunningServer } from "../../../../src/local-model/serve/start-server.ts"
import { openTestServer, tinyModel } from "../shared-server.ts"

let llama: Llama
let model: LlamaModel
let server: RunningServer
let root: string

beforeAll(async () => {
  llama = await getLlama({ gpu: false, build: "never", skipDownload: true, maxThreads: 1 })
  model = await llama.loadModel({ modelPath: tinyModel, gpuLayers: 0 })
  ;({ server } = await openTestServer({ parallel: 1 }))
  root = server.baseUrl.replace("/v1", "")
})
afterAll(async () => {
  await server?.stop()
  await llama?.dispose()
})

const kinds = [
  "The aunt draws a green apple.\n",
  "one line\nanother  \n\n  and more, 12 + 30\r\nlast\n\tindented \n",
  "ends in letters\nbegins with some <|end|>\nfoo<|end|>bar\n",
  "größer\n日本\nends\nétait 😀\nnext\n",
]

const post = (path: string, body: object) =>
  fetch(`${root}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })

describe("a long text in slices", () => {
  it.each(kinds)("has the tokens of the whole, of lines like %j", (lines) => {
    // Short lines in front move the cuts to other places of the lines.
    for (const head of ["", "a\nb"]) {
      const text = `${head}${lines.repeat(Math.ceil(36_000 / lines.length))}`
      for (const special of [true, false]) {
        const slices = [...textSlices(model, text)]
        if (lines !== kinds[0]) expect(slices.length).toBeGreaterThan(1)
        expect(slices.join("")).toBe(text)
        expect(slices.flatMap((slice) => model.tokenize(slice, special))).toEqual(model.tokenize(text, special))
      }
    }
  })

  it("is one slice where it is short, or where a token may reach over an end of a line", () => {
    expect([...textSlices(model, "a\nb")]).toEqual(["a\nb"])
    const text = "one\ntwo\n".repeat(5000)
    const vocabulary = (kind: string, tokens: string[]) =>
      ({ fileInfo: { metadata: { tokenizer: { ggml: { model: kind, tokens } } } } }) as unknown as LlamaModel
    expect([...textSlices(vocabulary("gpt2", ["a\u010Ab"]), text)]).toHaveLength(1)
    expect([...textSlices(vocabulary("llama", ["a"]), text)]).toHaveLength(1)
    expect([...textSlices(vocabulary("gpt2", ["a", "\u010A"]), text)]).toHaveLength(3)
  })
})

describe("/tokenize of a long text", () => {
  it("lets others be answered meanwhile", async () => {
    const content = "The aunt draws a green apple\n".repeat(18_000)
    let done = false
    let answered = 0
    const tokenized = post("/tokenize", { content }).finally(() => {
      done = true
    })
    while (!done) {
      await fetch(`${root}/health`)
      answered++
    }
    expect((await tokenized).status).toBe(200)
    expect(answered).toBeGreaterThan(12)
  })

  it.each([
    ["/tokenize", { content: "x".repeat(600_000) }, "content"],
    ["/tokenize", { content: "<|end|>".repeat(70_000) }, "content"],
    ["/detokenize", { tokens: Array<number>(600_000).fill(5) }, "tokens"],
  ])("%s refuses what would hold the server (%#)", async (path, body, param) => {
    const response = await post(path, body)
    const { error } = (await response.json()) as { error: { param: string; message: string } }
    expect([response.status, error.param]).toEqual([400, param])
    expect(error.message).toContain("send it in parts")
  })
})

describe("a prompt that no context holds", () => {
  const content = "x".repeat(1_000_000)
  it.each([
    ["/v1/chat/completions", { messages: [{ role: "user", content }] }, "messages"],
    ["/v1/chat/completions", { messages: [{ role: "assistant", content }], echo: true }, "messages"],
    ["/v1/responses", { input: content }, "messages"],
    ["/v1/completions", { prompt: content }, "prompt"],
    ["/completion", { prompt: content }, "prompt"],
    ["/v1/embeddings", { input: content }, "input"],
    ["/apply-template", { messages: [{ role: "user", content }] }, "messages"],
  ])("is refused before it is tokenised (%s, %#)", async (path, body, param) => {
    const response = await post(path, body)
    const { error } = (await response.json()) as { error: { code: string; param: string; message: string } }
    expect([response.status, error.code, error.param]).toEqual([400, "context_length_exceeded", param])
    expect(error.message).toContain("characters at most")
  })
})
