import { deflateRawSync } from "node:zlib"
import type { Metric } from "../../src/core/metric/metric.ts"
import { unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { recipe } from "../text/recipe.ts"
import { signature } from "../text/signature.ts"
import { type StatisticsRow, sumMetric } from "../text/sum-metric.ts"

/** Options of {@link compressionRatio}. @public */
export interface CompressionRatioOptions {
  readonly name?: string
}

/**
 * Compression ratio: bytes of the answers over their bytes after deflate (level 9). Answers that repeat themselves compress
 * well; `value` is the ratio of the summed sizes.
 *
 * Each answer is compressed alone: what answers share with each other is measured by `selfBleu` and `distinctN`. Longer texts
 * compress better, so compare texts of similar length; a very short one may grow (below 1). Bytes are UTF-8.
 *
 * Range 0..∞, lower is better (more varied). Cost: linear in the texts. Paper: Shaib et al. 2024. Row: [bytes, compressed bytes].
 * Unscored: `empty_output`.
 *
 * Misleads where texts differ in length or in kind: code and tables compress better than prose.
 *
 * @example
 * // output "ha ".repeat(100)
 * compressionRatio() // 33.3
 * @public
 */
export function compressionRatio(options: CompressionRatioOptions = {}): Metric<StatisticsRow> {
  checkOptions("compressionRatio", options)
  const ratio = (sum: ArrayLike<number>) => (sum[0] as number) / (sum[1] as number)
  return sumMetric({
    name: options.name ?? "compressionRatio",
    signature: signature("compressionRatio", { codec: "deflate-raw", level: 9 }),
    direction: "lower",
    range: [0, Number.POSITIVE_INFINITY],
    size: 2,
    recipe: recipe("compressionRatio", options),
    measure(_sample, generation) {
      if (generation.text === "") return unscored("empty_output", "there is nothing to compress")
      const bytes = Buffer.from(generation.text)
      return [bytes.length, deflateRawSync(bytes, { level: 9 }).length]
    },
    score: ratio,
    details: (sum) => ({ bytes: sum[0] as number, compressedBytes: sum[1] as number }),
  })
}
