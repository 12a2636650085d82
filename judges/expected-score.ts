import type { TokenLogprob } from "../src/core/generation.ts"

/** A label with its score. */
export interface ScoredLabel {
  readonly label: string
  readonly score: number
}

/** Smallest share of the probability that must be on the labels. */
const leastMass = 0.5

/**
 * Expected score over the probabilities of the score token, as G-Eval takes it (Liu et al. 2023): Σ score · P(label),
 * renormalised over the labels among the token's alternatives. Finer than the label itself, and with fewer ties.
 *
 * @param chosen the label that the reply named; its token is looked for from the end of the reply
 * @returns null when the token cannot be found, when labels have the same first token, or when less than
 * half of the probability is on labels
 */
export function expectedScore(
  tokens: readonly TokenLogprob[],
  chosen: string,
  labels: readonly ScoredLabel[],
): number | null {
  const token = scoreToken(tokens, chosen)
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
  return mass >= leastMass ? sum / mass : null
}

/** The token in which the last mention of the label begins. */
function scoreToken(tokens: readonly TokenLogprob[], chosen: string): TokenLogprob | undefined {
  const text = tokens.map(({ token }) => token).join("")
  const at = text.toLowerCase().lastIndexOf(chosen.toLowerCase())
  if (at === -1) return undefined
  let end = 0
  const token = tokens.find((candidate) => {
    end += candidate.token.length
    return end > at
  })
  return token && chosen.toLowerCase().startsWith(bare(token.token)) && bare(token.token) !== "" ? token : undefined
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
