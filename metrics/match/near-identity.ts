import { UsageError } from "../../src/core/errors.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { rowMetric } from "../row-metric.ts"
import {
  type EmbedderOption,
  embedderIdentity,
  embedderParts,
  embedTexts,
  withEmbedder,
} from "../semantic/use-embedder.ts"
import { cosineSimilarity } from "../semantic/vectors.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link nearIdentity}. @public */
export interface NearIdentityOptions extends EmbedderOption {
  readonly name?: string
  /** The variant whose answers these are compared with. */
  readonly against: string
  /** Cosine from which two answers count as nearly identical; default 0.95. */
  readonly threshold?: number
}

/** Row of {@link nearIdentity}. @public */
export interface NearIdentityRow {
  readonly identical: boolean
  readonly cosine: number
}

/**
 * Near identity: the share of answers that are the same as another variant's, or nearly so. Two variants that give the same answers almost
 * everywhere may be one endpoint, or a quantization that changed nothing. The share of identical texts is in the details.
 *
 * Does not measure quality, and short answers (one word, one number) are identical by chance. Range 0..1; higher is more similar.
 * Cost: one pass of the model per distinct text that differs. Unscored: `other_answer_missing`, `same_variant`,
 * `missing_package`, `model_unavailable`.
 *
 * Source: sentence vectors as in Reimers & Gurevych 2019; the share is evalkit's own definition.
 *
 * @throws UsageError when no variant is named
 * @example
 * // answers "Paris.", "It is Lyon."; the other variant's "Paris.", "Blue whales."
 * nearIdentity({ against: "m-f16" }) // 0.5
 * @public
 */
export function nearIdentity(options: NearIdentityOptions): Metric<NearIdentityRow> {
  checkOptions("nearIdentity", options)
  if (!options.against)
    throw new UsageError("the variant to compare with is not named", {
      where: "nearIdentity({ against })",
      hint: 'name a variant of the run: nearIdentity({ against: "m-f16" })',
    })
  const { name = `nearIdentity(${options.against})`, against, threshold = 0.95 } = options
  return rowMetric<NearIdentityRow>({
    name,
    signature: signature("nearIdentity", { embedder: embedderIdentity(options), against, cosine: `>=${threshold}` }),
    range: [0, 1],
    unit: "share",
    async measure(_sample, generation, tools) {
      if (generation.variant === against) return unscored("same_variant", "an answer is not compared with itself")
      const other = tools.answerOf?.(against) ?? null
      if (other === null) return unscored("other_answer_missing", `${against} has no answer to this sample`)
      if (other === generation.text) return { identical: true, cosine: 1 }
      if (other.trim() === "" || generation.text.trim() === "") return { identical: false, cosine: 0 }
      return withEmbedder(options, tools, async (embedder) => {
        const [own, theirs] = await embedTexts(embedder, [generation.text, other], tools)
        const cosine = cosineSimilarity(own as Float32Array, theirs as Float32Array) ?? 0
        return { identical: false, cosine }
      })
    },
    ...embedderParts(options),
    value: (row) => Number(row.identical || row.cosine >= threshold),
    details: (rows) => ({ identical: rows.filter(({ identical }) => identical).length / rows.length }),
  })
}
