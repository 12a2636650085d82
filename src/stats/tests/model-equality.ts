import { createRandom } from "../../core/random.ts"
import { roundedDifferences } from "../rounded.ts"

/** An answer as the test sees it: its characters or tokens as numbers, and figures of it by name; `null` where one is unknown. */
export interface AnswerTraits {
  readonly symbols: ArrayLike<number>
  readonly figures: Readonly<Record<string, number | null>>
}

/** The answers of both sides to one prompt, each side at least one. */
export interface PromptAnswers {
  readonly baseline: readonly AnswerTraits[]
  readonly candidate: readonly AnswerTraits[]
}

/** What one statistic found. */
export interface EqualityPart {
  /** `completions`, or the figure's name. */
  readonly name: string
  /**
   * Of completions, by how much two answers of one side agree more than two of different sides, as a share of positions; of figures, the
   * mean of the candidate less that of the baseline, each prompt counting alike.
   */
  readonly difference: number
  /** The difference that would be found in 80 % of trials (normal approximation); null where none can be at this number of answers. */
  readonly detectable: number | null
  /** Adjusted for all parts. */
  readonly p: number
  /** Prompts that tell something of it. */
  readonly prompts: number
}

/** A two-sample test of two models on the same prompts. */
export interface ModelEquality {
  /** The smallest adjusted p of the parts; null where no part could be tested. */
  readonly p: number | null
  readonly parts: readonly EqualityPart[]
  /** How often the answers were exchanged. */
  readonly draws: number
}

/** Positions that are compared of a completion, as in the paper. */
const maxPositions = 1000
/** Quantile of the standard normal distribution at 80 % power. */
const powerQuantile = 0.8416

interface Draws {
  readonly name: string
  readonly prompts: number
  readonly isSigned: boolean
  /** The observed value first, then one a draw. */
  readonly values: Float64Array
}

/**
 * Model equality test: are the answers of two sides to the same prompts draws from one distribution? Under the null, who gave which
 * answer to a prompt is chance, so answers are exchanged within prompts. Completions are compared by a maximum mean discrepancy with a
 * Hamming kernel (the share of positions with the same symbol, the shorter completion padded, 1,000 positions at most), figures by their
 * means; all parts share each draw and are combined by the smallest p (Westfall & Young), so that together they raise a false alarm in
 * at most `alpha` of the cases, exactly. A prompt that each side answered once says something of figures, nothing of completions.
 * Misleads where answers of one prompt depend on each other, as by a cache.
 *
 * Gao, Liang & Guestrin 2024, Model Equality Testing (arXiv 2410.20247). Cost: draws × Σ baseline answers × candidate answers.
 *
 * @param options `draws` 1,999 and `alpha` 0.05 by default
 */
export function modelEquality(
  prompts: readonly PromptAnswers[],
  {
    seed,
    alpha = 0.05,
    draws = 1999,
  }: { readonly seed: number | string; readonly alpha?: number; readonly draws?: number },
): ModelEquality {
  const first = prompts[0]?.baseline[0] ?? prompts[0]?.candidate[0]
  const tests = [
    completionTest(prompts),
    ...Object.keys(first?.figures ?? {}).map((name) => figureTest(name, prompts)),
  ].filter((test) => test !== null)
  if (tests.length === 0) return { p: null, parts: [], draws: 0 }
  const random = createRandom(seed)
  const orders = prompts.map(({ baseline, candidate }) =>
    Int32Array.from({ length: baseline.length + candidate.length }, (_, i) => i),
  )
  const results = tests.map(({ name, isSigned, prompts }): Draws => {
    return { name, prompts, isSigned, values: new Float64Array(draws + 1) }
  })
  for (let draw = 0; draw <= draws; draw++) {
    if (draw > 0)
      for (const [i, order] of orders.entries()) {
        const size = (prompts[i] as PromptAnswers).baseline.length
        for (let at = 0; at < size; at++) {
          const other = at + random.integer(order.length - at)
          const kept = order[at] as number
          order[at] = order[other] as number
          order[other] = kept
        }
      }
    tests.forEach((test, i) => {
      ;(results[i] as Draws).values[draw] = test.statistic(orders)
    })
  }
  return combined(
    results.map((entry) => ({ ...entry, values: roundedDifferences(entry.values) })),
    alpha,
  )
}

interface PartTest {
  readonly name: string
  readonly prompts: number
  readonly isSigned: boolean
  /** @param orders of each prompt, its answers in order: as many as the baseline has are the baseline's */
  statistic(orders: readonly Int32Array[]): number
}

