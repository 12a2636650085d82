import type { TokenLogprob } from "../../core/generation.ts"
import { asList, asMembers, asNumber, asText, type Members } from "../../core/json-members.ts"
import type { ProviderSession } from "../../core/provider.ts"
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
  const listed = asList(logprobs?.tokens).map(asText)
  const values = asList(logprobs?.token_logprobs)
  const tops = asList(logprobs?.top_logprobs)
  if (listed.length === 0) fail("the endpoint gave no log-probabilities of the prompt", path)
  const generated = asNumber(asMembers(body.usage)?.completion_tokens)
  const tokens = generated === null ? tokensOf(text, listed) : listed.slice(0, listed.length - generated)
  const texts = spell(tokens, text)
  return tokens.flatMap((_, i) => {
    const logprob = asNumber(values[i])
    if (logprob === null) return []
    const token = texts[i] as string
    const top = readTop(tops[i]).map((other) =>
      other.token === tokens[i] && other.logprob === logprob ? { token, logprob } : other,
    )
    return [{ token, logprob, top }]
  })
}

/** The tokens that make up the text, where the server does not count those that it generated. */
function tokensOf(text: string, tokens: readonly string[]): readonly string[] {
  let length = 0
  const end = tokens.findIndex((token) => {
    const isBehind = length >= text.length
    length += token.length
    return isBehind
  })
  return end < 0 ? tokens : tokens.slice(0, end)
}

/**
 * The texts of tokens, which together are the text: servers write U+FFFD for a part of a character. The token that ends a run
 * of such parts represents its characters, the others have no text.
 */
function spell(tokens: readonly string[], text: string): readonly string[] {
  let at = 0
  return tokens.map((token, i) => {
    if (!isPart(token)) {
      const index = text.indexOf(token, at)
      // A start token is none of the text.
      if (index >= 0) at = index + token.length
      return token
    }
    const next = tokens[i + 1]
    if (next !== undefined && isPart(next)) return ""
    const end = next === undefined ? text.length : text.indexOf(next, at)
    if (end < 0) return token
    const piece = text.slice(at, end)
    at = end
    return piece
  })
}

const isPart = (token: string): boolean => token.includes("\uFFFD")

/** Most likely first: an object of JavaScript lists its digits before everything else. */
function readTop(value: unknown): TokenLogprob["top"] {
  const top = Object.entries(asMembers(value) ?? {}).flatMap(([token, item]) => {
    const logprob = asNumber(item)
    return logprob === null ? [] : [{ token, logprob }]
  })
  return top.sort((a, b) => b.logprob - a.logprob)
}
