import { expect, it } from "vitest"
import { createResponseTap } from "../../../src/providers/openai/response-tap.ts"

/** What the reader of a body gets, piece by piece. */
async function piecesOf(chunks: readonly string[]): Promise<readonly string[]> {
  const { tap, response } = createResponseTap()
  tap.head(200, new Map([["content-type", "text/event-stream"]]))
  for (const chunk of chunks) tap.data(Buffer.from(chunk))
  tap.end()
  const pieces: string[] = []
  for await (const piece of (await response).body as ReadableStream<Uint8Array>)
    pieces.push(Buffer.from(piece).toString())
  return pieces
}

const event = (text: string) => `data: ${text}\n\n`

it("hands on small events of one chunk together", async () => {
  const body = Array.from({ length: 12 }, (_, i) => event(`part ${i} é`)).join("")
  expect(await piecesOf([body])).toEqual([body])
})

it("hands on a few kilobytes at a time, and a large event by itself", async () => {
  const [small, large] = [event("x".repeat(1000)), event("y".repeat(50_000))]
  const pieces = await piecesOf([small.repeat(6) + large + small])
  expect(pieces).toEqual([small.repeat(4), small.repeat(2), large, small])
})

it("keeps every byte, whatever the chunks are", async () => {
  const body = `${Array.from({ length: 300 }, (_, i) => event(`${i}`.repeat(i % 40))).join("")}data: without an end`
  for (const size of [1, 7, 64, 1000, body.length]) {
    const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, i) => body.slice(i * size, (i + 1) * size))
    expect((await piecesOf(chunks)).join("")).toBe(body)
  }
})

it("gives a refusal as a response with all that it says", async () => {
  const { tap, response } = createResponseTap()
  tap.head(429, new Map([["retry-after", "7"]]))
  tap.data(Buffer.from('{"error":{"message":"slowly"}}'))
  tap.end()
  const refusal = await response
  expect([refusal.ok, refusal.status, refusal.headers.get("retry-after")]).toEqual([false, 429, "7"])
  expect(await refusal.json()).toEqual({ error: { message: "slowly" } })
})

it("ends the reading where the connection broke", async () => {
  const { tap, response } = createResponseTap()
  tap.head(200, new Map())
  tap.data(Buffer.from(event("a")))
  const read = (async () => {
    for await (const _ of (await response).body as ReadableStream<Uint8Array>);
  })()
  tap.fail(new Error("reset"))
  await expect(read).rejects.toThrow("reset")
})
