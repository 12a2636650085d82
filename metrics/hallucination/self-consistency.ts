import { type Metric, type RowEntry, type Summary, scored, unscored } from "../../src/core/metric.ts"
import { mean } from "../../src/stats/mean.ts"
import { byText } from "../../src/stats/order.ts"
import { contentWords } from "../text/content-words.ts"
import { splitSentences } from "../text/sentences.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link selfConsistency}. */
export interface SelfConsistencyOptions {
  readonly name?: string
  /**
   * - `words` (default): the share of the other answers that lack a word, averaged over the sentence's content words; 0..1
   * - `unigram`: SelfCheckGPT's n-gram form: the largest −ln p of the sentence's words under a unigram model of all answers;
   *   0..∞, and it grows with the answers' length
   */
  readonly form?: "words" | "unigram"
  /**
   * A form of one's own: how much of a sentence the other answers do not bear, 0..1. With an embedder 1 − the best similarity
   * to their sentences (the BERTScore form), with an entailment model the probability of contradiction (the NLI form).
   */
  readonly inconsistency?: (sentence: string, others: readonly string[]) => number
}

/** An answer's sentences and words; figures belong to a sample's answers together. */
export type SelfConsistencyRow = { readonly text: string }

/** Characters of an answer that are kept. */
const longestAnswer = 20_000

/**
 * Self-consistency over repeats, as SelfCheckGPT reads it: what a model makes up differs from answer to answer. Each sentence
 * is held against the other answers to the same sample; the figure is the mean inconsistency over sentences, answers, samples.
 *
 * Blind to what a model gets wrong every time alike. Needs repeats at a temperature above 0. Range 0..1 (`unigram`: 0..∞),
 * lower is better. Source: Manakul et al. 2023. Unscored: `no_sentence`.
 *
 * @example
 * // repeats "Paris", "Paris", "Lyon": half of the others lack the word of the first two, all lack that of the third
 * selfConsistency() // 0.6667
 */
export function selfConsistency(options: SelfConsistencyOptions = {}): Metric<SelfConsistencyRow> {
  const { name = "selfConsistency", inconsistency } = options
  const form = inconsistency ? "custom" : (options.form ?? "words")
  return {
    name,
    signature: signature("selfConsistency", { form }),
    direction: "lower",
    range: [0, form === "unigram" ? Number.POSITIVE_INFINITY : 1],
    unit: "score",
    aggregation: { kind: "rows", resamples: 200 },
    needs: { repeats: 2 },
    note: "blind to what the model gets wrong every time alike",
    measure(_sample, { text }) {
      const kept = text.slice(0, longestAnswer)
      return contentWords(kept).length === 0
        ? unscored("no_sentence: the answer has no word to compare")
        : scored({ text: kept })
    },
    value: () => null,
    summarise(rows): Summary {
      const samples = answersBySample(rows).filter(({ length }) => length > 1)
      if (samples.length === 0) return { value: null, reason: "no sample has two answers: set repeats" }
      return {
        value: mean(
          samples.map((answers) =>
            sampleInconsistency(answers, inconsistency ?? forms[form === "unigram" ? form : "words"]),
          ),
        ),
        details: { samples: samples.length },
      }
    },
  }
}

function sampleInconsistency(
  answers: readonly string[],
  inconsistency: NonNullable<SelfConsistencyOptions["inconsistency"]>,
): number {
  const scores = answers.flatMap((answer, i) => {
    const others = answers.filter((_, j) => j !== i)
    return splitSentences(answer)
      .filter(({ text }) => contentWords(text).length > 0)
      .map(({ text }) => inconsistency(text, others))
  })
  return mean(scores)
}

const forms = {
  words(sentence: string, others: readonly string[]): number {
    const theirs = others.map((other) => new Set(contentWords(other)))
    const own = [...new Set(contentWords(sentence))]
    return mean(own.map((word) => theirs.filter((words) => !words.has(word)).length / theirs.length))
  },
  unigram(sentence: string, others: readonly string[]): number {
    const own = contentWords(sentence)
    const all = [...own, ...others.flatMap(contentWords)]
    const counts = new Map<string, number>()
    for (const word of all) counts.set(word, (counts.get(word) ?? 0) + 1)
    return 0 - Math.min(...new Set(own.map((word) => Math.log((counts.get(word) ?? 0) / all.length))))
  },
} as const

function answersBySample(rows: readonly RowEntry<SelfConsistencyRow>[]): readonly (readonly string[])[] {
  const samples = new Map<string, string[]>()
  for (const { sampleId, row } of rows) samples.set(sampleId, [...(samples.get(sampleId) ?? []), row.text])
  return [...samples].sort(([a], [b]) => byText(a, b)).map(([, answers]) => answers)
}
