import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { inputText } from "../../src/core/sample.ts"
import { claimsOf } from "../statements/abstention.ts"
import { withoutCitationMarks } from "../statements/citation-marks.ts"
import { contentWords, coverage } from "../statements/content-words.ts"
import { extractFacts, factIndex } from "../statements/facts.ts"
import { splitSentences } from "../statements/sentences.ts"
import { inLanguages, wordLanguages } from "../text/in-languages.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link groundedness}. @public */
export interface GroundednessOptions {
  readonly name?: string
  /** Content words of a sentence that must occur in the context, 0..1. Default 0.5. */
  readonly threshold?: number
}

/**
 * Groundedness, without a model: the share of the answer's sentences that the context supports: enough of their content words
 * occur in it, and every number, date and name does.
 *
 * Marks that name a passage ("[2]") are not read: {@link citationRecall} looks at them. Sentences that say that the answer is not
 * known or not in the texts, greet, thank, ask or offer help state nothing, and are left out unless they name a number of their own; an answer of such sentences alone is unscored, because
 * neither 0 nor 1 would be fair to it. Blind to paraphrase and to words put together wrongly. Range 0..1, higher is better; the
 * summary is the mean. Unscored: `no_context`, `no_sentence`, `abstained`.
 *
 * Source: evalkit's own, the question of Ragas' faithfulness (Es et al. 2023) with words in place of a model.
 *
 * @example
 * // context ["Ada was born in London in 1815."], output "Ada was born in London. She died in 1852."
 * groundedness() // 0.5
 * @public
 */
export function groundedness(options: GroundednessOptions = {}): Metric<number> {
  checkOptions("groundedness", options)
  const { name = "groundedness", threshold = 0.5 } = options
  return inLanguages(
    { languages: wordLanguages, hint: "judged.faithfulness() asks a judge, which reads any language" },
    meanMetric({
      name,
      signature: signature("groundedness", {
        words: "content",
        facts: "all",
        marks: "no",
        abstentions: "no",
        threshold,
      }),
      unit: "share",
      measure(sample, generation) {
        if (sample.context.length === 0) return unscored("no_context", "the sample has no passages")
        const words = new Set(sample.context.flatMap(contentWords))
        const index = factIndex(sample.context)
        const text = withoutCitationMarks(generation.text)
        const facts = extractFacts(text)
        const worded = splitSentences(text).flatMap((sentence) => {
          const share = coverage(sentence.text, words)
          return share === null ? [] : [{ ...sentence, share }]
        })
        if (worded.length === 0) return unscored("no_sentence", "the answer has no word to compare")
        const asked = factIndex([...sample.context, inputText(sample)])
        const states = claimsOf(worded)
        // Thanks for an order of 999 euros state its price, unless the question did.
        const tells = ({ start, end }: { readonly start: number; readonly end: number }) =>
          facts.some((fact) => fact.kind !== "name" && fact.start >= start && fact.start < end && !asked.has(fact))
        const sentences = worded.filter((sentence, i) => states(i) || tells(sentence))
        if (sentences.length === 0) return unscored("abstained", "no sentence of the answer states anything")
        const wrong = facts.filter((fact) => !index.has(fact))
        const supported = sentences.filter(
          ({ share, start, end }) =>
            share >= threshold && !wrong.some((fact) => fact.start >= start && fact.start < end),
        )
        return supported.length / sentences.length
      },
    }),
  )
}
