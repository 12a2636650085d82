import { asList, asMembers, asNumber, asText, type Members } from "../../core/json-members.ts"
import { classifyFinish } from "../../core/run/finish-reason.ts"
import { readBodyWait } from "../retry-after.ts"

/** What a service said went wrong, where it should have answered. */
export interface ErrorInStream {
  /** `rate_limited`: a wait, whatever the status of the reply was; `refused`: by a content filter. */
  readonly kind: "error" | "rate_limited" | "refused"
  readonly message: string
  readonly code?: string
  /** How long it asks to wait, in milliseconds; absent: it does not say. */
  readonly retryAfterMs?: number
}

/**
 * The error that an event of a stream, or a whole body, is or holds; null where it holds none. In any of the forms that are in the wild: `error`
 * with an object or a text, beside the text of the answer, too, in a choice (OpenRouter), in `x_groq`, in `response` (the Responses API); `errors`
 * (Cloudflare); `object: "error"` (vLLM, SGLang); `type: "error"` (Anthropic); an event of the name `error`; `base_resp` (MiniMax); and, where the
 * event has nothing of an answer, what {@link unnamedError} knows.
 *
 * @param isAnswer whether the event has what an answer of the interface has: then a `message` with a `code` is the service's own business
 */
export function errorInStream(members: Members, name: string, isAnswer: boolean): ErrorInStream | null {
  const error = statedError(members)
  if (error !== null) return readError(error, members)
  if (members.object === "error" || members.type === "error" || name === "error") return readError(members)
  const response = members.base_resp === undefined ? null : asMembers(members.base_resp)
  if (response && (asNumber(response.status_code) ?? 0) !== 0)
    return readError({ message: response.status_msg, code: response.status_code })
  return isAnswer ? null : unnamedError(members)
}

/** What is named an error. `error: null`, `false`, `""` and `0` are the absence of one. */
function statedError({ error, x_groq, response, choices }: Members): unknown {
  if (error) return error
  if (Array.isArray(choices))
    for (const choice of choices) {
      const inChoice = asMembers(choice)?.error
      if (inChoice) return inChoice
    }
  return (x_groq && asMembers(x_groq)?.error) || (response && asMembers(response)?.error) || null
}

/** Under which an error stands, by AWS (`throttlingException`), Apigee (`fault`), FastAPI (`detail`) and others. */
const wrapper = /^(?:err|detail|.*(?:error|exception|fault))$/i

/** Words of a status, a type or a message that something failed. */
const failureText =
  /^err$|error|exception|fail(?:ed|ure)|exceeded|unavailable|overloaded|throttl|denied|forbidden|unauthori[sz]ed|time(?:d[ _-])?out|aborted|too[ _]many[ _]requests|rate[ _]limit|not_found/i

const successText = /^(?:ok|success|succeeded|successful|done|completed?)\W*$/i

/**
 * The error that an event is without being named one: `errors`, a wrapper, `success: false`, a message with a code of failure, or alone
 * with words of one. Services tell of their progress in the same members: a code of success and a message without a code are none.
 */
function unnamedError(members: Members): ErrorInStream | null {
  const [first] = asList(members.errors)
  if (first) return readError(first)
  const names = Object.keys(members)
  const wrapped = names.find((name) => wrapper.test(name) && (asMembers(members[name]) || asText(members[name])))
  if (wrapped && (wrapped !== "detail" || names.length === 1 || asMembers(members.detail))) {
    // The name of an exception is its code; `error`, `exception` and `fault` are none.
    const code = wrapped.length > 9 ? wrapped : undefined
    return { ...(code && { code }), ...readError(members[wrapped], { ...(code && { type: code }), ...members }) }
  }
  if (names.length === 1 && Array.isArray(members.detail)) return readError(JSON.stringify(members.detail))
  const message = memberOf(members, messageNames)
  if (message === null || successText.test(message)) return null
  const isNamed = names.some((name) => /^error/.test(plainName(name)) && asText(members[name]) === message)
  const hasFailed = isNamed || members.success === false || members.ok === false || isFailure(members)
  return hasFailed || (names.length === 1 && failureText.test(message)) ? readError(members) : null
}

