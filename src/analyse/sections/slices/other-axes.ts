import type { ScoredVariant } from "../../../core/metric/scored-variant.ts"
import { axisWords, difficultyNote } from "../../../wording/sections/slices.ts"
import { noSlices } from "../../../wording/slices/reasons.ts"
import type { EarlierScores } from "../../compare/difficulty/earlier-scores.ts"
import type { SamplePositions } from "./sample-positions.ts"
import { type MadeAxis, quartileAxis } from "./slice-axis.ts"

/** Samples by how long the baseline's answer was, in its own tokens. */
export function answerLengthAxis(baseline: ScoredVariant, positions: SamplePositions): MadeAxis {
  const sums = new Float64Array(positions.size)
  const counts = new Float64Array(positions.size)
  for (const { sampleId, completionTokens } of baseline.answers) {
    const position = positions.get(sampleId)
    if (position === undefined || completionTokens === null) continue
    sums[position]! += completionTokens
    counts[position]! += 1
  }
  const name = {
    axis: "answerLength",
    title: "answer length",
    note: axisWords.answerLength(baseline.name),
  }
  const lengths = sums.map((sum, i) => (counts[i] === 0 ? Number.NaN : sum / (counts[i] as number)))
  const made = quartileAxis(name, lengths, "tokens")
  return "of" in made || counts.some((count) => count > 0)
    ? made
    : { axis: name.axis, reason: axisWords.noTokens(baseline.name) }
}

/** Samples by how hard earlier runs found them: by the share of their variants that had a sample right, or by their mean score. */
export function difficultyAxis(
  earlier: EarlierScores | string,
  metric: { readonly name: string; readonly direction: "higher" | "lower" },
  positions: SamplePositions,
): MadeAxis {
  if (typeof earlier === "string") return { axis: "difficulty", reason: earlier }
  const { runs, variants, isRate } = earlier
  const values = new Float64Array(positions.size).fill(Number.NaN)
  for (const [sampleId, score] of earlier.scores) {
    const position = positions.get(sampleId)
    if (position !== undefined) values[position] = score
  }
  const name = {
    axis: "difficulty",
    title: "difficulty",
    note: difficultyNote(variants, runs, metric.name),
  }
  if (!isRate || metric.direction === "lower") return quartileAxis(name, values, `(mean ${metric.name} before)`)
  const scores = values.filter((value) => !Number.isNaN(value))
  if (scores.length === 0) return { axis: name.axis, reason: noSlices.noneAsked }
  const shares = ["never right before", axisWords.upToHalf, axisWords.moreThanHalf, "always right before"]
  const band = (share: number) => (share === 0 ? 0 : share <= 0.5 ? 1 : share < 1 ? 2 : 3)
  return { ...name, slices: shares, of: Int16Array.from(values, (x) => (Number.isNaN(x) ? -1 : band(x))) }
}
