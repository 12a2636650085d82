import type { JsonValue } from "../../src/core/json.ts"
import { metadataFault } from "../../src/core/metric/metadata-fault.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { mean } from "../../src/stats/mean.ts"
import { rowMetric } from "../row-metric.ts"
import { claimedFacts } from "../statements/claimed-facts.ts"
import { contentWords, coverage } from "../statements/content-words.ts"
import { extractFacts, factIndex } from "../statements/facts.ts"
import { inLanguages, wordLanguages } from "../text/in-languages.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link summaryFacts}. @public */
export interface SummaryFactsOptions {
  readonly name?: string
  /** Metadata field with the key facts, one text each. Default `keyFacts`; without it, the references. */
  readonly field?: string
  /** Content words of a key fact that must occur in the summary, 0..1. Default 0.6. */
  readonly threshold?: number
}

/** One summary. @public */
export type SummaryFactsRow = {
  /** Share of the key facts that it covers. */
  readonly coverage: number
  /** Whether it covers a key fact, but with a different number, date or name. */
  readonly contradicted: number
  /** Numbers, dates and names that the source does not have. */
  readonly invented: number
}

/**
 * Summaries: how many key facts they cover, less those that they contradict; invented facts are in the details. The shipped example of
 * {@link custom}: a task's own figure from a few parts.
 *
 * Uses no model, so it does not recognise paraphrases. Range 0..1, higher is better. Unscored: `no_key_facts`.
 *
 * Formula: (covered − contradicted) / key facts. Source: evalkit's own definition.
 *
 * @example
 * // keyFacts ["Ada was born in 1815", "She lived in London"], output "Ada was born in 1815."
 * summaryFacts() // 0.5
 * @public
 */
export function summaryFacts(options: SummaryFactsOptions = {}): Metric<SummaryFactsRow> {
  checkOptions("summaryFacts", options)
  const { name = "summaryFacts", field = "keyFacts", threshold = 0.6 } = options
  return inLanguages(
    { languages: wordLanguages, hint: "a rubric asks a judge, which reads any language" },
    rowMetric<SummaryFactsRow>({
      name,
      signature: signature("summaryFacts", { field, threshold }),
      range: [0, 1],
      unit: "share",
      measure(sample, { text }) {
        const listed = Object.hasOwn(sample.metadata, field) ? sample.metadata[field] : undefined
        const keys = Array.isArray(listed) ? (listed as readonly JsonValue[]).map(String) : sample.references
        if (keys.length === 0)
          return unscored(
            "no_key_facts",
            `no references, and ${metadataFault(sample.metadata, field, "a list of facts")}`,
          )
        const words = new Set(contentWords(text))
        const said = factIndex([text])
        const covered = keys.filter((key) => (coverage(key, words) ?? 0) >= threshold)
        const contradicted = covered.filter((key) => extractFacts(key).some((fact) => !said.has(fact)))
        const source = factIndex([...sample.context, ...keys])
        return {
          coverage: (covered.length - contradicted.length) / keys.length,
          contradicted: contradicted.length,
          invented: claimedFacts(text).filter((fact) => !source.has(fact)).length,
        }
      },
      value: (row) => row.coverage,
      details: (rows) => ({
        withContradiction: mean(rows.map(({ contradicted }) => Number(contradicted > 0))),
        withInvention: mean(rows.map(({ invented }) => Number(invented > 0))),
      }),
    }),
  )
}
