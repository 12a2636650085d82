import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { Vocabulary } from "../../src/text/vocabulary.ts"
import { countCodePoints } from "../text/code-points.ts"
import { comparing, type UnicodeOption } from "../text/comparing.ts"
import { levenshtein, textLevenshtein } from "../text/edit-distance.ts"
import { splitWords } from "../text/python-text.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { textMetric } from "../text/text-measure.ts"

/** Options of {@link editDistance}. @public */
export interface EditDistanceOptions extends UnicodeOption {
  readonly name?: string
  /** Divide by the length of the longer text, so that 1 means nothing in common; false by default. */
  readonly normalized?: boolean
  /** What is inserted, deleted and substituted: code points (default) or words between white space. */
  readonly by?: "character" | "word"
}

/**
 * Levenshtein distance: how many insertions, deletions and substitutions turn the answer into its closest reference. The
 * summary is the mean.
 *
 * Misleads where moving a sentence is acceptable: it counts twice (see `ter`). Characters are code points, so an emoji family or a
 * letter with a combining mark is several.
 *
 * Range 0..∞, normalized 0..1; lower is better. Cost: n × (edits + 64) / 64, linear memory: two texts of 100,000 characters that
 * have nothing in common take about a second. (natural's takes 24 ms for a pair of sentences and quadratic memory, so it is not used.)
 * Paper: Levenshtein 1966; Myers 1999. Unscored: `no_reference`.
 *
 * @example
 * // output "kitten", references ["sitting"]
 * editDistance() // 3
 * @public
 */
export function editDistance(options: EditDistanceOptions = {}): Metric<number> {
  checkOptions("editDistance", options)
  const { name = "editDistance", normalized = false, by = "character" } = options
  const instead = by === "word" ? 'by: "character" compares it' : undefined
  const compare = by === "word" ? byWord() : byCharacter(normalized)
  const metric = meanMetric({
    name,
    signature: signature("editDistance", { refs: "closest", by, norm: normalized ? "longer" : "no" }),
    direction: "lower",
    range: [0, normalized ? 1 : Number.POSITIVE_INFINITY],
    unit: normalized ? "share" : "edits",
    measure(sample, generation) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      let closest = Number.POSITIVE_INFINITY
      for (const reference of references) {
        const { edits, longer } = compare(generation.text, reference)
        closest = Math.min(closest, normalized ? edits / Math.max(1, longer) : edits)
      }
      return closest
    },
  })
  return textMetric("editDistance", options, comparing({ ...options, instead, isReference: true }, metric))
}

/** Edits between two texts, and the length of the longer one (0 where it was not asked for). */
type Compare = (answer: string, reference: string) => { readonly edits: number; readonly longer: number }

function byCharacter(withLength: boolean): Compare {
  return (answer, reference) => ({
    edits: textLevenshtein(answer, reference),
    longer: withLength ? Math.max(countCodePoints(answer), countCodePoints(reference)) : 0,
  })
}

function byWord(): Compare {
  const vocabulary = new Vocabulary()
  return (answer, reference) => {
    vocabulary.clear()
    const first = vocabulary.number(splitWords(answer))
    const second = vocabulary.number(splitWords(reference))
    return { edits: levenshtein(first, second), longer: Math.max(first.length, second.length) }
  }
}
