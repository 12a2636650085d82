import { outcomeOfFault, outcomeOfStatus } from "../../capture/classify.ts"
import { readAskedWait, readRetryAfter } from "../../capture/retry-after.ts"
import { type ErrorInStream, errorInStream, readError } from "../../capture/stream/error-in-stream.ts"
import { messageOf } from "../../core/errors.ts"
import type { Answer } from "../../core/generation.ts"
import { asMembers, asNumber, asText, jsonValue } from "../../core/json-members.ts"

/** Codes of Node and undici for a connection that did not stand or broke. */
const connectionCode =
  /^(E(CONN|PIPE|AI_|HOST|NET|NOTFOUND|PROTO)|ENOTFOUND|UND_ERR|ERR_(SSL|TLS)|CERT_|SELF_SIGNED|DEPTH_ZERO)/

/**
 * What a client library threw, in the class that evalkit's own client would give it: by the HTTP status that the error carries
 * (`statusCode` of the AI SDK, `status` of OpenAI's and LangChain's clients), by what the service said inside its stream, by the code
 * of a broken connection, by the name of what could not be read. What is none of these is an error of the application: it is final.
 *
 * @param hasBegun whether a part of the answer had come: then a broken connection has cut the answer off
 */
export function readClientError(error: unknown, hasBegun: boolean): Pick<Answer, "outcome"> & Partial<Answer> {
  const chain = causesOf(error)
  const failure = { message: [...new Set(chain.map(messageOf))].join(": ") || "an error without a message" }
  const status = first(chain, ({ statusCode, status: plain }) => httpStatus(statusCode) ?? httpStatus(plain))
  if (status !== null) {
    const retryAfterMs =
      first(chain, ({ responseHeaders, headers }) => retryAfter(responseHeaders) ?? retryAfter(headers)) ??
      first(chain, ({ responseBody, error: ofBody }) => waitIn(responseBody) ?? waitIn(ofBody)) ??
      readAskedWait(failure.message)
    return { outcome: outcomeOfStatus(status), httpStatus: status, failure, retryAfterMs }
  }
  const said = first(chain, saidByService)
  if (said !== null) {
    const { kind, message, code, retryAfterMs = null } = said
    return { outcome: outcomeOfFault[kind], failure: { message, ...(code && { code }) }, retryAfterMs }
  }
  const names = chain.flatMap((cause) => {
    const { name, code } = asMembers(cause) ?? {}
    return [name, code].filter((text) => typeof text === "string")
  })
  if (
    names.some((name) => connectionCode.test(name)) ||
    chain.some((cause) => /fetch failed|Connection error|terminated/.test(messageOf(cause)))
  )
    return { outcome: hasBegun ? "truncated" : "connection", failure }
  if (names.some((name) => /JSONParse|TypeValidation|InvalidResponseData|SyntaxError|OutputParser/i.test(name)))
    return { outcome: "malformed", failure }
  return { outcome: hasBegun ? "stream_error" : "application_error", failure }
}

/** What a body asks to wait: as the AI SDK keeps it, a text, or as OpenAI's client does, its `error`. */
function waitIn(body: unknown): number | null {
  const value = typeof body === "string" ? jsonValue(body, null) : body
  return asMembers(value) && !(value instanceof Error) ? (readError(value).retryAfterMs ?? null) : null
}

/** An error and what it was caused by, at most five deep. */
function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = []
  for (
    let cause = error;
    cause !== undefined && cause !== null && chain.length < 5;
    cause = asMembers(cause)?.cause ?? asMembers(cause)?.lastError
  )
    chain.push(cause)
  return chain
}

/**
 * What the service itself said went wrong inside its stream: what is thrown as it came (the AI SDK), what an error holds of it (OpenAI's client),
 * and an event that a library could not read, which is one of the forms of errors.
 */
function saidByService(members: Readonly<Record<string, unknown>>): ErrorInStream | null {
  if (!(members instanceof Error)) return asText(members.message) ? readError(members) : null
  if (members.error && !(members.error instanceof Error)) return readError(members.error)
  const unread = asMembers(members.value)
  return unread && errorInStream(unread, "", false)
}

function first<Found>(
  chain: readonly unknown[],
  find: (members: Readonly<Record<string, unknown>>) => Found | null,
): Found | null {
  for (const cause of chain) {
    const members = asMembers(cause)
    const result = members && find(members)
    if (result !== null) return result
  }
  return null
}

function httpStatus(value: unknown): number | null {
  const status = asNumber(value)
  return status !== null && Number.isInteger(status) && status >= 400 && status <= 599 ? status : null
}

function retryAfter(headers: unknown): number | null {
  if (headers instanceof Headers) return readRetryAfter(new Map(headers), Date.now())
  const members = asMembers(headers)
  if (!members) return null
  const texts = Object.entries(members).flatMap(([name, value]) =>
    typeof value === "string" ? [[name.toLowerCase(), value] as const] : [],
  )
  return readRetryAfter(new Map(texts), Date.now())
}