function isFailure(members: Members): boolean {
  const status = numberOf(members, ["statuscode", "status"])
  if (status !== null && status >= 300 && status < 600) return true
  const number = numberOf(members, ["code", "errorcode"])
  if (number !== null) return number !== 0 && (number < 100 || number >= 300)
  const code = memberOf(members, ["code", "errorcode", "errortype"])
  if (code !== null) return !successText.test(code)
  return failureText.test(memberOf(members, ["status", "type"]) ?? "")
}

/** Names of members without their underscores, small: the first that is there counts. */
const messageNames = [
  "message",
  "detail",
  "msg",
  "errormsg",
  "errormessage",
  "errordescription",
  "faultstring",
  "reason",
]
const wordNames = ["code", "errorcode", "type", "errortype", "status"]
const numberNames = ["code", "errorcode", "statuscode", "status"]
const codeNames: ReadonlySet<string> = new Set([...wordNames, ...numberNames])

function plainName(name: string): string {
  return name.replaceAll("_", "").toLowerCase()
}

/** The first text under one of some names; null: there is none. */
function memberOf(members: Members | null, names: readonly string[]): string | null {
  const texts = Object.entries(members ?? {}).filter(([, value]) => typeof value === "string" && value !== "")
  for (const field of names) for (const [name, value] of texts) if (plainName(name) === field) return value as string
  return null
}

function numberOf(members: Members | null, names = numberNames): number | null {
  for (const field of names)
    for (const [name, value] of Object.entries(members ?? {})) {
      const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : asNumber(value)
      if (plainName(name) === field && number !== null) return number
    }
  return null
}

/** The code of an error: of those that only repeat the HTTP status, the word beside it (Google's `RESOURCE_EXHAUSTED`). */
function codeOf(members: Members | null): string | null {
  const number = numberOf(members)
  return memberOf(members, wordNames) ?? (number === null ? null : String(number))
}

/**
 * An error object, or only a text.
 *
 * @param beside what stands beside it: of an error that is a word or a flag, the message and the code
 */
export function readError(error: unknown, beside: Members | null = null): ErrorInStream {
  const members = asMembers(error)
  if (members?.error) return readError(members.error, members)
  const word = asText(error)
  const stated =
    memberOf(members, messageNames) ?? (/\s/.test(word) ? word : memberOf(members ? null : beside, messageNames))
  const message = stated ?? (word || JSON.stringify(error))
  const code = codeOf(members) ?? (members ? null : (codeOf(beside) ?? (word === message ? null : word || null)))
  const retryAfterMs = readBodyWait([members, beside], message)
  return {
    kind: kindOf([members, beside], code, message),
    message: message.slice(0, maxMessageLength),
    ...(code !== null && { code }),
    ...(retryAfterMs !== null && { retryAfterMs }),
  }
}

/** A message is cut to its length once it is redacted. */
const maxMessageLength = 1024 * 1024

const waits = /rate.?limit|too.?many.?requests|throttl/i
const waitCodes = /resource.?exhausted|quota.?exceeded|insufficient.?quota/i

/** Whether it says "too much at once": by the number 429, by the word of its code, or in its message. */
function kindOf(sources: readonly (Members | null)[], code: string | null, message: string): ErrorInStream["kind"] {
  const stated = sources.flatMap((members) =>
    Object.entries(members ?? {}).flatMap(([name, value]) => (codeNames.has(plainName(name)) ? [String(value)] : [])),
  )
  if ([code ?? "", ...stated].some((word) => word === "429" || waits.test(word) || waitCodes.test(word)))
    return "rate_limited"
  if (code !== null && classifyFinish(code) === "refused") return "refused"
  return waits.test(message.slice(0, 300)) ? "rate_limited" : "error"
}
