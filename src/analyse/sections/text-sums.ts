import type { Generation, TokenLogprob } from "../../core/generation.ts"
import type { Turns } from "../../core/interruption.ts"
import { surprisalWords } from "../../wording/sections/surprisal.ts"

/** Classes of tokens by how often they stand in the texts, and where a class begins. */
export const frequencyClasses = [
  { title: surprisalWords.rare, from: 0 },
  { title: "seen 3 to 10 times", from: 3 },
  { title: "seen 11 to 100 times", from: 11 },
  { title: "seen over 100 times", from: 101 },
] as const

/** Classes of tokens by their place in the text, and where a class begins, counted from 1. */
export const positionClasses = [
  { title: "tokens 1 to 8", from: 1 },
  { title: "tokens 9 to 32", from: 9 },
  { title: "tokens 33 to 128", from: 33 },
  { title: "tokens 129 to 512", from: 129 },
  { title: surprisalWords.late, from: 513 },
] as const

/** Classes of both kinds, one after the other. */
export const classCount = frequencyClasses.length + positionClasses.length

/** Different tokens that are counted; all others are rare. */
const maxTokens = 300_000

/** Nats and tokens of each given text by class, in rows of {@link classCount}. */
export interface TextSums {
  readonly nats: Float64Array
  readonly tokens: Float64Array
}

/** How often each token stands in the given texts, without the white space around it. */
export async function tokenFrequencies(
  generations: Iterable<Generation>,
  turn: Turns,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const generation of generations) {
    const wait = turn()
    if (wait) await wait
    for (const { token } of scoredTokens(generation)) {
      const word = token.trim()
      const count = counts.get(word)
      if (count !== undefined) counts.set(word, count + 1)
      else if (counts.size < maxTokens) counts.set(word, 1)
    }
  }
  return counts
}

/**
 * The sums of each given text.
 *
 * @param placeOf number of the text that an answer is of, below `texts`; undefined for others
 */
export async function textSums(
  generations: Iterable<Generation>,
  frequencies: ReadonlyMap<string, number>,
  texts: number,
  placeOf: (generation: Generation) => number | undefined,
  turn: Turns,
): Promise<TextSums> {
  const nats = new Float64Array(texts * classCount)
  const tokens = new Float64Array(texts * classCount)
  for (const generation of generations) {
    const wait = turn()
    if (wait) await wait
    const row = placeOf(generation)
    if (row === undefined) continue
    scoredTokens(generation).forEach(({ token, logprob }, i) => {
      const byFrequency = classOf(frequencyClasses, frequencies.get(token.trim()) ?? 0)
      const byPosition = frequencyClasses.length + classOf(positionClasses, i + 1)
      for (const frequency of [byFrequency, byPosition]) {
        nats[row * classCount + frequency]! -= logprob
        tokens[row * classCount + frequency]! += 1
      }
    })
  }
  return { nats, tokens }
}

/** The tokens of a text that was given to be scored; none of an answer. */
export function scoredTokens({ isGivenText, logprobs }: Generation): readonly TokenLogprob[] {
  return isGivenText && logprobs ? logprobs : []
}

function classOf(classes: readonly { readonly from: number }[], value: number): number {
  let index = 0
  classes.forEach(({ from }, i) => {
    if (value >= from) index = i
  })
  return index
}
