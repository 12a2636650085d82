import { unsentLog } from "../core/bare-answer.ts"
import type { Answer } from "../core/generation.ts"
import { redactSecrets } from "../text/secrets.ts"
import type { Interruption } from "./exchange.ts"
import { type ReadEvents, readAnswer } from "./read-answer.ts"

/** A reply that nobody timed, as a file keeps it. */
export interface Reply {
  readonly status: number
  /** Its body: a whole answer, or the text of a stream. */
  readonly body: string | Uint8Array
  /** Default: as OpenAI's chat completions. */
  readonly read?: ReadEvents | undefined
  /** Absent: it came to its end. */
  readonly interruption?: Interruption | undefined
  /** How it came, for the record. */
  readonly transport: string
}

/** The answer of a reply, read as a live one is; it has no stamps. */
export function readReply({ status, body, read, interruption = undefined, transport }: Reply): Answer {
  const exchange = {
    sendMs: 0,
    connectMs: null,
    headersMs: null,
    endMs: 0,
    status,
    headers: new Map<string, string>(),
    chunks: body.length > 0 ? [Buffer.from(body)] : [],
    stampsMs: body.length > 0 ? [0] : [],
    interruption: interruption ?? null,
  }
  const context = { scheduledMs: 0, originMs: 0, promisedJson: false, transport, redact: redactSecrets, wallMs: 0 }
  const answer = readAnswer(exchange, { ...context, ...(read && { read }) })
  return { ...answer, log: unsentLog(0, 0), retryAfterMs: null }
}
