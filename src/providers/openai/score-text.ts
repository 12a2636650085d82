import type { TokenLogprob } from "../../core/generation.ts"
import type { ProviderSession } from "../../core/provider.ts"
import { asList, asMembers, asNumber, asText, type Members } from "../capture/json-access.ts"
import { fail, type ScoringRequest } from "./scoring-request.ts"
import type { Endpoint } from "./transport.ts"

/**
 * Log-probabilities of the tokens of a given text through `/completions` with `echo` and `logprobs`, as vLLM and the
 * older completion servers answer it. The first token has no context and so no probability: it is left out. One token
 * more is generated because servers refuse to generate none; it is cut off.
 */
export function createTextScorer(
  endpoint: Endpoint,
  request: ScoringRequest,
  model: string,
): NonNullable<ProviderSession["scoreText"]> {
  const path = endpoint.path("/completions")
  return async (text, signal, alternatives = 1) => {
    const asked = { max_tokens: 1, temperature: 0, echo: true, logprobs: alternatives }
    return readEcho(await request(path, { model, prompt: text, ...asked }, signal), text, path)
  }
}

function readEcho(body: Members, text: string, path: string): readonly TokenLogprob[] {
  const choice = asMembers(asList(body.choices)[0])
  const logprobs = asMembers(choice?.logprobs)
  const tokens = asList(logprobs?.tokens).map(asText)
  const values = asList(logprobs?.token_logprobs)
  const tops = asList(logprobs?.top_logprobs)
  if (tokens.length === 0) fail("the endpoint gave no log-probabilities of the prompt", path)
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
