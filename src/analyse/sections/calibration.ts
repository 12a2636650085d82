import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import { type Figure, type KnownFigure, unknown } from "../../core/report/figure.ts"
import type { CalibrationData, ReportSection } from "../../core/report/report-sections.ts"
import { toJson } from "../../core/report/to-json.ts"
import { factsBehind } from "../../rows/columns/fact-columns.ts"
import { rowsBehind } from "../../rows/columns/metric-rows.ts"
import { equalWidthBins } from "../../stats/calibration/calibration-bins.ts"
import { expectedGap } from "../../stats/calibration/calibration-gap.ts"
import { calibrationInterval } from "../../stats/calibration/calibration-interval.ts"
import { meanInterval } from "../../stats/intervals/mean-interval.ts"
import { wilsonInterval } from "../../stats/intervals/proportion-interval.ts"
import { mean } from "../../stats/mean.ts"
import { byText } from "../../stats/order.ts"
import { noFigure } from "../../wording/reasons.ts"
import { calibrationWords } from "../../wording/sections/calibration.ts"
import { recalibrationSentence } from "../../wording/sections/recalibration.ts"
import { between } from "../../words/difference.ts"
import { counted } from "../../words/number.ts"
import { percent } from "../../words/percent.ts"
import { recalibrations, scalingOf } from "./recalibration.ts"

/** How the section is made. @experimental */
export interface CalibrationSectionOptions {
  /** Metric with values 0 or 1 that says whether an answer is right, where no row states it. */
  readonly quality: string | null
  readonly seed: number
  /** 1 − the level of the intervals. Default 0.05. */
  readonly alpha?: number
  /** Bins of the diagram and of the error. Default 15. */
  readonly bins?: number
}

/** An answer's claim and whether it held. */
interface Claim {
  readonly sampleId: string
  readonly confidence: number
  readonly correct: number
  readonly group?: string
}

/** Answers under which a figure of calibration is mostly noise. */
const enough = 100

/**
 * The calibration section: reliability diagrams with intervals, the expected calibration error, and what temperature
 * scaling, Platt scaling and isotonic regression fitted on half of the samples do to the other half. Claims come from rows that hold them (a metric of the
 * calibration family), else from the answers' token probabilities and the quality metric. Null when no variant has any.
 * @experimental
 */
export function calibrationSection(
  variants: readonly ScoredVariant[],
  options: CalibrationSectionOptions,
): ReportSection | null {
  const claims = variants.map((variant) => ({ variant: variant.name, claims: claimsOf(variant, options.quality) }))
  const stated = claims.filter((entry) => entry.claims.length > 0)
  if (stated.length === 0) return null
  const { bins: count = 15, seed, alpha = 0.05 } = options
  const drawn = { bins: count, seed, alpha }
  const data: CalibrationData = {
    variants: stated.map((entry) => {
      const [confidence, correct] = columns(entry.claims)
      const methods = entry.claims.length < enough ? [] : recalibrations(entry.claims, seed)
      const scaling = scalingOf(methods)
      const groups = groupsOf(entry.claims, drawn)
      return {
        variant: entry.variant,
        expectedCalibrationError: errorFigure(entry.claims, drawn),
        bins: equalWidthBins(confidence, correct, count).map((bin) => ({
          confidence: bin.confidence,
          accuracy: bin.accuracy,
          ...wilsonInterval(bin.accuracy * bin.n, bin.n, alpha),
          count: bin.n,
        })),
        ...(scaling && { scaling }),
        ...(methods.length > 0 && { recalibrations: methods }),
        ...(groups.length > 0 && { groups }),
      }
    }),
  }
  return {
    kind: "calibration",
    title: "Calibration of confidence",
    // What is claimed and what is right, of every variant; then what recalibration would bring.
    sentences: [
      ...stated.map(({ variant, claims }) => stanceSentence(variant, claims, alpha)),
      ...stated.flatMap(({ variant }, i) => {
        const methods = data.variants[i]?.recalibrations ?? []
        return methods.length === 0 ? [] : [`${variant}: ${recalibrationSentence(methods)}`]
      }),
    ],
    data: toJson(data),
  }
}

