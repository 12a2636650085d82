import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import type { ServiceUse } from "../../../src/core/metric/metered.ts"
import { openaiEmbeddings } from "../../../src/encoders/embedder/openai-embeddings.ts"
import { testPrice } from "../../support/test-price.ts"

interface Body {
  readonly model: string
  readonly input: readonly string[]
  readonly dimensions?: number
}

const price = testPrice(0.02, 0)
let server: Server | undefined
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())))

/** An endpoint that answers in reverse order, with a vector of the text's length. */
async function endpoint(status = 200): Promise<{ baseUrl: string; bodies: Body[] }> {
  const bodies: Body[] = []
  server = createServer((request, response) => {
    let text = ""
    request.on("data", (chunk: Buffer) => {
      text += chunk.toString()
    })
    request.on("end", () => {
      const body = JSON.parse(text) as Body
      bodies.push(body)
      const data = body.input.map((input, index) => ({ object: "embedding", index, embedding: [input.length, 1] }))
      const usage = { prompt_tokens: 10 * body.input.length, total_tokens: 10 * body.input.length }
      response.writeHead(status, { "content-type": "application/json", connection: "close" })
      response.end(status === 200 ? JSON.stringify({ object: "list", data: data.reverse(), usage }) : '{"error":{}}')
    })
  })
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve))
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, bodies }
}

describe("openaiEmbeddings", () => {
  it("sends texts in batches, keeps their order and counts what they cost", async () => {
    const { baseUrl, bodies } = await endpoint()
    const embedder = openaiEmbeddings({ model: "e", baseUrl, apiKeyVariable: null, batchSize: 2, price })
    const uses: ServiceUse[] = []
    embedder.onUse((use) => uses.push(use))
    const [first, second] = await Promise.all([embedder.embed(["a", "bb"]), embedder.embed(["ccc", "a"])])
    expect(first.map(([length]) => length)).toEqual([1, 2])
    expect(second.map(([length]) => length)).toEqual([3, 1])
    expect(bodies.map(({ input }) => input)).toEqual([["a", "bb"], ["ccc"]])
    expect(embedder.usage()).toEqual({ requests: 2, promptTokens: 30, costUsd: (30 * 0.02) / 1e6 })
    expect(uses.map(({ purpose, tokens }) => [purpose, tokens])).toEqual([
      ["embeddings e", 20],
      ["embeddings e", 10],
    ])
    await embedder.close()
  })

  it("does not know the cost without a price", async () => {
    const { baseUrl } = await endpoint()
    const embedder = openaiEmbeddings({ model: "e", baseUrl, apiKeyVariable: null, prefix: "query: " })
    const [vector] = await embedder.embed(["a"])
    expect(vector?.[0]).toBe(8)
    expect(embedder.usage().costUsd).toBeNull()
  })

  it("fails with the endpoint's host when it is refused", async () => {
    const { baseUrl } = await endpoint(400)
    const embedder = openaiEmbeddings({ model: "e", baseUrl, apiKeyVariable: null, retries: 0 })
    await expect(embedder.embed(["a"])).rejects.toMatchObject({
      code: "embeddings_failed",
      where: new URL(baseUrl).host,
    })
  })

  it("keeps keys out of its identity and says which variable is missing", async () => {
    const embedder = openaiEmbeddings({ model: "e", apiKeyVariable: "EVALKIT_TEST_NO_SUCH_KEY" })
    expect(embedder.identity).toBe("e|api.openai.com|all")
    await expect(embedder.embed(["a"])).rejects.toThrow("EVALKIT_TEST_NO_SUCH_KEY")
    expect(() => openaiEmbeddings({ model: "e", baseUrl: "https://user:secret@host/v1" })).toThrow("password")
  })
})
