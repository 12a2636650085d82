import type { JsonObject, JsonValue } from "../../core/json.ts"
import { figureOf, listOf, member, textOf } from "../fields.ts"
import { millisecondsOf } from "../rows/call.ts"
import { bodyBytes } from "./body.ts"

/** A request and its response as an access log keeps them. */
export interface LoggedExchange {
  /** "" where the log does not say. */
  readonly method: string
  /** Without host and query. */
  readonly path: string
  /** Of an address; null: the log names none. */
  readonly host: string | null
  /** 0: there was no response. */
  readonly status: number
  /** Milliseconds since 1970. */
  readonly startMs: number | undefined
  /** From the first byte of the request to the last of the response, in milliseconds. */
  readonly e2eMs: number | undefined
  /** null: the log has none. */
  readonly request: Buffer | null
  readonly response: Buffer | null
}

/** Where a format has what, by paths of members: the first that is there counts. */
interface AccessFormat {
  /** A member that its rows have, and those of the formats behind it have not. */
  readonly by: string
  readonly method: readonly string[]
  readonly target: readonly string[]
  readonly status: readonly string[]
  /** When the request began, or the response ended. */
  readonly start?: readonly string[]
  readonly end?: readonly string[]
  readonly duration: readonly string[]
  /** Milliseconds in a unit of the duration. */
  readonly unitMs: number
  readonly request?: readonly string[]
  readonly response?: readonly string[]
  /** Of the response, where it is not unpacked. */
  readonly encoding?: readonly string[]
}

/** What bodies are called where the person who sets up the log chooses; `_base64` behind it: so coded. */
const [requestNames, responseNames] = [["request_body"], ["response_body", "resp_body"]] as const

const har: AccessFormat = {
  by: "startedDateTime",
  method: ["request.method"],
  target: ["request.url"],
  status: ["response.status"],
  start: ["startedDateTime"],
  duration: ["time"],
  unitMs: 1,
  request: ["request.postData.text"],
  response: ["response.content.text"],
}

const kong: AccessFormat = {
  by: "latencies",
  method: ["request.method"],
  target: ["request.uri", "request.url"],
  status: ["response.status"],
  start: ["started_at"],
  duration: ["latencies.request"],
  unitMs: 1,
  request: ["ai.proxy.payload.request", "request.body", ...requestNames],
  response: ["ai.proxy.payload.response", "response.body", ...responseNames],
}

const caddy: AccessFormat = {
  by: "request.uri",
  method: ["request.method"],
  target: ["request.uri"],
  status: ["status"],
  end: ["ts"],
  duration: ["duration"],
  unitMs: 1000,
  encoding: ["resp_headers.Content-Encoding"],
}

const traefik: AccessFormat = {
  by: "DownstreamStatus",
  method: ["RequestMethod"],
  target: ["RequestPath"],
  status: ["DownstreamStatus"],
  start: ["StartUTC"],
  duration: ["Duration"],
  unitMs: 1e-6,
}

const envoy: AccessFormat = {
  by: "response_code",
  method: ["method"],
  target: ["path"],
  status: ["response_code"],
  start: ["start_time"],
  duration: ["duration"],
  unitMs: 1,
}

/** By the names of its variables, which a format of one's own uses for its members, too. */
const nginx: AccessFormat = {
  by: "status",
  method: ["request_method", "method"],
  target: ["request_uri", "uri", "path", "url"],
  status: ["status"],
  end: ["msec", "time_iso8601", "time_local", "@timestamp", "timestamp", "time"],
  duration: ["request_time"],
  unitMs: 1000,
  encoding: ["sent_http_content_encoding"],
}

const formats = [har, kong, caddy, traefik, envoy, nginx] as const

const methods: ReadonlySet<string> = new Set("GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT TRACE".split(" "))

/**
 * The exchange of a row; null for what is none. No header is read but how the response's body is packed, and of an address its path and host.
 * Facts: HAR 1.2 (ahmadnassri/har-spec); Kong, "HTTP Log" and "AI Gateway audit log reference"; Caddy, "log" and "log_append"; Traefik,
 * "Access Logs"; Envoy, "Access logging", with the names of Istio's default JSON; nginx, "Alphabetical index of variables".
 */
export function exchangeOf(row: JsonObject): LoggedExchange | null {
  const format = formats.find(({ by }) => valueAt(row, [by]) !== undefined)
  if (!format) return null
  const status = figureOf(valueAt(row, format.status))
  // nginx's `$request`: method, address and version in one.
  const [lineMethod = "", lineTarget = ""] = (textOf(row.request) ?? "").split(" ")
  const method = textOf(valueAt(row, format.method)) ?? lineMethod
  const target = textOf(valueAt(row, format.target)) ?? lineTarget
  const { request = requestNames, response = responseNames, encoding = [] } = format
  const asked = bodyAt(row, request, undefined)
  if (status === undefined || !Number.isInteger(status) || status < 0 || status > 599) return null
  if (!methods.has(method) && (method !== "" || asked === null)) return null
  const duration = figureOf(valueAt(row, format.duration))
  const e2eMs = duration !== undefined && duration > 0 ? duration * format.unitMs : undefined
  const endMs = format.end && momentOf(valueAt(row, format.end))
  const packed = valueAt(row, encoding)
  return {
    method,
    ...addressOf(target),
    status,
    e2eMs,
    request: asked,
    startMs: format.start ? momentOf(valueAt(row, format.start)) : endMs && endMs - (e2eMs ?? 0),
    response: bodyAt(row, response, textOf(listOf(packed)[0] ?? packed)),
  }
}

function valueAt(row: JsonObject, paths: readonly string[]): JsonValue | undefined {
  for (const path of paths) {
    const value = member(row, ...path.split("."))
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

function bodyAt(row: JsonObject, paths: readonly string[], packed: string | undefined): Buffer | null {
  for (const path of paths) {
    const plain = valueAt(row, [path])
    const holder = path.slice(0, path.lastIndexOf("."))
    const isCoded = plain === undefined || valueAt(row, [`${holder}.encoding`]) === "base64"
    const bytes = bodyBytes(plain ?? valueAt(row, [`${path}_base64`]), isCoded, packed)
    if (bytes) return bytes
  }
  return null
}

function addressOf(target: string): Pick<LoggedExchange, "path" | "host"> {
  const [address = ""] = target.split(/[?#]/, 1)
  const [, host = null, path = "/"] = /^https?:\/\/([^/]*)(\/.*)?$/i.exec(address) ?? []
  return { host: host?.replace(/^[^@]*@|:\d+$/g, "") ?? null, path: host === null ? address : path }
}

/** A moment in any of the forms of the formats; nginx's `$time_local` has a colon before its hours. */
function momentOf(value: JsonValue | undefined): number | undefined {
  const local = typeof value === "string" ? value.replace(/^(\d+\/[A-Za-z]+\/\d+):/, "$1 ") : value
  return millisecondsOf(local)
}
