import type { HttpRequest } from "../connections.ts"
import { badRequest } from "./wire-error.ts"

/** Where requests go. */
export interface Origin {
  readonly isTls: boolean
  readonly host: string
  readonly port: number
  /** As the `host` field says it. */
  readonly authority: string
}

/** @param origin `scheme://host:port` */
export function readOrigin(origin: string): Origin {
  const { protocol, hostname, port, host } = new URL(origin)
  const isTls = protocol === "https:"
  return {
    isTls,
    host: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname,
    port: port === "" ? (isTls ? 443 : 80) : Number(port),
    authority: host,
  }
}

/** Fields that say how a message is sent, which is not for the caller to say. */
const ownFields = new Set([
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "upgrade",
  "expect",
  "te",
])

const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/
const target = /^\/[\x21-\x7e\x80-\xff]*$/

/**
 * The head of a request in Latin-1, all but the length of its body and the empty line (RFC 9112, section 3).
 *
 * @throws WireError for a path, a name or a value that would be read as something else than one
 */
export function writeHead({ method, path, headers }: Omit<HttpRequest, "body">, { authority }: Origin): string {
  if (!target.test(path)) throw badRequest("invalid request path")
  const fields = Object.entries(headers)
  const hasHost = fields.some(([name]) => name.toLowerCase() === "host")
  let head = `${method} ${path} HTTP/1.1\r\n${hasHost ? "" : `host: ${authority}\r\n`}connection: keep-alive\r\n`
  for (const [name, value] of fields) {
    if (!fieldName.test(name)) throw badRequest("invalid header key")
    if (ownFields.has(name.toLowerCase())) throw badRequest(`invalid ${name.toLowerCase()} header`)
    if (!fieldValue.test(value)) throw badRequest(`invalid ${name} header`)
    head += `${name}: ${value}\r\n`
  }
  return head
}
