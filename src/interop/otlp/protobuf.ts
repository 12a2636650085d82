import type { Reader } from "protobufjs/minimal.js"
import type { JsonObject, JsonValue } from "../../core/json.ts"

/** How a file holds its messages: one, or many with the length of each in four bytes before it, as the Collector writes them. */
export type Framing = "one" | "many"

/**
 * Whether a file begins as an ExportTraceServiceRequest in protobuf does. Nothing in it says so; but it holds bytes that no text has, and
 * its first lengths lie within each other.
 *
 * @param head the first bytes of the file
 * @param size length of the whole file
 */
export function protobufFraming(head: Uint8Array, size: number): Framing | null {
  if (!head.some((byte) => byte < 9 || (byte > 13 && byte < 32))) return null
  if (isRequest(head, 0, size)) return "one"
  const length = head.length > 8 ? new DataView(head.buffer, head.byteOffset).getUint32(0) : 0
  return length >= 4 && length <= size - 4 && isRequest(head, 4, 4 + length) ? "many" : null
}

/** `resource_spans` (1), which begins with its `resource` (1) or `scope_spans` (2). */
function isRequest(head: Uint8Array, from: number, end: number): boolean {
  if (head[from] !== 0x0a) return false
  const outer = lengthAt(head, from + 1)
  if (!outer || outer.value < 2 || outer.next + outer.value > end) return false
  const tag = head[outer.next]
  const inner = tag === 0x0a || tag === 0x12 ? lengthAt(head, outer.next + 1) : null
  return inner !== null && inner.next + inner.value <= outer.next + outer.value
}

function lengthAt(bytes: Uint8Array, from: number): { readonly value: number; readonly next: number } | null {
  let value = 0
  for (let i = 0; i < 5; i++) {
    const byte = bytes[from + i]
    if (byte === undefined) return null
    value += (byte & 0x7f) * 2 ** (7 * i)
    if (byte < 0x80) return { value, next: from + i + 1 }
  }
  return null
}

/**
 * The requests of a file, each in the shape of OTLP's JSON encoding, with one `resourceSpans` each. Memory: one of them beside the bytes.
 *
 * @throws for bytes that are cut off, or of another shape
 */
export async function* protobufRequests(bytes: Uint8Array, framing: Framing): AsyncGenerator<JsonObject> {
  const { default: protobuf } = await import("protobufjs/minimal.js")
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let from = 0; from < bytes.length; ) {
    const length = framing === "one" ? bytes.length : from + 4 <= bytes.length ? view.getUint32(from) : -1
    const start = framing === "one" ? 0 : from + 4
    if (length < 0 || start + length > bytes.length) throw new Error(`the message at byte ${from} is cut off`)
    yield* requestsOf(protobuf.Reader.create(bytes.subarray(start, start + length)))
    from = start + length
  }
}

function* requestsOf(reader: Reader): Generator<JsonObject> {
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag === 0x0a) yield { resourceSpans: [resourceSpans(reader)] }
    else reader.skipType(tag & 7)
  }
}

/** Reads the fields of an embedded message; those that `fields` does not know are left out. */
function message(reader: Reader, fields: Readonly<Record<number, (reader: Reader) => void>>): void {
  const end = reader.uint32() + reader.pos
  if (end > reader.len) throw new RangeError("a message is longer than the one that it is in")
  while (reader.pos < end) {
    const tag = reader.uint32()
    const read = fields[tag]
    if (read) read(reader)
    else reader.skipType(tag & 7)
  }
  if (reader.pos !== end) throw new RangeError("a field is longer than the message that it is in")
}

/** A tag is the field's number and its wire type. */
const tag = (field: number, wire: 0 | 1 | 2): number => field * 8 + wire

function resourceSpans(reader: Reader): JsonObject {
  const attributes: JsonValue[] = []
  const scopeSpans: JsonValue[] = []
  message(reader, {
    [tag(1, 2)]: (own) => message(own, { [tag(1, 2)]: (bytes) => attributes.push(keyValue(bytes, 0)) }),
    [tag(2, 2)]: (own) => {
      const spans: JsonValue[] = []
      message(own, { [tag(2, 2)]: (bytes) => spans.push(span(bytes)) })
      scopeSpans.push({ spans })
    },
  })
  return { resource: { attributes }, scopeSpans }
}

function span(reader: Reader): JsonObject {
  const attributes: JsonValue[] = []
  const events: JsonValue[] = []
  const members: Record<string, JsonValue> = {}
  message(reader, {
    [tag(1, 2)]: (own) => (members.traceId = hex(own)),
    [tag(2, 2)]: (own) => (members.spanId = hex(own)),
    [tag(4, 2)]: (own) => (members.parentSpanId = hex(own)),
    [tag(5, 2)]: (own) => (members.name = own.string()),
    [tag(7, 1)]: (own) => (members.startTimeUnixNano = nanoseconds(own)),
    [tag(8, 1)]: (own) => (members.endTimeUnixNano = nanoseconds(own)),
    [tag(9, 2)]: (own) => attributes.push(keyValue(own, 0)),
    [tag(11, 2)]: (own) => events.push(event(own)),
    [tag(15, 2)]: (own) => (members.status = status(own)),
  })
  return { ...members, attributes, events }
}

function event(reader: Reader): JsonObject {
  const attributes: JsonValue[] = []
  const members: Record<string, JsonValue> = {}
  message(reader, {
    [tag(1, 1)]: (own) => (members.timeUnixNano = nanoseconds(own)),
    [tag(2, 2)]: (own) => (members.name = own.string()),
    [tag(3, 2)]: (own) => attributes.push(keyValue(own, 0)),
  })
  return { ...members, attributes }
}

function status(reader: Reader): JsonObject {
  const members: Record<string, JsonValue> = {}
  message(reader, {
    [tag(2, 2)]: (own) => (members.message = own.string()),
    [tag(3, 0)]: (own) => (members.code = own.int32()),
  })
  return members
}

function keyValue(reader: Reader, depth: number): JsonObject {
  let key = ""
  let value: JsonObject = {}
  message(reader, {
    [tag(1, 2)]: (own) => (key = own.string()),
    [tag(2, 2)]: (own) => (value = anyValue(own, depth + 1)),
  })
  return { key, value }
}

/** Deeper values than any attribute has: a message of a few kilobytes may nest thousands. */
const deepest = 100

function anyValue(reader: Reader, depth: number): JsonObject {
  if (depth > deepest) throw new RangeError(`a value is nested more than ${deepest} deep`)
  let value: JsonObject = {}
  message(reader, {
    [tag(1, 2)]: (own) => (value = { stringValue: own.string() }),
    [tag(2, 0)]: (own) => (value = { boolValue: own.bool() }),
    [tag(3, 0)]: (own) => (value = { intValue: String(own.int64()) }),
    [tag(4, 1)]: (own) => (value = { doubleValue: own.double() }),
    [tag(5, 2)]: (own) => {
      const values: JsonValue[] = []
      message(own, { [tag(1, 2)]: (bytes) => values.push(anyValue(bytes, depth + 1)) })
      value = { arrayValue: { values } }
    },
    [tag(6, 2)]: (own) => {
      const values: JsonValue[] = []
      message(own, { [tag(1, 2)]: (bytes) => values.push(keyValue(bytes, depth + 1)) })
      value = { kvlistValue: { values } }
    },
  })
  return value
}

function hex(reader: Reader): string {
  return Buffer.from(reader.bytes()).toString("hex")
}

function nanoseconds(reader: Reader): string {
  const low = BigInt(reader.fixed32())
  return String((BigInt(reader.fixed32()) << 32n) | low)
}
