import type { Turns } from "../../core/interruption.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import type { ReportSection } from "../../core/report/report-sections.ts"
import { type TableColumn, tableData } from "../../core/report/table-data.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { hasGivenText } from "../../rows/columns/fact-columns.ts"
import { studentTwoSided } from "../../stats/distributions.ts"
import { studentInterval } from "../../stats/intervals/student-interval.ts"
import { unitStandardError } from "../../stats/resampling/units.ts"
import { adjustP } from "../../stats/tests/multiple-tests.ts"
import { methods } from "../../wording/methods.ts"
import { noFigure } from "../../wording/reasons.ts"
import { candidateSentence, surprisalWords } from "../../wording/sections/surprisal.ts"
import { levelText } from "../../words/percent.ts"
import type { ReadAxes } from "./slices/read-axes.ts"
import {
  classCount,
  frequencyClasses,
  positionClasses,
  type TextSums,
  textSums,
  tokenFrequencies,
} from "./text-sums.ts"

/** What the section is made from. */
export interface SurprisalSectionOptions {
  readonly store: Pick<RunStore, "generations">
  readonly runId: string
  /** The first is the one that the others are compared with. */
  readonly variants: readonly ScoredVariant[]
  readonly read: ReadAxes
  readonly alpha: number
  readonly turn: Turns
}

/** One row of the table: a part of the tokens or of the texts. */
export interface Part {
  readonly by: string
  readonly title: string
  /** Nats and tokens of each text in the part. */
  sumsOf(sums: TextSums, text: number): readonly [nats: number, tokens: number]
}

/** Texts below which a change has no interval. */
const minTexts = 3
/** Fields that the table has room for. */
const maxFields = 4

/**
 * How surprised each model is by parts of the given texts: by rare and frequent words, early and late, field by field; and where a swap
 * changes that. Null where no text was given to be scored.
 */
export async function surprisalSection(options: SurprisalSectionOptions): Promise<ReportSection | null> {
  const { store, runId, read, alpha, turn } = options
  const variants = options.variants.filter(({ answers }) => hasGivenText(answers))
  const [baseline, ...candidates] = variants
  if (!baseline) return null
  const texts = baseline.answers.filter(({ isGiven }) => isGiven)
  const positions = new Map(texts.map(({ sampleId, repeat }, i) => [`${repeat}\u0000${sampleId}`, i]))
  const frequencies = await tokenFrequencies(store.generations(runId, baseline.name), turn)
  if (frequencies.size === 0) return null
  const sums: TextSums[] = []
  for (const { name } of variants)
    sums.push(
      await textSums(
        store.generations(runId, name),
        frequencies,
        texts.length,
        ({ sampleId, repeat }) => positions.get(`${repeat}\u0000${sampleId}`),
        turn,
      ),
    )
  const parts = partsOf(
    read,
    texts.map(({ sampleId }) => read.positions.get(sampleId) ?? -1),
  )
  const before = sums[0] as TextSums
  const rows = parts.flatMap((part) => {
    const totals = sums.map((sum) => total(part, sum, texts.length))
    const tokens = totals[0]?.[1] ?? 0
    if (tokens === 0) return []
    const changes = sums.slice(1).map((now) => change(part, before, now, texts.length, alpha))
    return [{ part, tokens, levels: totals.map(([nats, n]) => (n === 0 ? null : Math.exp(nats / n))), changes }]
  })
  const adjusted = adjustP(
    rows.flatMap(({ changes }) => changes.flatMap(({ p }) => p ?? [])),
    "fdr_bh",
  )
  let next = 0
  const cells = rows.flatMap(({ part, changes }) =>
    changes.map(({ figure, p }, k) => ({
      part,
      candidate: candidates[k]?.name ?? "",
      figure,
      isMoved: p !== null && (adjusted[next++] as number) <= alpha,
    })),
  )
  type Column = TableColumn<(typeof rows)[number]>
  const data = tableData(rows, [
    [surprisalWords.part, ({ part }) => `${part.by}: ${part.title}`],
    ["tokens", ({ tokens }) => tokens],
    ...variants.map(({ name }, i): Column => [name, ({ levels }) => levels[i] ?? null, "score"]),
    ...candidates.map(({ name }, i): Column => [`change of ${name}`, (row) => row.changes[i]?.figure ?? null, "%"]),
  ])
  return {
    kind: "perplexity",
    title: surprisalWords.title,
    sentences: [
      ...candidates.map(({ name }) =>
        candidateSentence(
          name,
          baseline.name,
          cells.filter((cell) => cell.candidate === name),
        ),
      ),
      surprisalWords.method(baseline.name, levelText(1 - alpha)),
    ],
    data,
  }
}

