import { createOpenAI } from "@ai-sdk/openai"
import { OpenAIEmbeddings } from "@langchain/openai"
import { embed, embedMany } from "ai"
import { getLlama } from "node-llama-cpp"
import type OpenAI from "openai"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { RunningServer } from "../../../src/local-model/serve/start-server.ts"
import { openTestServer, tinyModel } from "./shared-server.ts"

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const texts = ["The aunt draws a green apple.", "What is 12 + 30?", "a"]

let server: RunningServer
let client: OpenAI
/** Vectors of the binding itself, of length 1. */
let expected: number[][]
beforeAll(async () => {
  ;({ server, client } = await openTestServer())
  const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, maxThreads: 1 })
  const model = await llama.loadModel({ modelPath: tinyModel, gpuLayers: 0 })
  const context = await model.createEmbeddingContext({ contextSize: 512, threads: 1 })
  expected = []
  for (const text of texts) {
    const { vector } = await context.getEmbeddingFor(text)
    const length = Math.hypot(...vector)
    expected.push(vector.map((value) => value / length))
  }
  await llama.dispose()
})
afterAll(() => server?.stop())

function near(result: readonly (readonly number[])[], target = expected) {
  expect(result.map(({ length }) => length)).toEqual(target.map(({ length }) => length))
  const most = Math.max(
    ...result.flatMap((vector, i) => vector.map((value, k) => Math.abs(value - (target[i]?.[k] ?? 9)))),
  )
  expect(most).toBeLessThan(1e-5)
}

describe("POST /v1/embeddings, through unmodified clients", () => {
  it("gives the SDK of OpenAI the binding's own vectors, as numbers and in the form that it asks for by itself", async () => {
    const { data, usage, model } = await client.embeddings.create({ model: "tiny", input: texts })
    expect(data.map(({ index }) => index)).toEqual([0, 1, 2])
    near(data.map(({ embedding }) => embedding))
    expect(model).toBe("tiny")
    expect(usage.prompt_tokens).toBeGreaterThan(texts.length)
    const plain = await client.embeddings.create({ model: "tiny", input: texts[0]!, encoding_format: "float" })
    near([plain.data[0]!.embedding], [expected[0]!])
    expect(Math.hypot(...plain.data[0]!.embedding)).toBeCloseTo(1, 6)
  })

  it("gives the Vercel AI SDK and LangChain the same", async () => {
    const model = createOpenAI({ baseURL: server.baseUrl, apiKey: "none" }).textEmbedding("tiny")
    near((await embedMany({ model, values: texts, maxRetries: 0 })).embeddings)
    near([(await embed({ model, value: texts[1]!, maxRetries: 0 })).embedding], [expected[1]!])
    const configuration = { baseURL: server.baseUrl }
    near(
      await new OpenAIEmbeddings({ model: "tiny", apiKey: "none", maxRetries: 0, configuration }).embedDocuments(texts),
    )
  })

  it("gives the same beside answers that are written meanwhile, and changes none of them", async () => {
    const ask = () =>
      client.chat.completions.create({
        model: "tiny",
        messages: [{ role: "user", content: texts[0]! }],
        temperature: 0,
        max_tokens: 30,
      })
    const [alone] = (await ask()).choices
    const [answers, vectors] = await Promise.all([
      Promise.all([ask(), ask(), ask()]),
      Promise.all(texts.map((input) => client.embeddings.create({ model: "tiny", input }))),
    ])
    for (const { choices } of answers) expect(choices[0]?.message).toEqual(alone?.message)
    near(vectors.map(({ data }) => data[0]!.embedding))
  })

  it.each([
    ["nothing", { input: "" }, 400, "input"],
    ["an empty list", { input: [] }, 400, "input"],
    ["a token that the model does not have", { input: [1_000_000] }, 400, "input"],
    ["what the context does not hold", { input: "table ".repeat(600) }, 400, "input"],
    ["another length of vectors", { input: "a", dimensions: 3 }, 400, "dimensions"],
    ["another model", { input: "a", model: "text-embedding-3-small" }, 404, "model"],
  ])("refuses %s", async (_, body, status, param) => {
    await expect(client.embeddings.create({ model: "tiny", ...body })).rejects.toMatchObject({ status, param })
  })
})
