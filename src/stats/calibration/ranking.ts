/** Answers of one confidence: how many, and how many of them right. */
interface TieGroup {
  readonly n: number
  readonly right: number
}

/**
 * Area under the ROC curve: the probability that a right answer is more confident than a wrong one, ties counting half
 * (Mann and Whitney). NaN unless there are both right and wrong answers.
 *
 * @param correct 0 or 1 each
 * @public
 */
export function areaUnderRoc(confidence: ArrayLike<number>, correct: ArrayLike<number>): number {
  let rightAbove = 0
  let pairs = 0
  let wrong = 0
  for (const group of tieGroups(confidence, correct)) {
    // From the most confident down: each wrong answer is beaten by the right ones above, and half by those beside it.
    const wrongHere = group.n - group.right
    pairs += wrongHere * (rightAbove + group.right / 2)
    rightAbove += group.right
    wrong += wrongHere
  }
  return pairs / (rightAbove * wrong)
}

/**
 * Average precision: the area under the precision–recall curve as a step function, as scikit-learn computes it. NaN
 * without right answers.
 * @public
 */
export function averagePrecision(confidence: ArrayLike<number>, correct: ArrayLike<number>): number {
  let seen = 0
  let right = 0
  let sum = 0
  for (const group of tieGroups(confidence, correct)) {
    seen += group.n
    right += group.right
    sum += group.right * (right / seen)
  }
  return sum / right
}

/**
 * Accuracy among the k most confident answers, for k = 1 … n: one minus the risk–coverage curve. Among answers of equal
 * confidence each order counts alike (the expectation over them), so that the result does not depend on the rows' order.
 *
 * @returns n accuracies; the last is the plain accuracy
 * @public
 */
export function selectiveAccuracy(confidence: ArrayLike<number>, correct: ArrayLike<number>): Float64Array {
  const accuracy = new Float64Array(confidence.length)
  let seen = 0
  let right = 0
  for (const group of tieGroups(confidence, correct)) {
    const rate = group.right / group.n
    for (let k = 1; k <= group.n; k++) accuracy[seen + k - 1] = (right + k * rate) / (seen + k)
    seen += group.n
    right += group.right
  }
  return accuracy
}

/** Groups of equal confidence, from the most confident down. Sorts right and wrong answers apart, as plain numbers. */
function tieGroups(confidence: ArrayLike<number>, correct: ArrayLike<number>): TieGroup[] {
  const sorted = (isRight: boolean) => {
    const values = new Float64Array(confidence.length)
    let n = 0
    for (let i = 0; i < confidence.length; i++)
      if ((correct[i] === 1) === isRight) values[n++] = confidence[i] as number
    return values.subarray(0, n).sort()
  }
  const [right, wrong] = [sorted(true), sorted(false)]
  const groups: TieGroup[] = []
  let r = right.length - 1
  let w = wrong.length - 1
  while (r >= 0 || w >= 0) {
    const value = Math.max(right[r] ?? Number.NEGATIVE_INFINITY, wrong[w] ?? Number.NEGATIVE_INFINITY)
    const [rightBefore, wrongBefore] = [r, w]
    while (r >= 0 && right[r] === value) r--
    while (w >= 0 && wrong[w] === value) w--
    groups.push({ n: rightBefore - r + wrongBefore - w, right: rightBefore - r })
  }
  return groups
}
