/** The figures of evalkit: by name, a value a row or a slice; null where it is unscored or undefined. */
import * as ek from "../../../src/index.ts"
import type { AnyMetric } from "../../../src/core/metric/metric.ts"
import * as stats from "../../../src/stats.ts"
import type { numberRows, TextRow } from "./rows.ts"

export type Figures = Record<string, (number | null)[]>
type Numbers = ReturnType<typeof numberRows>

const stemmed = { "": false, " stem": true }
const bleus = (["13a", "intl", "char", "zh"] as const).map((tokenize) => ek.bleu({ tokenize, name: `BLEU ${tokenize}` }))
const sacrebleu = [
  ...bleus,
  ek.chrf({ name: "chrF" }),
  ek.chrf({ wordOrder: 2, name: "chrF++" }),
  ek.ter({ name: "TER" }),
  ek.ter({ name: "TER norm asian", normalized: true, asianSupport: true }),
]
const rouges = (["rouge1", "rouge2", "rougeL", "rougeLsum"] as const).flatMap((type) =>
  Object.entries(stemmed).map(([suffix, stem]) => ek.rouge({ type, stem, name: `${type}${suffix}` })),
)

/** Metrics of texts by family; `slices` says whether figures of slices are compared, too. */
export const textFamilies: Readonly<Record<string, { metrics: readonly AnyMetric[]; slices: boolean }>> = {
  sacrebleu: { metrics: sacrebleu, slices: true },
  rouge: { metrics: rouges, slices: false },
  squad: { metrics: [ek.exactMatch({ normalize: "squad", name: "EM" }), ek.tokenF1({ name: "F1" })], slices: false },
  meteor: { metrics: [ek.meteor({ tokenize: "whitespace", name: "METEOR" })], slices: false },
}

export async function textFigures(family: string, rows: readonly TextRow[], cuts: readonly [number, number][]) {
  const { metrics, slices } = textFamilies[family] as (typeof textFamilies)[string]
  const figures: Figures = {}
  const { answers } = await ek.score([...rows] as never, [...metrics])
  for (const { name } of metrics) figures[name] = answers.map((row) => valueOf(row[name]))
  if (slices) Object.assign(figures, await sliceFigures(rows, cuts, [...metrics], " corpus"))
  return figures
}

function valueOf(score: ek.AnswerScore | undefined): number | null {
  return score?.status === "scored" ? score.value : null
}

async function sliceFigures(rows: readonly object[], cuts: readonly [number, number][], metrics: AnyMetric[], suffix = "") {
  const figures: Figures = {}
  for (const [from, to] of cuts) {
    const scored = await ek.score(rows.slice(from, to) as never, metrics)
    for (const [name, figure] of Object.entries(scored.figures))
      (figures[name + suffix] ??= []).push(figure.status === "known" ? figure.value : null)
  }
  return figures
}

/** Classification and calibration, over slices; the answer states label and confidence. */
export async function sklearnFigures({ predictions, cuts }: Numbers): Promise<Figures> {
  const labels = ["spam", "ham", "eggs"]
  const figures = ["accuracy", "macroF1", "weightedF1", "microF1", "mcc"] as const
  const classes = figures.map((figure) => ek.classification({ labels, figure, name: figure }))
  const rows = predictions.map(({ truth, label }) => ({ answer: label, label: truth }))
  const calibration = { confidence: ({ text }: { text: string }) => Number(text.split(" ")[1]), correct: "contains" }
  const metrics = [ek.brier, ek.negativeLogLikelihood, ek.auroc, ek.expectedCalibrationError]
  const sure = predictions.map(({ confidence, right }) => ({ answer: `${right ? "yes" : "no"} ${confidence}`, reference: "yes" }))
  const found = await sliceFigures(sure, cuts, [ek.contains(), ...metrics.map((metric) => metric(calibration))])
  delete found.contains
  return { ...(await sliceFigures(rows, cuts, classes)), ...found }
}

/** Agreement of raters, by set. */
export function agreementFigures({ sets }: Numbers): Figures {
  const figures: Figures = {}
  for (const level of ["nominal", "ordinal", "interval", "ratio"] as const)
    figures[`alpha ${level}`] = sets.map(({ ratings }) => stats.krippendorffAlpha(ratings, level))
  for (const weights of ["none", "linear", "quadratic"] as const)
    figures[`kappa ${weights}`] = sets.map(({ first, second }) => stats.cohensKappa(first, second, { weights }))
  return figures
}

/** Tests and intervals, by set. */
export function testFigures({ sets }: Numbers): Figures {
  const intervals = {
    wilson: stats.wilsonInterval,
    beta: stats.clopperPearsonInterval,
    jeffreys: stats.jeffreysInterval,
    agresti_coull: stats.agrestiCoullInterval,
  }
  const figures: Figures = {
    "McNemar exact": sets.map(({ successes, trials }) => stats.mcnemarExact(successes, trials - successes)),
    "McNemar chi2": sets.map(({ successes, trials }) => stats.mcnemarChiSquare(successes, trials - successes).p),
    "McNemar corrected": sets.map(({ successes, trials }) => stats.mcnemarChiSquare(successes, trials - successes, true).p),
    "paired t": sets.map(({ a, b }) => stats.pairedTTest(a, b).statistic),
    "paired t p": sets.map(({ a, b }) => stats.pairedTTest(a, b).p),
  }
  for (const zeros of ["wilcox", "pratt", "zsplit"] as const)
    figures[`Wilcoxon ${zeros}`] = sets.map(({ a, b }) => stats.wilcoxonSignedRank(a.map((x, i) => x - (b[i] as number)), { zeros })?.p ?? null)
  for (const [name, interval] of Object.entries(intervals))
    for (const side of ["low", "high"] as const)
      figures[`${name} ${side}`] = sets.map(({ successes, trials }) => interval(successes, trials)[side])
  for (const correction of ["fdr_bh", "fdr_by", "holm", "bonferroni", "sidak", "holm-sidak", "simes-hochberg", "hommel"] as const)
    figures[correction] = sets.flatMap(({ ps }) => stats.adjustP(ps, correction))
  return figures
}