/** Null where no prompt has three answers, or all answers of each prompt are the same. */
function completionTest(prompts: readonly PromptAnswers[]): PartTest | null {
  const kernels = prompts.flatMap(({ baseline, candidate }, prompt) => {
    const size = baseline.length
    const texts = [...baseline, ...candidate].map(({ symbols }) => symbols)
    if (texts.length < 3) return []
    const count = texts.length
    const length = Math.min(maxPositions, Math.max(...texts.map((text) => text.length)))
    const agreement = new Float64Array(count * count)
    let total = 0
    for (let i = 0; i < count; i++)
      for (let j = i + 1; j < count; j++) {
        const share = agreementOf(texts[i] as ArrayLike<number>, texts[j] as ArrayLike<number>, length)
        agreement[i * count + j] = agreement[j * count + i] = share
        total += share
      }
    const across = size * (count - size)
    const pairs = (count * (count - 1)) / 2
    return [{ prompt, size, count, agreement, total, across, within: pairs - across }]
  })
  if (kernels.every(({ total, across, within }) => total > across + within - 1e-9)) return null
  return {
    name: "completions",
    prompts: kernels.length,
    isSigned: false,
    statistic(orders) {
      let sum = 0
      for (const { prompt, size, count, agreement, total, across, within } of kernels) {
        const order = orders[prompt] as Int32Array
        let between = 0
        for (let i = 0; i < size; i++) {
          const row = (order[i] as number) * count
          for (let j = size; j < count; j++) between += agreement[row + (order[j] as number)] as number
        }
        sum += (total - between) / within - between / across
      }
      return sum / kernels.length
    },
  }
}

function agreementOf(a: ArrayLike<number>, b: ArrayLike<number>, length: number): number {
  if (length === 0) return 1
  const [short, long] = [Math.min(a.length, b.length, length), Math.min(Math.max(a.length, b.length), length)]
  let same = length - long
  for (let i = 0; i < short; i++) if (a[i] === b[i]) same++
  return same / length
}

/** Of the answers that have the figure; null where a side never has it, or it is the same for all answers of each prompt. */
function figureTest(name: string, prompts: readonly PromptAnswers[]): PartTest | null {
  const figureOf = ({ figures }: AnswerTraits) => figures[name] ?? Number.NaN
  const isKnown = (value: number) => !Number.isNaN(value)
  for (const side of ["baseline", "candidate"] as const)
    if (!prompts.some((answers) => answers[side].some((answer) => isKnown(figureOf(answer))))) return null
  // By what both sides have together, which no exchange changes.
  const measured = prompts.flatMap(({ baseline, candidate }, prompt) => {
    const values = [...baseline, ...candidate].map(figureOf)
    return values.filter(isKnown).length < 2 ? [] : [{ prompt, size: baseline.length, values }]
  })
  if (!measured.some(({ values }) => new Set(values.filter(isKnown)).size > 1)) return null
  return {
    name,
    prompts: measured.length,
    isSigned: true,
    statistic(orders) {
      let total = 0
      for (const { prompt, size, values } of measured) {
        const order = orders[prompt] as Int32Array
        const [before, after] = [meanOf(values, order, 0, size), meanOf(values, order, size, order.length)]
        // A draw may leave a side without the figure.
        if (!Number.isNaN(after - before)) total += after - before
      }
      return total / measured.length
    },
  }
}

function meanOf(values: readonly number[], order: Int32Array, from: number, to: number): number {
  let [sum, count] = [0, 0]
  for (let at = from; at < to; at++) {
    const value = values[order[at] as number] as number
    if (Number.isNaN(value)) continue
    sum += value
    count++
  }
  return sum / count
}

/** Each part's p among its own draws, and all of them by the smallest p of each draw. */
function combined(results: readonly Draws[], alpha: number): ModelEquality {
  const sizes = results.map(({ values, isSigned }) => (isSigned ? values.map(Math.abs) : values))
  const ps = sizes.map(shareAtLeast)
  const total = sizes[0]?.length ?? 1
  const smallest = Float64Array.from({ length: total }, (_, draw) => Math.min(...ps.map((p) => p[draw] as number)))
  const sorted = smallest.toSorted()
  const adjusted = (p: number) => countUpTo(sorted, p + 1e-12) / total
  // The largest p of a part that is still a finding.
  const level = [...new Set(sorted)].findLast((p) => adjusted(p) <= alpha)
  const parts = results.map(({ name, prompts, values }, i): EqualityPart => {
    const [size, p] = [sizes[i] as Float64Array, ps[i] as Float64Array]
    const critical = level === undefined ? [] : size.filter((_, draw) => (p[draw] as number) <= level + 1e-12)
    const mean = values.reduce((sum, value) => sum + value, 0) / total
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / total)
    return {
      name,
      prompts,
      difference: values[0] as number,
      detectable: critical.length === 0 ? null : Math.min(...critical) + powerQuantile * deviation,
      p: adjusted(p[0] as number),
    }
  })
  return { p: Math.min(...parts.map(({ p }) => p)), parts, draws: total - 1 }
}

/** Of each value, the share of all that are as large. */
function shareAtLeast(values: Float64Array): Float64Array {
  const sorted = values.toSorted()
  return values.map((value) => 1 - countUpTo(sorted, value, true) / values.length)
}

/** How many of a sorted list are at most so large, or below it. */
function countUpTo(sorted: Float64Array, bound: number, isStrict = false): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const value = sorted[middle] as number
    if (isStrict ? value < bound : value <= bound) low = middle + 1
    else high = middle
  }
  return low
}