function partsOf(read: ReadAxes, positions: readonly number[]): readonly Part[] {
  const ofClass =
    (index: number): Part["sumsOf"] =>
    ({ nats, tokens }, text) => [nats[text * classCount + index] ?? 0, tokens[text * classCount + index] ?? 0]
  const whole: Part["sumsOf"] = (sums, text) => {
    let [nats, tokens] = [0, 0]
    for (let position = frequencyClasses.length; position < classCount; position++) {
      const [n, t] = ofClass(position)(sums, text)
      nats += n
      tokens += t
    }
    return [nats, tokens]
  }
  return [
    { by: "all", title: "texts", sumsOf: whole },
    ...frequencyClasses.map(({ title }, i) => ({ by: "words", title, sumsOf: ofClass(i) })),
    ...positionClasses.map(({ title }, i) => ({ by: "position", title, sumsOf: ofClass(frequencyClasses.length + i) })),
    ...read.axes.slice(0, maxFields).flatMap(({ title: by, slices, of }) =>
      slices.map(
        (title, slice): Part => ({
          by,
          title,
          sumsOf: (sums, text) => (of[positions[text] ?? -1] === slice ? whole(sums, text) : [0, 0]),
        }),
      ),
    ),
  ]
}

function total(part: Part, sums: TextSums, texts: number): readonly [nats: number, tokens: number] {
  let [nats, tokens] = [0, 0]
  for (let text = 0; text < texts; text++) {
    const [n, t] = part.sumsOf(sums, text)
    nats += n
    tokens += t
  }
  return [nats, tokens]
}

/** Change of the perplexity in per cent, over texts that both scored in the same tokens; Student t over texts. */
function change(
  part: Part,
  before: TextSums,
  now: TextSums,
  texts: number,
  alpha: number,
): { readonly figure: Figure; readonly p: number | null } {
  const differences: number[] = []
  const sizes: number[] = []
  let other = 0
  for (let text = 0; text < texts; text++) {
    const [a, n] = part.sumsOf(before, text)
    const [b, m] = part.sumsOf(now, text)
    if (n === 0 || m === 0) continue
    if (n !== m) other++
    differences.push(b - a)
    sizes.push(n)
  }
  if (other > 0) return { figure: unknown(noFigure.otherTokens), p: null }
  const count = differences.length
  if (count < minTexts) return { figure: unknown(noFigure.fewTexts(minTexts)), p: null }
  const tokens = sizes.reduce((sum, size) => sum + size, 0)
  const log = differences.reduce((sum, difference) => sum + difference, 0) / tokens
  const error = unitStandardError({ sums: Float64Array.from(differences), sizes: Float64Array.from(sizes) })
  const { low, high } = studentInterval(log, error, count - 1, alpha)
  const percent = (value: number) => 100 * Math.expm1(value)
  return {
    figure: {
      status: "known",
      value: percent(log),
      low: percent(low),
      high: percent(high),
      n: count,
      method: methods.perplexityRatio(count, tokens),
    },
    p: error <= 1e-12 ? null : studentTwoSided(log / error, count - 1),
  }
}
