import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { statesEmpty } from "../../src/core/sample.ts"
import { extractFacts, factIndex } from "../statements/facts.ts"
import { inLanguages, wordLanguages } from "../text/in-languages.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link entityRecall}. @public */
export interface EntityRecallOptions {
  readonly name?: string
  /** Where the reference's entities are looked for: the retrieved `context` (default) or the `answer`. */
  readonly in?: "context" | "answer"
}

/**
 * Entity recall: the share of the reference's names, numbers and dates that occur in the retrieved context (or in the
 * answer). Found by their form, without a model: a single name at the start of a sentence is missed.
 *
 * Range 0..1, higher is better; the summary is the mean. Source: Ragas' context entities recall. Unscored: `no_reference`,
 * `no_context`, `no_entity`.
 *
 * Misleads where the answer needs few of the reference's names, or a name has several spellings.
 *
 * @example
 * // context ["Ada lived in London."], references ["The poet's daughter Ada was born in London in 1815."]
 * entityRecall() // 0.6667: not 1815
 * @public
 */
export function entityRecall(options: EntityRecallOptions = {}): Metric<number> {
  checkOptions("entityRecall", options)
  const source = options.in ?? "context"
  return inLanguages(
    { languages: wordLanguages, hint: "judged.contextRecall() asks a judge, which reads any language" },
    meanMetric({
      name: options.name ?? "entityRecall",
      signature: signature("entityRecall", { in: source }),
      unit: "share",
      measure(sample, generation) {
        const references = referencesOf(sample)
        if (isUnscored(references)) return references
        if (source === "context" && sample.context.length === 0 && !statesEmpty(sample, "context"))
          return unscored("no_context", "the sample has no passages")
        const entities = new Map(
          extractFacts(references[0] ?? "").flatMap((fact) =>
            fact.kind === "name" || fact.kind === "number" || fact.kind === "date"
              ? [[`${fact.kind}:${fact.key}`, fact]]
              : [],
          ),
        )
        if (entities.size === 0) return unscored("no_entity", "the reference has no name, number or date")
        const index = factIndex(source === "context" ? sample.context : [generation.text])
        return [...entities.values()].filter((fact) => index.has(fact)).length / entities.size
      },
    }),
  )
}
