import type { AnyMetric } from "../../../core/metric/metric.ts"
import { type Figure, unknown } from "../../../core/report/figure.ts"
import type { ReportSection } from "../../../core/report/report-sections.ts"
import { toJson } from "../../../core/report/to-json.ts"
import { wilsonInterval } from "../../../stats/intervals/proportion-interval.ts"
import { methods } from "../../../wording/methods.ts"
import { noFigure } from "../../../wording/reasons.ts"
import { noiseWords } from "../../../wording/sections/noise.ts"
import { sized, wordingOf } from "../../../words/difference.ts"
import { listed, metricTitle } from "../../../words/names.ts"
import { amount, count, counted } from "../../../words/number.ts"
import { percent } from "../../../words/percent.ts"
import { floorShare, type NoiseFloor, noiseFloor, type SelfComparison } from "./noise-floor.ts"

/** What the section is about, by which stored reports are found. */
export const noiseTopic = "noise_floor"

/** What a variant differs from itself by; null where it was not asked twice. */
export function noiseSection(compared: SelfComparison): ReportSection | null {
  const floor = noiseFloor(compared)
  if (!floor) return null
  const { baseline, evaluation } = compared
  const metric = evaluation.metrics.find(({ name }) => name === evaluation.primary[0])
  const { swaps, gains, draws } = floor
  const differs = differenceWords(floor, metric)
  const first = noiseWords.floor(baseline.name, differs, percent(floorShare), draws, counted(floor.pairs, "pair"))
  const { low, high } = wilsonInterval(swaps, draws)
  return {
    kind: "table",
    topic: noiseTopic,
    title: noiseWords.title,
    sentences: [
      first,
      `With these samples and this rule a swap to itself would be granted in ${count(swaps)} of ${draws} draws (${percent(swaps / draws)}, 95 % interval ${amount(low * 100)} to ${amount(high * 100)}), and a gain of cost or time of ${percent(evaluation.smallestGain)} or more be claimed in ${count(gains)}.`,
      noiseWords.draw,
    ],
    caution: first,
    data: toJson({
      columns: [
        { title: "variant" },
        { title: metric ? metricTitle(metric) : "quality", ...unitOf(metric) },
        ...timeColumns,
        { title: "swaps to itself", unit: "share" },
      ],
      rows: [[baseline.name, ...figuresOf(floor)]],
    }),
  }
}

const changed = ["e2eMs", "ttftMs", "costUsd"] as const

const nouns = { e2eMs: "time", ttftMs: noiseWords.firstToken, costUsd: "cost" } as const

const timeColumns = changed.map((figure) => ({ title: nouns[figure], unit: "share" }))

function unitOf(metric: AnyMetric | undefined): { readonly unit?: string } {
  if (!metric) return {}
  const { unit } = wordingOf(metric)
  return unit === "points" ? { unit: "share" } : unit === "" ? {} : { unit }
}

function figuresOf({ quality, changes, swaps, draws, pairs }: NoiseFloor): readonly Figure[] {
  const method = noiseWords.quantile(percent(floorShare), draws)
  const floor = (value: number | null | undefined): Figure =>
    value == null ? unknown(noFigure.noBothMeasured) : { status: "known", value, n: pairs, method }
  return [
    floor(quality),
    ...changed.map((figure) => floor(changes[figure])),
    {
      status: "known",
      value: swaps / draws,
      ...wilsonInterval(swaps, draws),
      n: draws,
      method: methods.nameDraws,
    },
  ]
}

/** "3.3 points of exact match, 8 % of time and 0 % of cost" */
function differenceWords({ quality, changes }: Pick<NoiseFloor, "quality" | "changes">, metric?: AnyMetric): string {
  return listed([
    ...(quality === null || !metric ? [] : [`${sized(quality, wordingOf(metric))} of ${metricTitle(metric)}`]),
    ...changed.flatMap((figure) => {
      const share = changes[figure]
      return share == null ? [] : [`${percent(share)} of ${nouns[figure]}`]
    }),
  ])
}
