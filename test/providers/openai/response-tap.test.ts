import { expect, it } from "vitest"
import { createResponseTap } from "../../../src/providers/openai/response-tap.ts"

/** What the reader of a body gets, piece by piece. */
async function piecesOf(chunks: readonly string[]): Promise<readonly string[]> {
  const { tap, response } = createResponseTap()
  tap.head(200, new Map([["content-type", "text/event-stream"]]))
  for (const chunk of chunks) tap.data(Buffer.from(chunk))
  tap.end()
  const reader = ((await response).body as ReadableStream<Uint8Array>).getReader()
  const pieces: string[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return pieces
    pieces.push(Buffer.from(value).toString())
  }
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
