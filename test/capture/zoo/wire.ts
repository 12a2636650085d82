import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import type { Exchange } from "../../../src/capture/exchange.ts"
import type { Draw, Wire } from "./specimen.ts"

/** An event as an interface writes it: JSON, or a text as it is. */
export interface WrittenEvent {
  readonly data: object | string
  readonly name?: string
  /** It has the same event as the one before it: its line of data follows without a blank line. */
  readonly isJoined?: boolean
  /** A line of its own, without `data:`. */
  readonly isBare?: boolean
}

const beats = [": ping", "data:", "event: ping\ndata:", "retry: 500", "id: 7"]

/** The bytes of events, in the reads in which they come. */
export function exchangeOf(events: readonly WrittenEvent[], isCut: boolean, wire: Wire, draw: Draw): Exchange {
  const isLines = wire.isLines && areLines(events)
  const texts = events.map(({ data, name, isJoined, isBare = isLines }, i) => {
    const value = typeof data === "string" ? data : JSON.stringify(data)
    const isLast = i === events.length - 1
    if (isBare && data !== "[DONE]") return `${value}\n${isLines || (isLast && !wire.lastBlank) ? "" : "\n"}`
    const line = `${name === undefined ? "" : `event:${wire.space}${name}\n`}data:${wire.space}${value}\n`
    const beat = wire.beats && !isJoined && draw.chance(0.4) ? `${draw.of(beats)}\n\n` : ""
    return `${beat}${line}${events[i + 1]?.isJoined || (isLast && !wire.lastBlank) ? "" : "\n"}`
  })
  if (isCut) texts.push(`${(texts.pop() ?? "").trimEnd().slice(0, -draw.int(1, 8))}`)
  if (!isLines) texts[0] = `${wire.mark ? "\ufeff" : ""}${"\n".repeat(wire.blankLines)}${texts[0]}`
  const bodies = texts.map((text) => Buffer.from(text.replaceAll("\n", wire.newline)))
  const chunks = wire.encoding === null ? inReads(bodies, wire) : inReads([compressed(bodies, wire.encoding)], wire)
  const named = wire.encoding !== null && wire.encoding !== "gzip without a header"
  return {
    ...{ sendMs: 0, connectMs: null, headersMs: 5, endMs: 100 + 20 * chunks.length, status: 200, interruption: null },
    headers: new Map([
      ["content-type", wire.blankLines > 0 ? "text/event-stream" : draw.of(["text/event-stream", "text/plain"])],
      ...(named ? [["content-encoding", wire.encoding as string] as const] : []),
    ]),
    chunks,
    stampsMs: chunks.map((_, i) => 100 + 20 * i),
  }
}

/** Whether events can be lines: nothing is lost with their names, and what a whole body is differs. */
function areLines(events: readonly WrittenEvent[]): boolean {
  const isWhole = ({ data, name }: WrittenEvent) =>
    typeof data === "object" && (name === undefined || (data as { readonly type?: string }).type === name)
  return events.length > 2 && events.every((event, i) => isWhole(event) || (i > 1 && event.data === "[DONE]"))
}

function compressed(bodies: readonly Buffer[], encoding: NonNullable<Wire["encoding"]>): Buffer {
  const all = Buffer.concat(bodies)
  if (encoding === "br") return brotliCompressSync(all)
  return encoding === "deflate" ? deflateSync(all) : gzipSync(all)
}

function inReads(bodies: readonly Buffer[], { reads }: Wire): readonly Buffer[] {
  const all = Buffer.concat(bodies)
  if ("bytes" in reads)
    return Array.from({ length: Math.ceil(all.length / reads.bytes) }, (_, i) =>
      all.subarray(i * reads.bytes, (i + 1) * reads.bytes),
    )
  return Array.from({ length: Math.ceil(bodies.length / reads.events) }, (_, i) =>
    Buffer.concat(bodies.slice(i * reads.events, (i + 1) * reads.events)),
  )
}
