import type { AnyMetric } from "../../../core/metric/metric.ts"
import { type Figure, figureValue, unknown } from "../../../core/report/figure.ts"
import type { VariantReport } from "../../../core/report/report.ts"
import type { LevelsData, ReportSection } from "../../../core/report/report-sections.ts"
import { toJson } from "../../../core/report/to-json.ts"
import type { Evaluation } from "../../../core/run/evaluation.ts"
import { levelsSentences, noKnee } from "../../../wording/sections/levels.ts"
import type { RunDesign } from "../../interim/reading.ts"
import type { LevelFamily } from "./families.ts"
import { findKnee, type Knee } from "./knee.ts"

/** Figures of quality that a section has room for. */
const maxMetrics = 4

/** Quality, time, tokens and cost along one axis of a sweep, and its knee. */
export function levelsSection(family: LevelFamily, evaluation: Evaluation, design: RunDesign | null): ReportSection {
  const { axis, name, levels } = family
  const deciding = evaluation.primary.flatMap((name) => evaluation.metrics.find((metric) => metric.name === name) ?? [])
  const shown = [...new Set([...deciding, ...evaluation.metrics])].slice(0, maxMetrics)
  const result = kneeOf(family, deciding, evaluation, design)
  const knee = typeof result === "string" ? null : result
  const variantAt = (index: number): string => levels[index]?.variant.report.name ?? ""
  const perhaps = (index: number | null): string | null => (index === null ? null : variantAt(index))
  const data: LevelsData = {
    axis,
    of: name,
    metrics: shown.map(({ name: metric, unit = null }) => ({ name: metric, unit })),
    levels: levels.map(({ level, variant: { report } }, index) => ({
      variant: report.name,
      level,
      quality: shown.map((metric) => qualityOf(report, metric)),
      firstAnswerMs: report.speed.ttftMs.p50,
      e2eMs: report.speed.e2eMs.p50,
      tokensPerAnswer: report.text.tokensPerAnswer,
      costUsd: report.cost.perQueryUsd,
      verdict: knee?.verdicts[index] ?? null,
      share: knee?.shares[index] ?? null,
      without: withoutWords(report),
    })),
    knee: knee && {
      variant: perhaps(knee.knee),
      best: variantAt(knee.best),
      cheapBy: knee.cheapBy,
      low: perhaps(knee.low),
      high: perhaps(knee.high),
      resamples: knee.resamples,
      margin: knee.margin,
    },
  }
  return {
    kind: "levels",
    title: `${name} by ${axis}`,
    sentences: levelsSentences(data, deciding[0], typeof result === "string" ? result : null, evaluation.alpha),
    data: toJson(data),
  }
}

function kneeOf(
  { levels }: LevelFamily,
  metrics: readonly AnyMetric[],
  evaluation: Evaluation,
  design: RunDesign | null,
): Knee | string {
  if (design?.kind === "looks") return noKnee.untilDecided
  return findKnee({
    levels: levels.map(({ variant }) => variant.scored),
    metrics,
    wholeCostUsd: levels.map(({ variant }) => figureValue(variant.report.cost.perQueryUsd)),
    evaluation,
    design,
  })
}

function qualityOf({ quality }: VariantReport, { name }: AnyMetric): Figure {
  return quality.find(({ metric }) => metric === name)?.figure ?? unknown(noKnee.notMeasured)
}

/** What a level's answers came without, in words; a mode that an endpoint refused is another mode. */
function withoutWords({ differences = [], finished }: VariantReport): readonly string[] {
  return differences.map(({ parameter, answers }) => `${parameter} (${answers} of ${finished} answers)`)
}
