import { badResponse } from "./wire-error.ts"

/** The head of a response: its status line and header fields, and how long its body is. */
export interface ResponseHead {
  readonly status: number
  readonly isHttp2: boolean
  /** Lower-case names; values of a name that comes more than once are joined by commas. */
  readonly headers: ReadonlyMap<string, string>
  /** Bytes of the body; `chunked`: each chunk says its own; `close`: up to the end of the connection. */
  readonly body: number | "chunked" | "close"
  readonly keepAlive: boolean
  /** For how long the server keeps the connection when nothing is sent, milliseconds; null: it does not say. */
  readonly keptMs: number | null
}

/** More is no head of a model's answer. As undici and Node have it. */
export const maxHeadLength = 16 * 1024

/** Where the head ends in a text that begins with one, behind its empty line; -1: not yet. Lines end in CRLF or LF. */
export function endOfHead(text: string, from: number): number {
  for (let feed = text.indexOf("\n", from); feed >= 0; feed = text.indexOf("\n", feed + 1)) {
    if (text[feed + 1] === "\n") return feed + 2
    if (text[feed + 1] === "\r" && text[feed + 2] === "\n") return feed + 3
  }
  return -1
}

let lastText = ""
let lastHead: ResponseHead | null = null

/**
 * Reads a head (RFC 9112, sections 4 and 6), or one of HTTP/2 that was written so. Answers of one server have the same head most of the time: the last one is kept.
 *
 * @param text the head in Latin-1, up to and with its empty line
 * @throws WireError for what is no head, and for one whose body has no certain length
 */
export function readHead(text: string): ResponseHead {
  if (lastHead && text === lastText) return lastHead
  lastHead = parse(text)
  lastText = text
  return lastHead
}

function parse(text: string): ResponseHead {
  const [statusLine = "", ...lines] = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line))
  const version = statusLine.slice(0, 9)
  const code = statusLine.slice(9, 12)
  const isHttp2 = version === "HTTP/2.0 "
  if (version !== "HTTP/1.1 " && version !== "HTTP/1.0 " && !isHttp2) throw badResponse("it has no status line")
  if (!/^[1-9][0-9][0-9]$/.test(code) || (statusLine[12] ?? " ") !== " ") throw badResponse("its status is no number")
  const status = Number(code)
  const headers = new Map<string, string>()
  for (const line of lines) if (line !== "") addField(headers, line)
  const keepAlive = staysOpen(headers.get("connection"), version === "HTTP/1.1 ")
  const body = lengthOf(status, headers)
  const kept = keptMs(headers.get("keep-alive"))
  return { status, isHttp2, headers, body, keepAlive: keepAlive && body !== "close", keptMs: kept }
}

const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

function addField(headers: Map<string, string>, line: string): void {
  const colon = line.indexOf(":")
  const name = line.slice(0, Math.max(0, colon)).toLowerCase()
  if (!fieldName.test(name)) throw badResponse("a header field has no name")
  if (line.includes("\r") || line.includes("\0")) throw badResponse("a header field holds a control character")
  const value = line.slice(colon + 1).trim()
  const before = headers.get(name)
  headers.set(name, before === undefined ? value : `${before}, ${value}`)
}

function tokensOf(value: string): readonly string[] {
  return value.split(",").map((token) => token.trim().toLowerCase())
}

function staysOpen(connection: string | undefined, byDefault: boolean): boolean {
  const tokens = tokensOf(connection ?? "")
  return !tokens.includes("close") && (byDefault || tokens.includes("keep-alive"))
}

function lengthOf(status: number, headers: ReadonlyMap<string, string>): ResponseHead["body"] {
  if (status < 200 || status === 204 || status === 304) return 0
  const coding = headers.get("transfer-encoding")
  const length = headers.get("content-length")
  if (coding !== undefined) {
    if (length !== undefined) throw badResponse("it states a length beside Transfer-Encoding")
    return tokensOf(coding).at(-1) === "chunked" ? "chunked" : "close"
  }
  if (length === undefined) return "close"
  const stated = new Set(length.split(",").map((part) => part.trim()))
  const [first = ""] = stated
  if (stated.size !== 1 || !/^[0-9]{1,15}$/.test(first)) throw badResponse("its Content-Length is no number")
  return Number(first)
}

/** `timeout=5, max=100` */
function keptMs(keepAlive: string | undefined): number | null {
  const stated = tokensOf(keepAlive ?? "").find((token) => token.startsWith("timeout="))
  const seconds = stated === undefined ? Number.NaN : Number(stated.slice("timeout=".length).trim())
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}
