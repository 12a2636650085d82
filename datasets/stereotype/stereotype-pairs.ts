import type { Dataset } from "../../src/core/dataset.ts"
import { UsageError } from "../../src/core/errors.ts"
import { contentHash } from "../../src/core/json.ts"
import type { PairRole, PreferencePair } from "../../src/core/metric/preference-pair.ts"
import type { Sample } from "../../src/core/sample.ts"
import { crowsPair, stereoSetPair } from "./published-rows.ts"

/**
 * A data set of CrowS-Pairs or StereoSet as texts to be scored: one sample for each text of a pair (two, or three with StereoSet's
 * unrelated text), all in the pair's cluster. Ask them of variants of `textScorer`; the metric `stereotypePreference` compares
 * their log-probabilities. Rows are recognised by their columns, as the authors publish them: `sent_more`, `sent_less` and
 * `bias_type`; or `sentences`, `context` and `bias_type`.
 *
 * @throws UsageError while reading, for a row that is neither.
 * @example stereotypePairs(dataset("crows_pairs_anonymized.csv"))
 * @public
 */
export function stereotypePairs(dataset: Dataset): Dataset {
  return {
    name: `${dataset.name}, pairs`,
    source: dataset.source,
    async *samples(signal) {
      for await (const sample of dataset.samples(signal)) yield* textsOf(pairOf(sample, dataset.source))
    },
    fingerprint: async () => contentHash({ of: await dataset.fingerprint(), as: "stereotype pairs" }),
    skipped: () => dataset.skipped(),
    resolveFrom: (directory) => stereotypePairs(dataset.resolveFrom?.(directory) ?? dataset),
  }
}

function pairOf({ id, metadata, context }: Sample, source: string): PreferencePair {
  // A column called `context` is read as the sample's passage.
  const row = context[0] === undefined ? metadata : { ...metadata, context: context[0] }
  const pair = crowsPair(row, id) ?? stereoSetPair(row, id)
  if (pair) return { ...pair, id }
  throw new UsageError(`the row "${id.slice(0, 80)}" is no pair of CrowS-Pairs or StereoSet`, {
    where: source,
    hint: "columns sent_more, sent_less and bias_type, or sentences (with gold_label), context and bias_type",
  })
}

function textsOf({ id, attribute, stereotype, antiStereotype, unrelated }: PreferencePair): Sample[] {
  const text = (role: PairRole, input: string): Sample => ({
    id: `${id}/${role}`,
    input,
    references: [],
    context: [],
    choices: [],
    expectedTools: [],
    cluster: id,
    metadata: { pair: id, role, attribute },
  })
  return [
    text("stereotype", stereotype),
    text("antiStereotype", antiStereotype),
    ...(unrelated === undefined ? [] : [text("unrelated", unrelated)]),
  ]
}
