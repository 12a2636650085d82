import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { RunningServer } from "../../../src/local-model/serve/start-server.ts"
import { type BareBinding, openBareBinding, trainedPrompt } from "./bare-binding.ts"
import { openTestServer, prompts } from "./shared-server.ts"

let server: RunningServer
let base: string
let bare: BareBinding

beforeAll(async () => {
  const opened = await openTestServer()
  server = opened.server
  base = opened.url.replace(/\/v1$/, "")
  bare = await openBareBinding()
})
afterAll(async () => {
  await server?.stop()
  await bare?.dispose()
})

async function post(path: string, body: object) {
  const response = await fetch(`${base}${path}`, {
    ...{ method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } },
  })
  return { status: response.status, json: (await response.json()) as { tokens?: number[]; error?: { param: string } } }
}

describe("the tokenizer, in vLLM's words", () => {
  it("gives the tokens of a text and the text of tokens, control tokens by their names", async () => {
    const tokens = trainedPrompt(bare.model, prompts[0]!)
    const text = bare.model.detokenize(tokens, true)
    const plain = await post("/tokenize", { prompt: text, add_special_tokens: false })
    expect(plain.json).toEqual({ tokens, count: tokens.length, max_model_len: 512 })
    expect((await post("/detokenize", { tokens })).json).toEqual({ prompt: text })
    const started = await post("/tokenize", { prompt: "The aunt" })
    expect(started.json.tokens).toEqual([bare.model.tokens.bos, ...bare.model.tokenize("The aunt")])
  })

  it("states the tokens that begin and end a text, each of which is one token", async () => {
    const info = (await (await fetch(`${base}/tokenizer_info`)).json()) as Record<string, string>
    expect(info.chat_template).toContain("assistant")
    for (const [name, token] of [
      ["bos_token", bare.model.tokens.bos],
      ["eos_token", bare.model.tokens.eos],
    ] as const)
      expect((await post("/tokenize", { prompt: info[name], add_special_tokens: false })).json.tokens).toEqual([token])
  })

  it("refuses what is no text, no token, and too long for any context", async () => {
    for (const [path, body, param] of [
      ["/tokenize", { content: "a" }, "prompt"],
      ["/tokenize", { prompt: "a".repeat(100_000) }, "prompt"],
      ["/detokenize", { tokens: [1_000_000] }, "tokens"],
      ["/detokenize", { tokens: "a" }, "tokens"],
    ] as const) {
      const { status, json } = await post(path, body)
      expect([status, json.error?.param]).toEqual([400, param])
    }
  })
})
