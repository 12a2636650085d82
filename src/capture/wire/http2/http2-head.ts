import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http2"
import { maxHeadLength, readHead } from "../response-head.ts"
import { badResponse, WireError } from "../wire-error.ts"
import type { WireShape } from "../wire-job.ts"

const cache = new WeakMap<WireShape, OutgoingHttpHeaders>()

/**
 * The head of a request as HTTP/2 has it (RFC 9113, section 8.3.1), of the one that is written for HTTP/1.1.
 *
 * @param length bytes of the body; null: it has none
 */
export function requestFields(shape: WireShape, scheme: "http" | "https", length: number | null): OutgoingHttpHeaders {
  const fields = cache.get(shape) ?? convert(shape.head, scheme)
  cache.set(shape, fields)
  return length === null ? fields : { ...fields, "content-length": length }
}

function convert(head: string, scheme: string): OutgoingHttpHeaders {
  const [first = "", ...lines] = head.split("\r\n")
  const [method = "", path = ""] = first.split(" ")
  const fields: Record<string, string> = { ":method": method, ":scheme": scheme, ":path": path }
  for (const line of lines) {
    const colon = line.indexOf(":")
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (colon < 0 || name === "connection") continue
    const key = name === "host" ? ":authority" : name
    fields[key] = fields[key] === undefined ? value : `${fields[key]}, ${value}`
  }
  return fields
}

/**
 * The head of a response as a text, as {@link readHead} reads it: whoever takes an answer needs to know one kind of head.
 *
 * @throws WireError for a head that HTTP/1.1 could not say, and for one that is too long
 */
export function responseHead({ ":status": status, ...fields }: IncomingHttpHeaders & { ":status"?: number }): string {
  let text = `HTTP/2.0 ${status ?? 0}\r\n`
  for (const [name, value] of Object.entries(fields)) {
    const joined = Array.isArray(value) ? value.join(", ") : (value ?? "")
    if (/[\r\n\0]/.test(joined)) throw badResponse("a header field holds a control character")
    text += `${name}: ${joined}\r\n`
  }
  if (text.length > maxHeadLength) throw new WireError("Headers Overflow Error", "UND_ERR_HEADERS_OVERFLOW")
  text += "\r\n"
  readHead(text)
  return text
}
