import type { TokenLogprob } from "../core/generation.ts"
import { hidden, type Redact, type Span } from "./redact.ts"

/**
 * Takes secrets out of the tokens of an answer, also one that is spread over several tokens: every token that holds a piece of
 * it, with the alternatives to that token, gets the text `•••`. Probabilities stay; tokens without a secret stay as they came.
 */
export function redactLogprobs(tokens: readonly TokenLogprob[], redact: Redact): readonly TokenLogprob[] {
  const touched = touchedTokens(tokens, redact)
  const isClean = (text: string) => redact(text) === text
  const clean = tokens.map((token, i) => {
    if (touched.has(i)) return { ...token, token: hidden, top: token.top.map((other) => ({ ...other, token: hidden })) }
    if (token.top.every((other) => isClean(other.token))) return token
    return { ...token, top: token.top.map((other) => ({ ...other, token: redact(other.token) })) }
  })
  return clean.every((token, i) => token === tokens[i]) ? tokens : clean
}

/** Places of the tokens that a secret reaches into. */
function touchedTokens(tokens: readonly TokenLogprob[], redact: Redact): ReadonlySet<number> {
  const touched = new Set<number>()
  const spans = redact.spans(tokens.map(({ token }) => token).join(""))
  if (spans.length === 0) return touched
  let position = 0
  let next = 0
  tokens.forEach(({ token }, i) => {
    const end = position + token.length
    while (next < spans.length && (spans[next] as Span).end <= position) next++
    const span = spans[next]
    if (span && span.start < end && span.end > position) touched.add(i)
    position = end
  })
  return touched
}
