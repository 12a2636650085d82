import { systemClock } from "../../core/clock.ts"
import type { TokenLogprob } from "../../core/generation.ts"
import { ScoringError } from "../../core/given-text.ts"
import type { ProviderSession } from "../../core/provider.ts"
import { outcomeOfStatus, readErrorBody } from "../capture/classify.ts"
import type { Connections } from "../capture/connections.ts"
import { asList, asMembers, asNumber, asText, parseJson } from "../capture/json-access.ts"
import { bound, type Redact } from "../capture/redact.ts"
import { type Endpoint, requestHeaders } from "./transport.ts"

const limitMs = 300_000
const timeouts = { connectMs: 30_000, firstTokenMs: limitMs, gapMs: limitMs, totalMs: limitMs }

/**
 * Log-probabilities of the tokens of a given text through `/completions` with `echo` and `logprobs`, as vLLM and the
 * older completion servers answer it. The first token has no context and so no probability: it is left out. One token
 * more is generated because servers refuse to generate none; it is cut off.
 */
export function createTextScorer(
  endpoint: Endpoint,
  connections: Connections,
  model: string,
  redact: Redact,
): NonNullable<ProviderSession["scoreText"]> {
  const path = endpoint.path("/completions")
  const headers = requestHeaders(endpoint)
  return async (text, signal, alternatives = 1) => {
    const asked = { max_tokens: 1, temperature: 0, echo: true, logprobs: alternatives }
    const body = JSON.stringify({ model, prompt: text, ...asked })
    const exchange = await connections.capture(
      { method: "POST", path, headers, body },
      { clock: systemClock, timeouts, signal, maxAnswerBytes: 64 * 1024 * 1024 },
    )
    const { interruption, status } = exchange
    if (interruption || status !== 200) {
      const why = interruption?.message ?? `HTTP ${status}: ${readErrorBody(exchange).message}`
      const outcome = interruption?.outcome ?? outcomeOfStatus(status ?? 0)
      throw new ScoringError(bound(redact(why)), { where: path, outcome, httpStatus: status })
    }
    const parsed = parseJson(Buffer.concat(exchange.chunks).toString("utf8"))
    return readEcho("value" in parsed ? parsed.value : null, text, path)
  }
}

function readEcho(value: unknown, text: string, path: string): readonly TokenLogprob[] {
  const choice = asMembers(asList(asMembers(value)?.choices)[0])
  const logprobs = asMembers(choice?.logprobs)
  const tokens = asList(logprobs?.tokens).map(asText)
  const values = asList(logprobs?.token_logprobs)
  const tops = asList(logprobs?.top_logprobs)
  if (tokens.length === 0) {
    const why = "the endpoint gave no log-probabilities of the prompt"
    throw new ScoringError(why, { where: path, outcome: "malformed", httpStatus: 200 })
  }
  const scored: TokenLogprob[] = []
  let length = 0
  for (const [index, token] of tokens.entries()) {
    if (length >= text.length) break
    length += token.length
    const logprob = asNumber(values[index])
    if (logprob !== null) scored.push({ token, logprob, top: readTop(tops[index]) })
  }
  return scored
}

function readTop(value: unknown): TokenLogprob["top"] {
  return Object.entries(asMembers(value) ?? {}).flatMap(([token, item]) => {
    const logprob = asNumber(item)
    return logprob === null ? [] : [{ token, logprob }]
  })
}
