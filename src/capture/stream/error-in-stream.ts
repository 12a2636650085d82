import { asList, asMembers, asNumber, asText, type Members } from "../../core/json-members.ts"

/** What a service said went wrong, where it should have answered. */
export interface ErrorInStream {
  /** `rate_limited`: a wait, whatever the status of the reply was. */
  readonly kind: "error" | "rate_limited"
  readonly message: string
  readonly code?: string
}

/**
 * The error that an event of a stream, or a whole body, is or holds; null where it holds none. In any of the forms that are in the wild: `error`
 * with an object or a text, beside the text of the answer, too, in a choice (OpenRouter), in `x_groq`, in `response` (the Responses API); `errors`
 * (Cloudflare); `object: "error"` (vLLM, SGLang); `type: "error"` (Anthropic); an event of the name `error`; `base_resp` (MiniMax); and, where the
 * event has nothing of an answer, `message` with a `code`, `detail` (FastAPI), `error_msg` (Baidu).
 *
 * @param isAnswer whether the event has what an answer of the interface has: then a `message` with a `code` is the service's own business
 */
export function errorInStream(members: Members, name: string, isAnswer: boolean): ErrorInStream | null {
  const error = statedError(members)
  if (error !== null) return readError(error)
  if (members.object === "error" || members.type === "error" || name === "error") return readError(members)
  const response = members.base_resp === undefined ? null : asMembers(members.base_resp)
  if (response && (asNumber(response.status_code) ?? 0) !== 0)
    return readError({ message: response.status_msg, code: response.status_code })
  return isAnswer ? null : flatError(members)
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

function flatError(members: Members): ErrorInStream | null {
  const message = asText(members.message) || asText(members.error_msg) || asText(members.error_message)
  const code = codeOf(members) ?? asText(members.error_type)
  if (message !== "" && code) return readError({ message, code })
  const [first] = asList(members.errors)
  if (first) return readError(first)
  const { detail } = members
  if (!detail || Object.keys(members).length > 1) return null
  return readError(typeof detail === "string" ? detail : JSON.stringify(detail))
}

/** The code of an error: of those that only repeat the HTTP status, the word beside it (Google's `RESOURCE_EXHAUSTED`). */
function codeOf(members: Members | null): string | null {
  const code = asText(members?.code) || asText(members?.type) || asText(members?.status)
  const number = asNumber(members?.code) ?? asNumber(members?.error_code) ?? asNumber(members?.status)
  return code || (number === null ? null : String(number))
}

/** An error object, or only a text. */
export function readError(error: unknown): ErrorInStream {
  const members = asMembers(error)
  const nested = asMembers(members?.error)
  if (nested) return readError(nested)
  const message = asText(members?.message) || asText(members?.detail) || asText(error) || JSON.stringify(error)
  const code = codeOf(members)
  return {
    kind: isWait(members) ? "rate_limited" : "error",
    message: message.slice(0, maxMessageLength),
    ...(code !== null && { code }),
  }
}

/** A message is cut to its length once it is redacted. */
const maxMessageLength = 1024 * 1024

const waits = /rate.?limit|too.?many.?requests|throttl|resource.?exhausted|quota.?exceeded|insufficient.?quota/i

/** Whether it says "too much at once": by its number 429, or by the word of its code. */
function isWait(members: Members | null): boolean {
  const stated = [members?.code, members?.error_code, members?.status, members?.status_code, members?.type]
  return stated.some((code) => code === 429 || code === "429" || (typeof code === "string" && waits.test(code)))
}
