import { brotliCompressSync, constants, createBrotliCompress, createGzip, deflateSync, gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import type { Exchange } from "../../src/capture/exchange.ts"
import { hasText, readAnswer } from "../../src/capture/read-answer.ts"
import { decodeExchange } from "../../src/capture/stream/decode-body.ts"
import { redactSecrets } from "../../src/text/secrets.ts"
import { answerOfPieces } from "../support/capture/answer-of-events.ts"

const words = ["Paris", " is", " é", " 😀"]
const events = [
  ...words.map((content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`),
  "data: [DONE]\n\n",
]

/** Each event as the compressor gives it when it is flushed. */
async function compressed(stream: ReturnType<typeof createGzip> | ReturnType<typeof createBrotliCompress>) {
  const pieces: Buffer[] = []
  let chunks: Buffer[] = []
  stream.on("data", (bytes: Buffer) => chunks.push(bytes))
  const flag =
    "bytesWritten" in stream && stream.constructor.name.startsWith("Brotli")
      ? constants.BROTLI_OPERATION_FLUSH
      : constants.Z_SYNC_FLUSH
  for (const event of events) {
    stream.write(event)
    await new Promise<void>((resolve) => stream.flush(flag, () => setImmediate(resolve)))
    pieces.push(Buffer.concat(chunks))
    chunks = []
  }
  return pieces
}

function exchangeOf(chunks: readonly Uint8Array[], encoding: string | null): Exchange {
  return {
    ...{ sendMs: 0, connectMs: null, headersMs: 5, endMs: 900, status: 200, interruption: null, chunks },
    headers: new Map(encoding === null ? [] : [["content-encoding", encoding]]),
    stampsMs: chunks.map((_, i) => 100 + 20 * i),
  }
}

function answerOf(exchange: Exchange) {
  const context = { scheduledMs: 0, originMs: 0, promisedJson: false, transport: "t", redact: redactSecrets, wallMs: 0 }
  return readAnswer(decodeExchange(exchange), context)
}

describe("a compressed stream", () => {
  it.each([
    ["gzip", "gzip", createGzip],
    ["gzip that no header names", null, createGzip],
    ["brotli", "br", createBrotliCompress],
  ] as const)("is read with the moment of each event: %s", async (_, encoding, make) => {
    const pieces = await compressed(make())
    const answer = answerOf(exchangeOf(pieces, encoding))
    expect(answer).toMatchObject({ outcome: "ok", text: words.join("") })
    expect(answer.log.events.map(({ atMs }) => atMs)).toEqual([100, 120, 140, 160, 180])
    const contentEncoding = encoding ?? undefined
    expect(hasText({ chunks: pieces.slice(0, 1), stampsMs: [0], contentEncoding })).toBe(true)
  })

  it("of many pieces keeps all of its text, and one in a piece is read, too", async () => {
    const long = gzipSync(Array.from({ length: 3000 }, () => events[0]).join("") + events.at(-1))
    const bytes = [...long].map((byte) => Buffer.from([byte]))
    expect(answerOf(exchangeOf(bytes, "gzip")).text).toHaveLength(5 * 3000)
    const body = JSON.stringify({ choices: [{ message: { content: "Paris" }, finish_reason: "stop" }] })
    for (const [encoding, make] of [
      ["gzip", gzipSync],
      ["deflate", deflateSync],
      ["br", brotliCompressSync],
    ] as const)
      expect(answerOf(exchangeOf([make(body)], encoding)).text).toBe("Paris")
  })

  it("that a proxy has unpacked, or that cannot be read, stays as it is", () => {
    const plain = exchangeOf(
      events.map((event) => Buffer.from(event)),
      "br",
    )
    expect(decodeExchange(plain)).toBe(plain)
    const garbage = exchangeOf([Buffer.from([0x1f, 0x8b, 1, 2, 3])], "gzip")
    expect(decodeExchange(garbage)).toBe(garbage)
  })
})

describe("a stream whose type is another", () => {
  it("is one behind blank lines, in whatever pieces they come", () => {
    const headers = new Map([["content-type", "text/plain"]])
    for (const before of [["\n\n"], ["\n", "\n"], ["\r\n\r\n", " \n"]])
      expect(answerOfPieces([...before, ...events], undefined, { headers })).toMatchObject({ outcome: "ok" })
    const bytes = ["\n\n", ...events].flatMap((piece) => [...Buffer.from(piece)].map((byte) => Buffer.from([byte])))
    expect(answerOfPieces(bytes, undefined, { headers })).toMatchObject({ outcome: "ok", text: words.join("") })
  })
})
