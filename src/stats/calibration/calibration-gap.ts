import { normalCdf, normalPdf } from "../distributions.ts"
import type { CalibrationBin } from "./calibration-bins.ts"

/**
 * Expected calibration error: the gap between confidence and accuracy of each bin, weighted by its answers
 * [Naeini, Cooper and Hauskrecht 2015]. 0 is perfect, 1 the worst; NaN for no bins.
 * @public
 */
export function expectedGap(bins: readonly CalibrationBin[]): number {
  return bins.reduce((sum, bin) => sum + bin.n * Math.abs(bin.confidence - bin.accuracy), 0) / total(bins)
}

/** Maximum calibration error: the largest gap of a bin. NaN for no bins. @public */
export function maximumGap(bins: readonly CalibrationBin[]): number {
  if (bins.length === 0) return Number.NaN
  return Math.max(...bins.map((bin) => Math.abs(bin.confidence - bin.accuracy)))
}

/** Average calibration error: the mean gap over bins, each counted once whatever its size. NaN for no bins. @public */
export function averageGap(bins: readonly CalibrationBin[]): number {
  return bins.reduce((sum, bin) => sum + Math.abs(bin.confidence - bin.accuracy), 0) / bins.length
}

/** Root of the mean squared gap, weighted by answers: the plug-in L2 calibration error. NaN for no bins. @public */
export function rootMeanSquareGap(bins: readonly CalibrationBin[]): number {
  return Math.sqrt(bins.reduce((sum, bin) => sum + bin.n * (bin.confidence - bin.accuracy) ** 2, 0) / total(bins))
}

/**
 * L2 calibration error without the part that chance alone puts into a bin: p̂(1 − p̂)/(n − 1) is taken off each squared
 * gap [Kumar, Liang and Ma 2019]; a bin of one answer counts as 0. Not below 0. NaN for no bins.
 * @public
 */
export function debiasedRootMeanSquareGap(bins: readonly CalibrationBin[]): number {
  return Math.sqrt(Math.max(0, debiasedSquareGap(bins)))
}

/**
 * Share-weighted confidence above accuracy (over) and below it (under), both as positive numbers; their sum is the ECE.
 */
export function signedGaps(bins: readonly CalibrationBin[]): { readonly over: number; readonly under: number } {
  let over = 0
  let under = 0
  for (const bin of bins) {
    const gap = bin.n * (bin.confidence - bin.accuracy)
    if (gap > 0) over += gap
    else under -= gap
  }
  const n = total(bins)
  return { over: over / n, under: under / n }
}

function total(bins: readonly CalibrationBin[]): number {
  return bins.reduce((sum, bin) => sum + bin.n, 0)
}

/**
 * Expected calibration error without the part that chance alone puts into it: twice the plug-in less what it would be, on
 * average, if accuracies varied around what was seen by √(p̂(1 − p̂)/n) (the mean of the folded normal distribution). It may
 * be below 0 for a calibrated model. The limit of `normal_debiased_ce` of verified_calibration [Kumar, Liang and Ma 2019],
 * which refuses bins of one answer; here they count as they are. NaN for no bins.
 * @public
 */
export function debiasedExpectedGap(bins: readonly CalibrationBin[]): number {
  const expected = bins.reduce((sum, bin) => {
    const gap = Math.abs(bin.confidence - bin.accuracy)
    const deviation = Math.sqrt((bin.accuracy * (1 - bin.accuracy)) / bin.n)
    if (deviation === 0) return sum + bin.n * gap
    const z = gap / deviation
    return sum + bin.n * (2 * deviation * normalPdf(z) + gap * (1 - 2 * normalCdf(-z)))
  }, 0)
  return 2 * expectedGap(bins) - expected / total(bins)
}

/** The debiased mean squared gap of {@link debiasedRootMeanSquareGap} before its root: may be below 0. */
export function debiasedSquareGap(bins: readonly CalibrationBin[]): number {
  const squared = bins.reduce((sum, bin) => {
    if (bin.n < 2) return sum
    const chance = (bin.accuracy * (1 - bin.accuracy)) / (bin.n - 1)
    return sum + bin.n * ((bin.confidence - bin.accuracy) ** 2 - chance)
  }, 0)
  return squared / total(bins)
}
