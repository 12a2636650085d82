import { UsageError } from "../../src/core/errors.ts"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { codePoints } from "../text/code-points.ts"
import { comparing, type UnicodeOption } from "../text/comparing.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { textMetric } from "../text/text-measure.ts"

/** Options of {@link jaroWinkler}. @public */
export interface JaroWinklerOptions extends UnicodeOption {
  readonly name?: string
  /** What each of the first four equal characters adds, 0..0.25; 0.1 by default, 0 gives Jaro's similarity. */
  readonly prefixScale?: number
}

/**
 * Jaro–Winkler similarity of the answer with its most similar reference: characters that agree within a window, less
 * transpositions, with a bonus for a common beginning. The summary is the mean.
 *
 * Made for names and short labels; on long texts nearly everything is somewhat similar. Characters are code points. Two empty
 * texts are 1, one empty text is 0.
 *
 * Range 0..1, higher is better. Cost: linear in the texts. Paper: Jaro 1989; Winkler 1990. Jaro's part is equal to NLTK's, except
 * for two equal single characters, which NLTK gives 0. Unscored: `no_reference`.
 *
 * @example
 * // output "MARTHA", references ["MARHTA"]
 * jaroWinkler() // 0.961
 * @public
 */
export function jaroWinkler(options: JaroWinklerOptions = {}): Metric<number> {
  checkOptions("jaroWinkler", options)
  const { name = "jaroWinkler", prefixScale = 0.1 } = options
  if (!(prefixScale >= 0 && prefixScale <= 0.25))
    throw new UsageError("prefixScale must be from 0 to 0.25", {
      where: `jaroWinkler({ prefixScale: ${prefixScale} })`,
    })
  const metric = meanMetric({
    name,
    signature: signature("jaroWinkler", { refs: "best", prefix: 4, scale: prefixScale }),
    unit: "share",
    measure(sample, generation) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      const answer = codePoints(generation.text)
      return Math.max(...references.map((reference) => similarity(answer, codePoints(reference), prefixScale)))
    },
  })
  return textMetric("jaroWinkler", options, comparing(options, metric))
}

function similarity(first: Int32Array, second: Int32Array, prefixScale: number): number {
  const jaro = jaroSimilarity(first, second)
  let prefix = 0
  while (prefix < Math.min(4, first.length, second.length) && first[prefix] === second[prefix]) prefix++
  return jaro + prefix * prefixScale * (1 - jaro)
}

function jaroSimilarity(first: Int32Array, second: Int32Array): number {
  if (first.length === 0 || second.length === 0) return first.length === second.length ? 1 : 0
  const window = Math.max(0, Math.floor(Math.max(first.length, second.length) / 2) - 1)
  // The positions of each character in `two` as a queue: what the window has passed will never match again.
  const queues = new Map<number, { positions: number[]; head: number }>()
  for (let j = 0; j < second.length; j++) {
    const queue = queues.get(second[j] as number)
    if (queue) queue.positions.push(j)
    else queues.set(second[j] as number, { positions: [j], head: 0 })
  }
  const matched: number[] = []
  const used = new Uint8Array(second.length)
  for (let i = 0; i < first.length; i++) {
    const queue = queues.get(first[i] as number)
    if (queue === undefined) continue
    while ((queue.positions[queue.head] ?? Number.POSITIVE_INFINITY) < i - window) queue.head++
    const j = queue.positions[queue.head]
    if (j === undefined || j > i + window) continue
    queue.head++
    used[j] = 1
    matched.push(first[i] as number)
  }
  if (matched.length === 0) return 0
  let outOfOrder = 0
  for (let j = 0, k = 0; j < second.length; j++) if (used[j] === 1 && matched[k++] !== second[j]) outOfOrder++
  const matches = matched.length
  return (matches / first.length + matches / second.length + (matches - Math.floor(outOfOrder / 2)) / matches) / 3
}