function claimsOf(variant: ScoredVariant, quality: string | null): Claim[] {
  for (const rows of variant.rows.values()) {
    if (!rowsBehind(rows).hasObjects) continue
    const claims = rows.flatMap(({ measured, sampleId, group }) =>
      measured.status === "scored" && isClaim(measured.row)
        ? [{ sampleId, ...measured.row, ...(group !== undefined && { group }) }]
        : [],
    )
    if (claims.length > 0) return claims
  }
  const facts = factsBehind(variant.answers)
  const confidences = facts.figure("confidence")
  const claims: Claim[] = []
  if (!confidences) return claims
  const { answers, values } = rowsBehind(variant.rows.get(quality ?? "") ?? [])
  const { ids, splitAt } = facts.answers
  for (let index = 0; index < facts.length; index++) {
    const sampleId = ids[index] as string
    const value = values[answers.find(sampleId, facts.answers.repeat(index))]
    const confidence = confidences[index] as number
    if (Number.isNaN(confidence) || (value !== 0 && value !== 1)) continue
    const group = splitAt?.(index)?.group
    claims.push({ sampleId, confidence, correct: value, ...(group !== undefined && { group }) })
  }
  return claims
}

function isClaim(row: unknown): row is { confidence: number; correct: number } {
  if (typeof row !== "object" || row === null || !("confidence" in row) || !("correct" in row)) return false
  return typeof row.confidence === "number" && typeof row.correct === "number"
}

function columns(claims: readonly Claim[]): [Float64Array, Float64Array] {
  return [Float64Array.from(claims, (c) => c.confidence), Float64Array.from(claims, (c) => c.correct)]
}

interface Drawn {
  readonly bins: number
  readonly seed: number
  readonly alpha: number
}

function errorFigure(claims: readonly Claim[], drawn: Drawn): Figure {
  const { bins } = drawn
  const [confidence, correct] = columns(claims)
  const value = expectedGap(equalWidthBins(confidence, correct, bins))
  const keys = claims.map((claim) => claim.sampleId)
  const interval = calibrationInterval(confidence, correct, keys, value, drawn)
  if (!interval) return unknown(noFigure.oneAnswer)
  const figure: KnownFigure = {
    status: "known",
    value,
    ...interval,
    n: claims.length,
    method: calibrationWords.expectedError(bins, interval.method),
  }
  if (claims.length >= enough) return figure
  return { ...figure, warning: `n too small: ${counted(claims.length, "answer")}, ${enough} needed` }
}

/** Whether confidence is higher or lower than the share right, on evidence: only where the interval of the difference leaves 0 out. */
function stanceSentence(variant: string, claims: readonly Claim[], alpha: number): string {
  const [confidence, correct] = columns(claims)
  const [claimed, right] = [mean(confidence), mean(correct)]
  const gaps = Float64Array.from(confidence, (value, i) => value - (correct[i] as number))
  const keys = claims.map(({ sampleId }) => sampleId)
  const { low, high } = meanInterval(gaps, keys, [-1, 1], alpha)
  const isKnown = low !== null && high !== null
  const stance =
    isKnown && low > 0 ? "is overconfident" : isKnown && high < 0 ? "is underconfident" : calibrationWords.notShown
  const range = isKnown ? `, the difference ${between(low, high, { scale: 100, unit: "points" })} points` : ""
  const start = calibrationWords.stance(variant, stance, percent(claimed), percent(right), range, claims.length)
  return claims.length < enough ? calibrationWords.tooSmall(start) : start
}

/** Groups beyond this many are no split that a person reads. */
const maxGroups = 20

function groupsOf(claims: readonly Claim[], drawn: Drawn): Group[] {
  const groups = new Map<string, Claim[]>()
  for (const claim of claims) {
    if (claim.group === undefined) continue
    const members = groups.get(claim.group)
    if (members) members.push(claim)
    else groups.set(claim.group, [claim])
  }
  if (groups.size < 2 || groups.size > maxGroups) return []
  return [...groups]
    .sort(([a], [b]) => byText(a, b))
    .map(([group, members]) => {
      const [confidence, correct] = columns(members)
      const expectedCalibrationError = errorFigure(members, drawn)
      return { group, confidence: mean(confidence), accuracy: mean(correct), expectedCalibrationError }
    })
}

type Group = NonNullable<CalibrationData["variants"][number]["groups"]>[number]
