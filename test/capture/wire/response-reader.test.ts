import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Recording } from "../../../src/capture/wire/recording.ts"
import { ResponseReader } from "../../../src/capture/wire/response-reader.ts"
import { WireError } from "../../../src/capture/wire/wire-error.ts"

/** Reads pieces as reads of a socket would bring them. */
function readAll(pieces: readonly Uint8Array[], ends = false) {
  const reader = new ResponseReader()
  const into = new Recording()
  for (const [i, piece] of pieces.entries()) reader.read(Buffer.from(piece), piece.length, i, into)
  if (ends) reader.end()
  const body = Buffer.from(into.bytes.subarray(0, into.length)).toString("latin1")
  return { reader, into, body, status: reader.head?.status, isComplete: reader.isComplete, hasExcess: reader.hasExcess }
}

const bytesOf = (text: string) => Buffer.from(text, "latin1")
const read = (text: string, ends = false) => readAll([bytesOf(text)], ends)

function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const at = [0, ...places.map((index) => index % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end))
}

const chunked = (parts: readonly string[], extension = "", trailer = "") =>
  `${parts.map((part) => `${part.length.toString(16)}${extension}\r\n${part}\r\n`).join("")}0\r\n${trailer}\r\n`

describe("ResponseReader", () => {
  const places = fc.array(fc.nat(4000), { maxLength: 40 })
  const text = fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 700 })

  it("reads a body of a stated length, wherever reads cut it", () => {
    fc.assert(
      fc.property(text, places, (body, at) => {
        const bytes = bytesOf(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nX-A: 1\r\nx-a:  2 \r\n\r\n${body}`)
        const seen = readAll(cut(bytes, at))
        expect(seen).toMatchObject({ body, status: 200, isComplete: true, hasExcess: false })
        expect(seen.reader.head?.headers.get("x-a")).toBe("1, 2")
      }),
    )
  })

  it("reads a chunked body with extensions and trailers, wherever reads cut it", () => {
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 8 }),
        fc.constantFrom("", ";a=b", " ;a"),
        places,
        (parts, extension, at) => {
          const bytes = bytesOf(
            `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(parts, extension, "X-T: 1\r\nY: 2\r\n")}`,
          )
          const pieces = cut(bytes, at)
          const seen = readAll(pieces)
          expect(seen).toMatchObject({ body: parts.join(""), isComplete: true, hasExcess: false })
          expect(seen.into.count).toBeLessThanOrEqual(pieces.length)
        },
      ),
    )
  })

  it("reads on until the connection ends where no length is stated", () => {
    const seen = readAll([bytesOf("HTTP/1.0 200\r\n\r\nab"), bytesOf("cd")], true)
    expect(seen).toMatchObject({ body: "abcd", isComplete: true })
    expect(seen.reader.head?.keepAlive).toBe(false)
  })

  it("passes interim responses over, and reads the one that counts", () => {
    expect(read("HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n")).toMatchObject({
      status: 204,
      isComplete: true,
    })
  })

  it("stamps one piece for each read that brought some of the body", () => {
    const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    const { into } = readAll([bytesOf(`${head}1\r\na\r\n2\r\nbc\r\n`), bytesOf("3\r"), bytesOf("\ndef\r\n0\r\n\r\n")])
    expect([...into.stampsMs.subarray(0, into.count)]).toEqual([0, 2])
    expect(into.pieces().map((piece) => Buffer.from(piece).toString())).toEqual(["abc", "def"])
  })

  it("says when something came behind the response", () => {
    expect(read("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200 OK\r\n")).toMatchObject({
      body: "a",
      isComplete: true,
      hasExcess: true,
    })
  })

  it("reads the next response of the connection as if it were the first", () => {
    const reader = new ResponseReader()
    for (const body of ["ab", "c"]) {
      const into = new Recording()
      const bytes = bytesOf(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunked([body])}`)
      reader.read(bytes, bytes.length, 0, into)
      expect([into.length, reader.isComplete]).toEqual([body.length, true])
      reader.reset()
    }
  })

  const okHead = "HTTP/1.1 200 OK\r\n"
  it.each([
    ["no status line", "GET / HTTP/1.1\r\n\r\n"],
    ["another protocol", "HTTP/2 200\r\n\r\n"],
    ["a status that is no number", "HTTP/1.1 2x0 OK\r\n\r\n"],
    ["a status of four digits", "HTTP/1.1 2000\r\n\r\n"],
    ["a change of the protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n"],
    ["a field without a name", `${okHead}: 1\r\n\r\n`],
    ["a space before the colon", `${okHead}a : 1\r\n\r\n`],
    ["a folded line", `${okHead}a: 1\r\n b\r\n\r\n`],
    ["a line that is no field", `${okHead}nothing\r\n\r\n`],
    ["a zero byte", `${okHead}a: \0\r\n\r\n`],
    ["two lengths", `${okHead}content-length: 1\r\ncontent-length: 2\r\n\r\n`],
    ["a length with a sign", `${okHead}content-length: +1\r\n\r\n`],
    ["a length beyond all", `${okHead}content-length: 99999999999999999999\r\n\r\n`],
    ["a length beside chunks", `${okHead}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`],
    ["a chunk without a size", `${okHead}transfer-encoding: chunked\r\n\r\n\r\n`],
    ["a size that is no number", `${okHead}transfer-encoding: chunked\r\n\r\n-1\r\n`],
    ["a size with a prefix", `${okHead}transfer-encoding: chunked\r\n\r\n0x1\r\na\r\n`],
    ["a size beyond all", `${okHead}transfer-encoding: chunked\r\n\r\nfffffffffffff\r\n`],
    ["a return inside a size", `${okHead}transfer-encoding: chunked\r\n\r\n1\r1\r\n`],
    ["a chunk longer than its size", `${okHead}transfer-encoding: chunked\r\n\r\n1\r\nab\r\n`],
    ["a head without an end", `${okHead}${"a: b\r\n".repeat(4000)}`],
    ["a line without an end", `${okHead}a: ${"b".repeat(20_000)}`],
    ["trailers without an end", `${okHead}transfer-encoding: chunked\r\n\r\n0\r\n${"a: b\r\n".repeat(4000)}`],
    ["an extension without an end", `${okHead}transfer-encoding: chunked\r\n\r\n1;${"a".repeat(5000)}`],
  ])("refuses %s, in one read and byte for byte", (_, input) => {
    expect(() => read(input)).toThrow(WireError)
    expect(() => readAll([...bytesOf(input)].map((byte) => Uint8Array.of(byte)))).toThrow(WireError)
  })

  it.each([
    ["nothing", ""],
    ["half a head", "HTTP/1.1 200 OK\r\ncontent-"],
    ["half a body", `${okHead}content-length: 5\r\n\r\nab`],
    ["half a chunk", `${okHead}transfer-encoding: chunked\r\n\r\n5\r\nab`],
  ])("calls an end after %s a closed connection", (_, input) => {
    expect(() => read(input, true)).toThrow("other side closed")
  })

  it("takes the end of a connection that was to be closed as the end of its chunks, as undici does", () => {
    const seen = read(`${okHead}connection: close\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab`, true)
    expect(seen).toMatchObject({ body: "ab", isComplete: true })
  })

  it("keeps no more of a head than its limit, and needs no more than linear time for it", () => {
    const reader = new ResponseReader()
    const byte = Buffer.from("a")
    const begin = performance.now()
    expect(() => {
      for (let i = 0; i < 100_000; i++) reader.read(byte, 1, 0, new Recording())
    }).toThrow("Headers Overflow")
    expect(performance.now() - begin).toBeLessThan(5000)
  })

  it("ends every damaged response in a result or a WireError", () => {
    const whole = bytesOf(
      `${okHead}transfer-encoding: chunked\r\nkeep-alive: timeout=5\r\n\r\n${chunked(["ab", "cdef"])}`,
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        places,
        fc.boolean(),
        (changes, at, ends) => {
          const bytes = Uint8Array.from(whole)
          for (const [index, byte] of changes) bytes[index] = byte
          let seen: ReturnType<typeof readAll>
          try {
            seen = readAll(cut(bytes, at), ends)
          } catch (error) {
            expect(error).toBeInstanceOf(WireError)
            return
          }
          expect(seen.into.length).toBeLessThanOrEqual(whole.length)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it("reads any bytes at all without another error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), places, (bytes, at) => {
        for (const begin of ["", okHead, `${okHead}transfer-encoding: chunked\r\n\r\n`])
          try {
            readAll(cut(Buffer.concat([bytesOf(begin), bytes]), at), true)
          } catch (error) {
            expect(error).toBeInstanceOf(WireError)
          }
      }),
    )
  })
})
