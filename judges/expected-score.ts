import type { TokenLogprob } from "../src/core/generation.ts"

/** A label with its score. */
export interface ScoredLabel {
  readonly label: string
  readonly score: number
}

/** Smallest share of the probability that must be on the labels. */
const minMass = 0.5

/**
 * Expected score over the probabilities of the score token, as G-Eval takes it (Liu et al. 2023): Σ score · P(label),
 * renormalised over the labels among the token's alternatives. Finer than the label itself, and with fewer ties.
 *
 * @param chosen the label that the reply named
 * @param tail the reply from the verdict's own value on: the label's token is the one that as many mentions follow as there. Default: the
 * label alone, so that its last mention counts
 * @returns null when the token cannot be found, when labels have the same first token, or when less than
 * half of the probability is on labels
 */
export function expectedScore(
  tokens: readonly TokenLogprob[],
  chosen: string,
  labels: readonly ScoredLabel[],
  tail: string = chosen,
): number | null {
  const token = scoreToken(tokens, chosen.toLowerCase(), tail.toLowerCase().split(chosen.toLowerCase()).length - 1)
  if (!token) return null
  const alternatives = token.top.length > 0 ? token.top : [token]
  const whole = new Set(alternatives.map((alternative) => bare(alternative.token)))
  let mass = 0
  let sum = 0
  for (const { token: text, logprob } of alternatives) {
    const label = labelOf(bare(text), labels, whole)
    if (!label) continue
    const probability = Math.exp(logprob)
    mass += probability
    sum += probability * label.score
  }
  return mass >= minMass ? sum / mass : null
}

/** The token in which a mention of the label begins, counted from the end: 1 is the last. */
function scoreToken(tokens: readonly TokenLogprob[], chosen: string, mention: number): TokenLogprob | undefined {
  const text = tokens
    .map(({ token }) => token)
    .join("")
    .toLowerCase()
  let at = mention === 0 ? -1 : text.length
  for (let i = 0; i < mention && at > -1; i++) at = at === 0 ? -1 : text.lastIndexOf(chosen, at - 1)
  if (at === -1) return undefined
  let end = 0
  const token = tokens.find((candidate) => {
    end += candidate.token.length
    return end > at
  })
  return token && chosen.startsWith(bare(token.token)) && bare(token.token) !== "" ? token : undefined
}

/**
 * The one label that a token can be the beginning of. "1" may begin "10" as well: it counts as "1" only when the tokenizer
 * is seen to have "10" in one token.
 */
function labelOf(token: string, labels: readonly ScoredLabel[], whole: ReadonlySet<string>): ScoredLabel | undefined {
  if (token === "") return undefined
  const begun = labels.filter(({ label }) => label.toLowerCase().startsWith(token))
  const exact = begun.find(({ label }) => label.toLowerCase() === token)
  const longer = begun.filter((label) => label !== exact)
  if (exact) return longer.every(({ label }) => whole.has(label.toLowerCase())) ? exact : undefined
  return begun.length === 1 ? begun[0] : undefined
}

function bare(token: string): string {
  return token.replace(/^[\s"'▁Ġ]{1,100}|["'\s]{1,100}$/g, "").toLowerCase()
}
