import { type CalibrationBin, equalMassBins, equalWidthBins } from "./calibration-bins.ts"

/**
 * Calibration error over all classes: each class is looked at as "this class or not", the squared gaps of all classes
 * are averaged, and the root is taken [the marginal calibration error of Kumar, Liang and Ma 2019]; `gap` gives the error
 * of one class's bins.
 *
 * @param probabilities one distribution per answer, all over the same classes
 * @param labels the true class's place in the distribution, one per answer
 * @public
 */
export function marginalGap(
  probabilities: readonly ArrayLike<number>[],
  labels: ArrayLike<number>,
  count: number,
  gap: (bins: readonly CalibrationBin[]) => number,
): number {
  const errors = classBins(probabilities, labels, count, equalMassBins).map((bins) => gap(bins) ** 2)
  return Math.sqrt(errors.reduce((sum, error) => sum + error, 0) / errors.length)
}

/**
 * Static classwise ECE: the mean over classes of the expected gap in bins of equal width [Nixon et al. 2019].
 * @public
 */
export function classwiseGap(
  probabilities: readonly ArrayLike<number>[],
  labels: ArrayLike<number>,
  count: number,
  gap: (bins: readonly CalibrationBin[]) => number,
): number {
  const errors = classBins(probabilities, labels, count, equalWidthBins).map(gap)
  return errors.reduce((sum, error) => sum + error, 0) / errors.length
}

function classBins(
  probabilities: readonly ArrayLike<number>[],
  labels: ArrayLike<number>,
  count: number,
  cut: typeof equalWidthBins,
): CalibrationBin[][] {
  const classes = probabilities[0]?.length ?? 0
  return Array.from({ length: classes }, (_, k) => {
    const claimed = probabilities.map((distribution) => distribution[k] as number)
    const truth = Array.from(labels, (label) => Number(label === k))
    return cut(claimed, truth, count)
  })
}
