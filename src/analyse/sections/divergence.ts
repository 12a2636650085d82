import type { JsonValue } from "../../core/json.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { ReportSection } from "../../core/report/report-sections.ts"
import { type TableColumn, tableData } from "../../core/report/table-data.ts"
import { toJson } from "../../core/report/to-json.ts"
import { alignRows } from "../../rows/align.ts"
import { divergenceWords } from "../../wording/sections/divergence.ts"
import { rankWords } from "../../wording/sections/rank.ts"
import { type PairSource, type PairSummary, summarisePairs } from "./pair-summary.ts"
import { rankPairs } from "./rank-pairs.ts"

/** What the section is made from. @experimental */
export interface DivergenceSectionOptions extends PairSource {
  readonly baseline: ScoredVariant
  readonly candidates: readonly ScoredVariant[]
  /** Metric whose flips are counted; null for none. */
  readonly quality: string | null
}

interface Shown extends PairSummary {
  readonly name: string
  readonly flips: ReturnType<typeof countFlips>
}

/**
 * The section of a pair metric: how the candidates' answers differ from the baseline's by it, such as the divergence of token
 * distributions that llama.cpp's users know, beside the flips of the answers. Null when no pair of answers could be compared
 * (for a divergence: no log-probabilities with alternatives).
 * @experimental
 */
export async function divergenceSection(options: DivergenceSectionOptions): Promise<ReportSection | null> {
  const { baseline, candidates, quality, metric } = options
  const { title = metric.name, unit, isTokenDivergence = false } = metric
  const summaries = []
  for (const candidate of candidates)
    summaries.push({ candidate, summary: await summarisePairs(baseline.name, candidate.name, options) })
  const measured = summaries.filter(({ summary }) => summary.figure.status === "known")
  if (measured.length === 0) return null
  const shown = measured.map(({ candidate, summary }): Shown => {
    return { name: candidate.name, ...summary, flips: countFlips(baseline, candidate, quality) }
  })
  const data = tableData(shown, [
    ["variant", ({ name }) => name],
    [isTokenDivergence ? `mean ${title}` : title, ({ figure }) => figure, unit],
    ...(isTokenDivergence ? tokenColumns(`p99 ${title}`, unit) : []),
    ...(metric.shares ?? []).map(
      ({ name }): TableColumn<Shown> => [name, ({ shares }) => shares[name] ?? null, "share"],
    ),
    ["changed but equal", ({ flips }) => flips?.equal ?? null, "answers"],
    ["right → wrong", ({ flips }) => flips?.lost ?? null, "answers"],
    ["wrong → right", ({ flips }) => flips?.won ?? null, "answers"],
  ])
  const ranked = rankPairs(
    metric,
    measured.map(({ candidate, summary }) => ({ candidate: candidate.name, summary })),
    options.alpha ?? 0.05,
  )
  return {
    kind: "divergence",
    title: divergenceWords.title(metric, baseline.name),
    sentences: [
      ...(ranked.length > 0 ? [divergenceWords.ranked(metric, baseline.name, rankWords(ranked))] : []),
      ...(isTokenDivergence ? [divergenceWords.lowerBound] : []),
    ],
    data: toJson(data),
  }
}

function tokenColumns(p99: string, unit?: string): readonly TableColumn<Shown>[] {
  return [
    [p99, ({ details }) => numberOr(details.p99), unit],
    ["first difference (median)", ({ details }) => numberOr(details.medianFirstDifference), "tokens"],
  ]
}

/** Answers whose score went down, went up, or stayed although the text changed. */
function countFlips(baseline: ScoredVariant, candidate: ScoredVariant, quality: string | null) {
  const [left, right] = [baseline.rows.get(quality ?? ""), candidate.rows.get(quality ?? "")]
  if (!left || !right) return null
  const texts = (variant: ScoredVariant) =>
    new Map(variant.answers.map((answer) => [`${answer.sampleId}\u0000${answer.repeat}`, answer.textHash]))
  const [before, after] = [texts(baseline), texts(candidate)]
  const counts = { lost: 0, won: 0, equal: 0 }
  for (const pair of alignRows(left, right).pairs) {
    const [a, b] = [pair.baseline.value ?? 0, pair.candidate.value ?? 0]
    const key = `${pair.sampleId}\u0000${pair.repeat}`
    if (b < a) counts.lost++
    else if (b > a) counts.won++
    else if (before.get(key) !== after.get(key)) counts.equal++
  }
  return counts
}

function numberOr(value: JsonValue | undefined): number | null {
  return typeof value === "number" ? value : null
}
