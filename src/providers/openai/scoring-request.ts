import { outcomeOfStatus, readErrorBody } from "../../capture/classify.ts"
import type { Connections } from "../../capture/connections.ts"
import { systemClock } from "../../core/clock.ts"
import { ScoringError } from "../../core/given-text.ts"
import { asMembers, type Members, parseJson } from "../../core/json-members.ts"
import { bound } from "../../text/redact.ts"
import { redactSecrets } from "../../text/secrets.ts"
import { type Endpoint, requestHeaders } from "./transport.ts"

const limitMs = 300_000
const timeouts = { connectMs: 30_000, firstTokenMs: limitMs, gapMs: limitMs, totalMs: limitMs }

/** Posts JSON to a path of the endpoint and gives the object that it answers. */
export type ScoringRequest = (path: string, body: object, signal: AbortSignal) => Promise<Members>

/** Requests about given texts. They throw {@link ScoringError} for everything but an object of JSON with status 200. */
export function createScoringRequest(endpoint: Endpoint, connections: Connections): ScoringRequest {
  const headers = requestHeaders(endpoint)
  return async (path, body, signal) => {
    const exchange = await connections.capture(
      { method: "POST", path, headers, body: JSON.stringify(body) },
      { clock: systemClock, timeouts, signal, maxAnswerBytes: 64 * 1024 * 1024 },
    )
    const { interruption, status } = exchange
    if (interruption || status !== 200) {
      const why = interruption?.message ?? `HTTP ${status}: ${readErrorBody(exchange).message}`
      const outcome = interruption?.outcome ?? outcomeOfStatus(status ?? 0)
      throw new ScoringError(bound(redactSecrets(why)), { where: path, outcome, httpStatus: status })
    }
    const parsed = parseJson(Buffer.concat(exchange.chunks).toString("utf8"))
    return asMembers("value" in parsed ? parsed.value : null) ?? fail("the answer is no JSON object", path)
  }
}

/** The endpoint answered, but not what was asked for. */
export function fail(why: string, path: string): never {
  throw new ScoringError(why, { where: path, outcome: "malformed", httpStatus: 200 })
}
