/** The figures of evalkit: by name, a value a row, a slice (`… of slices`) or a set; null where it is unscored or undefined. */
import type { AnyMetric } from "../../../src/core/metric/metric.ts"
import * as ek from "../../../src/index.ts"
import { ppiPlus, ppiPlusBounds } from "../../../src/stats/intervals/ppi-plus.ts"
import * as stats from "../../../src/stats.ts"
import type { Cuts, NumberRows } from "./rows.ts"

export type Figures = Record<string, (number | null)[]>

const labels = ["spam", "ham", "eggs"]
const bleus = (["13a", "intl", "char", "zh"] as const).map((tokenize) =>
  ek.bleu({ tokenize, name: `BLEU ${tokenize}` }),
)
const rouges = (["rouge1", "rouge2", "rougeL", "rougeLsum"] as const).flatMap((type) =>
  [false, true].map((stem) => ek.rouge({ type, stem, name: `${type}${stem ? " stem" : ""}` })),
)
const asian = ek.ter({ name: "TER norm asian", normalized: true, asianSupport: true })
export const textMetrics: Readonly<Record<string, readonly AnyMetric[]>> = {
  sacrebleu: [
    ...bleus,
    ek.chrf({ name: "chrF" }),
    ek.chrf({ wordOrder: 2, name: "chrF++" }),
    ek.ter({ name: "TER" }),
    asian,
  ],
  rouge: rouges,
  squad: [ek.exactMatch({ normalize: "squad", name: "EM" }), ek.tokenF1({ name: "F1" })],
  meteor: [ek.meteor({ tokenize: "whitespace", name: "METEOR" })],
}

/** Each row's value, and the figure of each slice; the first slice is all rows. */
export async function scoreFigures(
  rows: readonly { readonly answer: string }[],
  metrics: readonly AnyMetric[],
  cuts: Cuts,
): Promise<Figures> {
  const figures: Figures = {}
  for (const { name } of metrics) Object.assign(figures, { [name]: [], [`${name} of slices`]: [] })
  for (const [index, [from, to]] of cuts.entries()) {
    const items = rows.slice(from, to).map(({ answer: output, ...rest }) => ({ output, ...rest }))
    const scored = await ek.score(items as never, [...metrics])
    for (const { name } of metrics) {
      const figure = scored.figures[name]
      figures[`${name} of slices`]?.push(figure?.status === "known" ? figure.value : null)
      for (const { [name]: score } of index === 0 ? scored.answers : [])
        figures[name]?.push(score?.status === "scored" ? score.value : null)
    }
  }
  return figures
}

/** Classification and calibration; the answer states label or confidence. */
export async function sklearnFigures({ predictions, cuts }: NumberRows): Promise<Figures> {
  const names = ["accuracy", "macroF1", "weightedF1", "microF1", "mcc"] as const
  const classes = names.map((figure) => ek.classification({ labels, figure, name: figure }))
  const sure = { confidence: ({ text }: { text: string }) => Number(text.split(" ")[1]), correct: "contains" }
  const calibration = [ek.brier, ek.negativeLogLikelihood, ek.auroc, ek.expectedCalibrationError].map((make) =>
    make(sure),
  )
  const labelled = predictions.map(({ truth, label }) => ({ answer: label, label: truth }))
  const stated = predictions.map((row) => ({
    answer: `${row.right ? "yes" : "no"} ${row.confidence}`,
    reference: "yes",
  }))
  const confident = await scoreFigures(stated, [ek.contains(), ...calibration], cuts)
  return { ...(await scoreFigures(labelled, classes, cuts)), ...confident }
}

/** Agreement of raters, by set. */
export function agreementFigures({ sets }: NumberRows): Figures {
  const figures: Figures = {}
  for (const level of ["nominal", "ordinal", "interval", "ratio"] as const)
    figures[`alpha ${level}`] = sets.map(({ ratings }) => stats.krippendorffAlpha(ratings, level))
  for (const weights of ["none", "linear", "quadratic"] as const)
    figures[`kappa ${weights}`] = sets.map(({ first, second }) => stats.cohensKappa(first, second, { weights }))
  return figures
}

/** Tests and intervals, by set; adjusted p-values of all sets in a row. */
export function testFigures({ sets }: NumberRows): Figures {
  const { wilsonInterval: wilson, clopperPearsonInterval: beta, jeffreysInterval: jeffreys } = stats
  const figures: Figures = {
    "McNemar exact": sets.map(({ successes: b, trials }) => stats.mcnemarExact(b, trials - b)),
    "McNemar chi2": sets.map(({ successes: b, trials }) => stats.mcnemarChiSquare(b, trials - b).p),
    "McNemar corrected": sets.map(({ successes: b, trials }) => stats.mcnemarChiSquare(b, trials - b, true).p),
    "paired t": sets.map(({ a, b }) => stats.pairedTTest(a, b).statistic),
    "paired t p": sets.map(({ a, b }) => stats.pairedTTest(a, b).p),
  }
  // scipy goes through every pattern of signs where there are ties, which takes it up to a second a set.
  const differences = sets.filter((_, i) => i % 4 === 0).map(({ a, b }) => a.map((x, i) => x - (b[i] as number)))
  for (const zeros of ["wilcox", "pratt", "zsplit"] as const)
    figures[`Wilcoxon ${zeros}`] = differences.map((values) => stats.wilcoxonSignedRank(values, { zeros })?.p ?? null)
  for (const [name, interval] of Object.entries({ wilson, beta, jeffreys, agresti_coull: stats.agrestiCoullInterval }))
    for (const side of ["low", "high"] as const)
      figures[`${name} ${side}`] = sets.map(({ successes, trials }) => interval(successes, trials)[side])
  for (const method of [
    "fdr_bh",
    "fdr_by",
    "holm",
    "bonferroni",
    "sidak",
    "holm-sidak",
    "simes-hochberg",
    "hommel",
  ] as const)
    figures[method] = sets.flatMap(({ ps }) => stats.adjustP(ps, method))
  return figures
}

/** Gaps between groups, by set. */
export function fairnessFigures({ sets }: NumberRows): Figures {
  const of = (metric: ReturnType<typeof ek.demographicParity>) =>
    sets.map(({ decisions }, i) => {
      const rows = decisions.map(({ group, label, decided }, repeat) => ({
        ...{ row: { group, label: label === 1, prediction: decided === 1 }, sampleId: `${i}`, repeat },
      }))
      return metric.summarise(rows).value
    })
  const figures: Figures = {}
  for (const as of ["difference", "ratio"] as const) {
    figures[`demographic parity ${as}`] = of(ek.demographicParity({ as }))
    figures[`equalized odds ${as}`] = of(ek.equalizedOdds({ as }))
  }
  return figures
}

/** Means that rest on few labels and many scores of a judge, by set. */
export function poweredFigures({ sets }: NumberRows): Figures {
  const fits = sets.map((set) => ppiPlus(set))
  const bounds = fits.map((fit) => ppiPlusBounds(fit, { quantile: "normal" }))
  return {
    value: fits.map(({ value }) => value),
    low: bounds.map(({ low }) => low),
    high: bounds.map(({ high }) => high),
  }
}
