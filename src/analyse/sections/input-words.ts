import { inputText, type Sample } from "../../core/sample.ts"
import { byText } from "../../stats/order.ts"
import { adjustP } from "../../stats/tests/multiple-tests.ts"
import { overRepresentation } from "../../stats/tests/over-representation.ts"

/** Words of the input that are more frequent in the samples that got worse. */
export interface WordCluster {
  /** The word that tells most, and those that stand in the same samples. */
  readonly words: readonly string[]
  /** Samples that got worse and have the first word, and all samples that have it. */
  readonly worse: number
  readonly samples: number
  readonly p: number
  readonly pAdjusted: number
  /** Positions of the first samples that got worse. */
  readonly positions: readonly number[]
}

/** Which words stand in which samples; see {@link createInputWords}. */
export interface InputWords {
  add(position: number, sample: Sample): void
  /**
   * Words that are over-represented in the samples that got worse, the clearest first, with the false discovery rate at `alpha`.
   *
   * @param outcome by position: true where it got worse, false where it did not, undefined where it was not compared
   */
  clusters(outcome: (position: number) => boolean | undefined, alpha: number): readonly WordCluster[]
}

/** Samples that are looked at, about, evenly over the data set. */
const mostSamples = 10_000
/** Bounds of one sample: characters and different words that are read. */
const mostCharacters = 4_000
const maxWordsOfSample = 300
/** Different words that are kept. */
const maxWords = 100_000
/** A word in fewer samples shows nothing. */
const fewestSamples = 5
/** Words of one cluster that are named. */
const mostNamed = 4

/**
 * Keeps which words the inputs have, as numbers. What is compared is whether a word occurs, in lower case, whatever its script; texts
 * without spaces between words are cut where their letters end.
 *
 * @param samples of the data set
 */
export function createInputWords(samples: number): InputWords {
  const every = Math.max(1, Math.ceil(samples / mostSamples))
  const numbers = new Map<string, number>()
  const kept: { readonly position: number; readonly words: Int32Array }[] = []
  return {
    add(position, sample) {
      if (position % every !== 0) return
      const own = new Set<number>()
      for (const [word] of inputText(sample)
        .slice(0, mostCharacters)
        .toLowerCase()
        .matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
        if (own.size === maxWordsOfSample) break
        let number = numbers.get(word)
        if (number === undefined) {
          if (numbers.size === maxWords || word.length > 40) continue
          number = numbers.size
          numbers.set(word, number)
        }
        own.add(number)
      }
      kept.push({ position, words: Int32Array.from(own) })
    },
    clusters(outcome, alpha) {
      const all = new Int32Array(numbers.size)
      const worse = new Int32Array(numbers.size)
      const lost: { readonly position: number; readonly words: ReadonlySet<number> }[] = []
      let compared = 0
      for (const { position, words } of kept) {
        const isWorse = outcome(position)
        if (isWorse === undefined) continue
        compared++
        if (isWorse) lost.push({ position, words: new Set(words) })
        for (const word of words) {
          all[word]! += 1
          if (isWorse) worse[word]! += 1
        }
      }
      if (lost.length === 0 || lost.length === compared) return []
      const names = [...numbers.keys()]
      // Which words are tested does not depend on the outcome: a choice by it would void the error rate.
      const tested = names.flatMap((_, word) =>
        (all[word] as number) >= fewestSamples && (all[word] as number) < compared ? [word] : [],
      )
      const p = tested.map((word) =>
        overRepresentation({
          drawnMarked: worse[word] as number,
          drawn: lost.length,
          marked: all[word] as number,
          all: compared,
        }),
      )
      const adjusted = adjustP(p, "fdr_bh")
      const found = tested
        .map((word, i) => ({ word, p: p[i] as number, pAdjusted: adjusted[i] as number }))
        .filter(({ pAdjusted }) => pAdjusted <= alpha)
        .sort((a, b) => a.p - b.p || byText(names[a.word] as string, names[b.word] as string))
      return together(found, lost).map(({ first, others, positions }) => ({
        words: [first.word, ...others].slice(0, mostNamed).map((word) => names[word] as string),
        worse: worse[first.word] as number,
        samples: all[first.word] as number,
        p: first.p,
        pAdjusted: first.pAdjusted,
        positions,
      }))
    },
  }
}

interface Found {
  readonly word: number
  readonly p: number
  readonly pAdjusted: number
}

/** Share of the samples of two words that both have, from which on they tell of the same samples. */
const sameSamples = 0.5

/** Words that stand in the same samples, by the clearest of them. */
function together(
  found: readonly Found[],
  lost: readonly { readonly position: number; readonly words: ReadonlySet<number> }[],
) {
  const clusters: { first: Found; others: number[]; in: ReadonlySet<number>; positions: readonly number[] }[] = []
  for (const one of found.slice(0, 100)) {
    const inside = lost.filter(({ words }) => words.has(one.word)).map(({ position }) => position)
    const home = clusters.find(({ in: theirs }) => {
      const both = inside.filter((position) => theirs.has(position)).length
      return both / (theirs.size + inside.length - both) >= sameSamples
    })
    if (home) home.others.push(one.word)
    else clusters.push({ first: one, others: [], in: new Set(inside), positions: inside })
  }
  return clusters
}
