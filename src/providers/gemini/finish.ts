import type { ChatContent } from "../../capture/read-chunks.ts"

/** The answer, or the prompt, was withheld. */
const blocked: ReadonlySet<string> = new Set([
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
])

/** The model wrote what cannot be read as a call of a tool. */
const unreadable: ReadonlySet<string> = new Set([
  "MALFORMED_FUNCTION_CALL",
  "MALFORMED_RESPONSE",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "MISSING_THOUGHT_SIGNATURE",
])

/** How an answer ended, in the words that answers are classed by. */
export interface Finish {
  readonly finishReason: string
  readonly fault: ChatContent["fault"]
}

/**
 * Reads a candidate's `finishReason`; a reason that is none of the known ones counts as an error that names it, for only `STOP`
 * promises that the answer is whole.
 *
 * Source: `FinishReason` of googleapis/js-genai.
 */
export function readFinish(reason: string, message: string): Finish {
  if (reason === "STOP") return { finishReason: reason, fault: null }
  if (reason === "MAX_TOKENS") return { finishReason: "length", fault: null }
  if (blocked.has(reason)) return { finishReason: "content_filter", fault: null }
  const kind = unreadable.has(reason) ? "malformed" : "error"
  const words = `the answer ended with ${reason}${message && `: ${message}`}`
  return { finishReason: reason, fault: { kind, message: words, code: reason } }
}
