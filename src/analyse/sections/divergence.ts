import type { JsonValue } from "../../core/json.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { ReportSection, TableData } from "../../core/report/report-sections.ts"
import { toJson } from "../../core/report/to-json.ts"
import { alignRows } from "../../rows/align.ts"
import { divergenceWords } from "../../wording/sections/divergence.ts"
import { rankWords } from "../../wording/sections/rank.ts"
import { type PairSource, summarisePairs } from "./pair-summary.ts"
import { rankPairs } from "./rank-pairs.ts"

/** What the section is made from. @experimental */
export interface DivergenceSectionOptions extends PairSource {
  readonly baseline: ScoredVariant
  readonly candidates: readonly ScoredVariant[]
  /** Metric whose flips are counted; null for none. */
  readonly quality: string | null
}

/**
 * The divergence section: what changing the variant does to the token distributions, as llama.cpp's users know it, beside
 * the flips of the answers. Null when no pair of answers could be compared (no log-probabilities with alternatives).
 * @experimental
 */
export async function divergenceSection(options: DivergenceSectionOptions): Promise<ReportSection | null> {
  const { baseline, candidates, quality } = options
  const summaries = []
  for (const candidate of candidates)
    summaries.push({ candidate, summary: await summarisePairs(baseline.name, candidate.name, options) })
  const known = summaries.filter(({ summary }) => summary.figure.status === "known")
  if (known.length === 0) return null
  const data: TableData = {
    columns: [
      { title: "variant" },
      { title: "mean KL divergence", unit: "nats" },
      { title: "p99 KL divergence", unit: "nats" },
      { title: "same top token", unit: "share" },
      { title: "first difference (median)", unit: "tokens" },
      { title: "same text", unit: "share" },
      { title: "changed but equal", unit: "answers" },
      { title: "right → wrong", unit: "answers" },
      { title: "wrong → right", unit: "answers" },
    ],
    rows: known.map(({ candidate, summary: { figure, details, shares } }) => {
      const flips = countFlips(baseline, candidate, quality)
      return [
        candidate.name,
        figure,
        numberOr(details.p99),
        shares["same top token"] ?? null,
        numberOr(details.medianFirstDifference),
        shares["same text"] ?? null,
        flips?.equal ?? null,
        flips?.lost ?? null,
        flips?.won ?? null,
      ]
    }),
  }
  const ranked = rankPairs(
    options.metric,
    known.map(({ candidate, summary }) => ({ candidate: candidate.name, summary })),
    options.alpha ?? 0.05,
  )
  return {
    kind: "divergence",
    title: divergenceWords.title(baseline.name),
    sentences: [divergenceWords.ranked(baseline.name, rankWords(ranked)), divergenceWords.lowerBound],
    data: toJson(data),
  }
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
