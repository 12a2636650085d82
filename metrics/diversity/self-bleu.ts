import { UsageError } from "../../src/core/errors.ts"
import { type Metric, type Summary, scored, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { studentInterval } from "../../src/stats/intervals/student-interval.ts"
import { mean, standardError } from "../../src/stats/mean.ts"
import { isUnspaced } from "../../src/text/language.ts"
import { comparingWords } from "../../src/words/metrics/comparing.ts"
import { levelText } from "../../src/words/percent.ts"
import { bleuFigure } from "../overlap/bleu-figure.ts"
import { NgramIndex } from "../text/ngram-index.ts"
import { ngramTotal } from "../text/ngram-overlap.ts"
import { recipe } from "../text/recipe.ts"
import { sacrebleuTokenizers, type TokenizerName } from "../text/sacrebleu-tokenizers.ts"
import { signature } from "../text/signature.ts"
import { numberHashes, tokenHashes } from "../text/token-hashes.ts"

/** Options of {@link selfBleu}. @public */
export interface SelfBleuOptions {
  readonly name?: string
  readonly tokenize?: TokenizerName
  readonly maxOrder?: number
}

/**
 * Self-BLEU: the mean over the answers of the sentence BLEU of each with all others as its references: how much a model repeats
 * itself across answers.
 *
 * Rises as answers are added, since more of them can match: compare only equal numbers of answers. Exponential smoothing and
 * effective order as in `bleu`. A single answer has no value. The interval takes the other answers as given.
 *
 * Range 0..100, lower is better (more varied). Cost: linear in tokens × maxOrder, whatever the number of answers. Paper: Zhu et al.
 * 2018 (Texygen). Row: hashes of the tokens. Unscored: `empty_output`, and `language`
 * for scripts without blanks unless `tokenize` is stated.
 *
 * @example
 * // outputs "the cat sat", "the cat sat", "a dog ran"
 * selfBleu() // 66.7
 * @public
 */
export function selfBleu(options: SelfBleuOptions = {}): Metric<readonly number[]> {
  checkOptions("selfBleu", options)
  const { name = "selfBleu", tokenize = "13a", maxOrder = 4 } = options
  if (!Number.isInteger(maxOrder) || maxOrder < 1 || maxOrder > 16)
    throw new UsageError("maxOrder must be an integer of 1 to 16", { where: `selfBleu({ maxOrder: ${maxOrder} })` })
  const tokens = sacrebleuTokenizers[tokenize]
  const instead = options.tokenize === undefined ? 'tokenize: "char" compares its letters' : undefined
  return {
    name,
    signature: signature("selfBleu", { tok: tokenize, smooth: "exp", eff: true, order: maxOrder }),
    direction: "lower",
    range: [0, 100],
    unit: "score",
    aggregation: { kind: "rows" },
    recipe: recipe("selfBleu", options),
    measure(_sample, generation) {
      if (instead !== undefined && isUnspaced(generation.text))
        return unscored("language", comparingWords.unspaced("answer", instead))
      const row = tokenHashes(tokens(generation.text))
      return row.length === 0 ? unscored("empty_output", "the answer has no tokens") : scored(row)
    },
    value: () => null,
    summarise: (rows, { alpha } = {}) =>
      summary(
        rows.map((entry) => entry.row),
        maxOrder,
        alpha,
      ),
  }
}

function summary(rows: readonly (readonly number[])[], maxOrder: number, alpha = 0.05): Summary {
  if (rows.length < 2) return { value: null, reason: "self-BLEU compares answers, and there are fewer than two" }
  const answers = numberHashes(rows)
  const counts = countGrams(answers, maxOrder)
  const lengths = answers.map((answer) => answer.length).sort((a, b) => a - b)
  const scores = answers.map((answer, i) => {
    const { matches, totals } = matchesOf(answer, i, counts, maxOrder)
    const statistics = [answer.length, closestOther(answer.length, lengths), ...matches, ...totals]
    return bleuFigure(statistics, maxOrder, { smooth: "exp", value: 0 }, true).score
  })
  const value = mean(scores)
  const { low, high } = studentInterval(value, standardError(scores), scores.length - 1, alpha)
  const method = `Student t ${levelText(alpha)} over ${scores.length} answers, the others given`
  return {
    value,
    details: { answers: scores.length },
    interval: { low: Math.max(0, low), high: Math.min(100, high), method },
  }
}

/** For each n-gram the answer that has it most often, how often, and how often the next one has it. */
interface GramCounts {
  readonly index: NgramIndex
  readonly owner: number[]
  readonly most: number[]
  readonly second: number[]
}

function countGrams(answers: readonly Int32Array[], maxOrder: number): GramCounts {
  const index = new NgramIndex()
  index.reset(answers.reduce((sum, answer) => sum + answer.length * maxOrder, 0))
  const counts: GramCounts = { index, owner: [], most: [], second: [] }
  for (const [answer, tokens] of answers.entries()) {
    const seen = new Map<number, number>()
    eachGram(tokens, maxOrder, index, (gram) => void seen.set(gram, (seen.get(gram) ?? 0) + 1))
    for (const [gram, count] of seen) {
      if (count > (counts.most[gram] ?? 0)) {
        counts.second[gram] = counts.most[gram] ?? 0
        counts.most[gram] = count
        counts.owner[gram] = answer
      } else counts.second[gram] = Math.max(counts.second[gram] ?? 0, count)
    }
  }
  return counts
}

function matchesOf(answer: Int32Array, number: number, counts: GramCounts, maxOrder: number) {
  const matches = new Array<number>(maxOrder).fill(0)
  const used = new Map<number, number>()
  eachGram(answer, maxOrder, counts.index, (gram, order) => {
    const inOthers = (counts.owner[gram] === number ? counts.second[gram] : counts.most[gram]) ?? 0
    const before = used.get(gram) ?? 0
    used.set(gram, before + 1)
    if (before < inOthers) matches[order - 1] = (matches[order - 1] as number) + 1
  })
  return { matches, totals: matches.map((_, n) => ngramTotal(answer.length, n + 1)) }
}

function eachGram(
  tokens: Int32Array,
  maxOrder: number,
  index: NgramIndex,
  visit: (gram: number, order: number) => void,
): void {
  for (let start = 0; start < tokens.length; start++) {
    let gram = NgramIndex.root
    for (let order = 1; order <= Math.min(maxOrder, tokens.length - start); order++) {
      gram = index.add(gram, tokens[start + order - 1] as number)
      visit(gram, order)
    }
  }
}

/** The length closest to one of the sorted lengths, itself left out once; the shorter of two that are equally close. */
function closestOther(length: number, sorted: readonly number[]): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) < length) low = middle + 1
    else high = middle
  }
  const longer = sorted[low + 1] ?? Number.POSITIVE_INFINITY
  const shorter = sorted[low - 1] ?? Number.NEGATIVE_INFINITY
  return longer - length < length - shorter ? longer : shorter
}
