import type { HttpVersion } from "../../core/provider.ts"
import type { HttpProxy } from "../../platform/proxy.ts"
import type { HttpRequest } from "../connections.ts"
import { badRequest } from "./wire-error.ts"

/** Where requests go. */
export interface Origin {
  readonly isTls: boolean
  readonly host: string
  readonly port: number
  /** As the `host` field says it. */
  readonly authority: string
  readonly proxy: HttpProxy | null
  /** The proxy is asked for a connection to the host; else it is sent the requests themselves. */
  readonly isTunnelled: boolean
}

/**
 * @param origin `scheme://host:port`
 * @param version what is spoken: without TLS, a proxy understands HTTP/1.1 only
 */
export function readOrigin(origin: string, proxy: HttpProxy | null = null, version: HttpVersion = "auto"): Origin {
  const { protocol, hostname, port, host } = new URL(origin)
  const isTls = protocol === "https:"
  return {
    isTls,
    host: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname,
    port: port === "" ? (isTls ? 443 : 80) : Number(port),
    authority: host,
    proxy,
    isTunnelled: proxy !== null && (isTls || version === "2"),
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
export function writeHead({ method, path, headers }: Omit<HttpRequest, "body">, origin: Origin): string {
  if (!target.test(path)) throw badRequest("invalid request path")
  const fields = Object.entries(headers)
  const hasHost = fields.some(([name]) => name.toLowerCase() === "host")
  const { authority } = origin
  const proxy = origin.isTunnelled ? null : origin.proxy
  let head = `${method} ${proxy ? `http://${authority}` : ""}${path} HTTP/1.1\r\n`
  head += `${hasHost ? "" : `host: ${authority}\r\n`}connection: keep-alive\r\n`
  if (proxy?.authorization) head += `proxy-authorization: ${proxy.authorization}\r\n`
  for (const [name, value] of fields) {
    if (!fieldName.test(name)) throw badRequest("invalid header key")
    if (ownFields.has(name.toLowerCase())) throw badRequest(`invalid ${name.toLowerCase()} header`)
    if (!fieldValue.test(value)) throw badRequest(`invalid ${name} header`)
    head += `${name}: ${value}\r\n`
  }
  return head
}
