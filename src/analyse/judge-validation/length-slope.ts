import { type Figure, unknown } from "../../core/report/figure.ts"
import { byText } from "../../stats/order.ts"
import { type Coefficient, linearRegression } from "../../stats/regression/linear-regression.ts"
import { judgeMethods, noJudgeFigure } from "../../wording/judge-card/reasons.ts"
import type { CardVerdict } from "./judged-answer.ts"
import { meanOf } from "./judged-answer.ts"

/** Characters that the slope is stated for. */
export const slopeCharacters = 100

/** With fewer answers than this no slope is computed. */
const min = 10

/**
 * What 100 more characters add to a judge's score at equal quality: the slope of a regression of the score on length (for
 * comparisons: on the difference of the lengths) with the panel's other judges as the measure of quality. Two or more others
 * are split in two halves, one standing in as the instrument of the other, since a noisy measure of quality would leave some
 * of it to the length; one other is taken as it is, and without others the slope says so. Robust errors, clustered by sample.
 */
export function lengthSlope(verdicts: readonly CardVerdict[], alpha = 0.05): Figure {
  const scored = verdicts.filter(({ verdict }) => verdict.score !== null)
  const lengths = scored.map(lengthOf)
  if (scored.length < min) return unknown(`fewer than ${min} verdicts`)
  if (new Set(lengths).size < 2) return unknown(noJudgeFigure.equalLengths)
  const names = [...new Set(scored.flatMap(({ others }) => others.map(({ judge }) => judge)))].sort(byText)
  const halves = [new Set(names.filter((_, i) => i % 2 === 0)), new Set(names.filter((_, i) => i % 2 === 1))] as const
  const usable = scored.filter(({ others }) =>
    halves.every((half) => half.size === 0 || others.some(({ judge }) => half.has(judge))),
  )
  const quality = (half: ReadonlySet<string>) => (cardVerdict: CardVerdict) =>
    meanOf(cardVerdict.others.flatMap(({ judge, score }) => (half.has(judge) && score !== null ? [score] : [])))
  const columns = halves.filter(({ size }) => size > 0).map(quality)
  const [control, instrument = control] = columns
  const design = (of: typeof control) =>
    usable.map((cardVerdict) => [1, lengthOf(cardVerdict) / slopeCharacters, ...(of ? [of(cardVerdict)] : [])])
  const fit = linearRegression(
    design(control),
    usable.map(({ verdict }) => verdict.score as number),
    { instruments: design(instrument), keys: usable.map(({ answer }) => answer.sampleId), alpha },
  )
  const slope = fit?.[1]
  if (!slope || !Number.isFinite(slope.standardError)) return unknown(noJudgeFigure.lengthIsQuality)
  return figureOf(slope, usable.length, columns.length)
}

function lengthOf({ answer, verdict }: CardVerdict): number {
  return answer.row.answerCharacters - (verdict.otherCharacters ?? 0)
}

function figureOf({ value, low, high }: Coefficient, n: number, controls: number): Figure {
  const how = [judgeMethods.notControlled, judgeMethods.controlledByOne, judgeMethods.controlledByHalves][controls]
  return {
    status: "known",
    value,
    low,
    high,
    n,
    method: judgeMethods.lengthRegression(String(how)),
    ...(controls === 0 && { warning: noJudgeFigure.qualityNotConstant }),
  }
}
