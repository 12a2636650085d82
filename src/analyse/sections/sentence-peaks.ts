import type { TokenLogprob } from "../../core/generation.ts"

/** A sentence of a given text that surprised the model. */
export interface SentencePeak {
  /** Where it begins and how long it is, in UTF-16 units of the text. */
  readonly start: number
  readonly length: number
  /** Mean nats a token, of the sentence and of the whole text. */
  readonly nats: number
  readonly textNats: number
  /** The token with the most nats. */
  readonly token: string
  readonly tokenNats: number
}

/** A sentence is a peak from so many times the text's own mean on. */
const peakFactor = 1.5
const maxPeaks = 3
/** Tokens of a sentence that say something. */
const minTokens = 3

/**
 * The sentences of a given text that are at least half again as surprising, by the token, as the text as a whole: three at most, in the
 * order of the text. Sentences end where a token ends with a full stop, a question or exclamation mark, or holds a new line. Empty where
 * the tokens are not the text's own pieces, or it has one sentence.
 *
 * @param logprobs natural-log probabilities of the text's tokens; earlier text that was not scored may be missing
 */
export function sentencePeaks(text: string, logprobs: readonly TokenLogprob[]): readonly SentencePeak[] {
  const joined = logprobs.reduce((length, { token }) => length + token.length, 0)
  let at = text.length - joined
  if (at < 0 || logprobs.length === 0) return []
  const sentences: { start: number; end: number; sum: number; tokens: number; peak: TokenLogprob }[] = []
  let open: (typeof sentences)[number] | null = null
  let sum = 0
  for (const tokenLogprob of logprobs) {
    const { token, logprob } = tokenLogprob
    if (!text.startsWith(token, at)) return []
    open ??= { start: at, end: at, sum: 0, tokens: 0, peak: tokenLogprob }
    at += token.length
    open.end = at
    open.sum -= logprob
    open.tokens++
    sum -= logprob
    if (logprob < open.peak.logprob) open.peak = tokenLogprob
    if (/[.!?\u3002\uff01\uff1f]["'\u201d\u2019)\]]*\s*$|\n/u.test(token)) {
      sentences.push(open)
      open = null
    }
  }
  if (open) sentences.push(open)
  if (sentences.length < 2) return []
  const textNats = sum / logprobs.length
  return sentences
    .filter(({ sum: own, tokens }) => tokens >= minTokens && own / tokens >= peakFactor * textNats && own > 0)
    .sort((a, b) => b.sum / b.tokens - a.sum / a.tokens)
    .slice(0, maxPeaks)
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, sum: own, tokens, peak }) => {
      const lead = (/^\s*/u.exec(text.slice(start, end))?.[0] ?? "").length
      return {
        start: start + lead,
        length: text.slice(start + lead, end).trimEnd().length,
        nats: own / tokens,
        textNats,
        token: peak.token.trim(),
        tokenNats: -peak.logprob,
      }
    })
    .filter(({ length }) => length > 0)
}
