import { UsageError } from "../../src/core/errors.ts"
import { type Metric, type Summary, scored, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { studentInterval } from "../../src/stats/intervals/student-interval.ts"
import { mean } from "../../src/stats/mean.ts"
import { isUnspaced } from "../../src/text/language.ts"
import { comparingWords } from "../../src/words/metrics/comparing.ts"
import { levelText } from "../../src/words/percent.ts"
import { NgramIndex } from "../text/ngram-index.ts"
import { ngramTotal } from "../text/ngram-overlap.ts"
import { recipe } from "../text/recipe.ts"
import { sacrebleuTokenizers, type TokenizerName } from "../text/sacrebleu-tokenizers.ts"
import { signature } from "../text/signature.ts"
import { numberHashes, tokenHashes } from "../text/token-hashes.ts"

/** Options of {@link distinctN}. @public */
export interface DistinctNOptions {
  readonly name?: string
  /** Length of the n-grams; 2 by default. */
  readonly n?: number
  readonly tokenize?: TokenizerName
  readonly lowercase?: boolean
}

/**
 * Distinct-n: different n-grams of all answers over all their n-grams: how varied a model's answers are. A row's value is the same
 * within one answer.
 *
 * Falls as answers are added, since n-grams run out: compare only equal numbers of answers of similar length. Does not measure
 * quality: random text is the most varied. The interval is the jackknife's, because resampling would count answers twice.
 *
 * Range 0..1, higher is better (more varied). Cost: linear in tokens. Paper: Li et al. 2016. Row: hashes of the tokens. Unscored:
 * `empty_output` when the answer has no n-gram, `language` for scripts without blanks unless `tokenize` is stated.
 *
 * @example
 * // outputs "a b a b" and "a b c"
 * distinctN({ n: 2 }) // 0.6: ab, ba, bc of five bigrams
 * @public
 */
export function distinctN(options: DistinctNOptions = {}): Metric<readonly number[]> {
  checkOptions("distinctN", options)
  const { name = "distinctN", n = 2, tokenize = "13a", lowercase = false } = options
  if (!Number.isInteger(n) || n < 1)
    throw new UsageError("n must be an integer from 1", { where: `distinctN({ n: ${n} })` })
  const tokens = sacrebleuTokenizers[tokenize]
  const instead = options.tokenize === undefined ? 'tokenize: "char" compares its letters' : undefined
  return {
    name,
    signature: signature("distinctN", { n, tok: tokenize, case: lowercase ? "lc" : "mixed" }),
    direction: "higher",
    range: [0, 1],
    unit: "share",
    aggregation: { kind: "rows" },
    recipe: recipe("distinctN", options),
    measure(_sample, generation) {
      if (instead !== undefined && isUnspaced(generation.text))
        return unscored("language", comparingWords.unspaced("answer", instead))
      const row = tokenHashes(tokens(lowercase ? generation.text.toLowerCase() : generation.text))
      return row.length < n ? unscored("empty_output", `the answer has fewer than ${n} tokens`) : scored(row)
    },
    value: (row) => summary([row], n).value,
    summarise: (rows, { alpha } = {}) =>
      summary(
        rows.map((entry) => entry.row),
        n,
        alpha,
      ),
  }
}

function summary(rows: readonly (readonly number[])[], n: number, alpha = 0.05): Summary {
  if (rows.length === 0) return { value: null, reason: "nothing was scored" }
  const index = new NgramIndex()
  const total = rows.reduce((sum, row) => sum + ngramTotal(row.length, n), 0)
  index.reset(rows.reduce((sum, row) => sum + row.length * n, 0))
  // The only answer that has an n-gram, or −1 where several have it.
  const owners: number[] = []
  let distinct = 0
  for (const [answer, row] of numberHashes(rows).entries()) {
    for (let start = 0; start + n <= row.length; start++) {
      let gram = NgramIndex.root
      for (let i = 0; i < n; i++) gram = index.add(gram, row[start + i] as number)
      if (owners[gram] === undefined) {
        owners[gram] = answer
        distinct++
      } else if (owners[gram] !== answer) owners[gram] = -1
    }
  }
  const own = new Int32Array(rows.length)
  for (const owner of owners) if (owner !== undefined && owner >= 0) own[owner] = (own[owner] as number) + 1
  const value = distinct / total
  const interval = jackknife(value, { distinct, total, own, rows, n, alpha })
  return { value, details: { distinct, total }, ...(interval && { interval }) }
}

interface Counted {
  readonly distinct: number
  readonly total: number
  readonly own: Int32Array
  readonly rows: readonly (readonly number[])[]
  readonly n: number
  readonly alpha: number
}

function jackknife(value: number, { distinct, total, own, rows, n, alpha }: Counted): Summary["interval"] {
  if (rows.length < 2) return undefined
  const without = rows.map((row, i) => (distinct - (own[i] as number)) / (total - ngramTotal(row.length, n)))
  const centre = mean(without)
  const sum = without.reduce((squares, figure) => squares + (figure - centre) ** 2, 0)
  const error = Math.sqrt(((rows.length - 1) / rows.length) * sum)
  const { low, high } = studentInterval(value, error, rows.length - 1, alpha)
  const method = `jackknife over ${rows.length} answers, Student t ${levelText(alpha)}`
  return { low: Math.max(0, low), high: Math.min(1, high), method }
}
