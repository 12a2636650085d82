/** A true class and the class that the answer names, as places in the list of labels; −1: none can be read from the answer. @public */
export type LabelRow = { readonly actual: number; readonly predicted: number }

/** Averages over classes. */
export interface ClassAverages {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** Figures of one class. */
export interface ClassFigures extends ClassAverages {
  /** Answers whose true class it is, and answers that name it. */
  readonly support: number
  readonly predicted: number
}

/** Every figure of a classification, as scikit-learn computes it. */
export interface ClassificationFigures {
  readonly n: number
  /** Answers from which no label can be read: wrong, and in no class's predictions. */
  readonly unread: number
  readonly accuracy: number
  /** Mean recall of the classes that occur. */
  readonly balancedAccuracy: number
  /** Matthews correlation coefficient over all classes (Gorodkin 2004), −1..1; unread answers are a class of their own. */
  readonly mcc: number
  readonly macro: ClassAverages
  readonly micro: ClassAverages
  /** By the support of each class. */
  readonly weighted: ClassAverages
  readonly classes: readonly ClassFigures[]
}

/** Length of the vector of {@link addLabels} for so many labels. */
export function countsSize(labels: number): number {
  return 2 + 3 * labels
}

/** Writes one answer's counts: answers, unread ones, then by class: right ones, those that name it, those that are of it. */
export function writeCounts({ actual, predicted }: LabelRow, labels: number, into: Float64Array, offset: number): void {
  into.fill(0, offset, offset + countsSize(labels))
  into[offset] = 1
  into[offset + 2 + 2 * labels + actual] = 1
  if (predicted < 0) into[offset + 1] = 1
  else into[offset + 2 + labels + predicted] = 1
  if (predicted === actual) into[offset + 2 + actual] = 1
}

/** The figures of a sum of counts. A share of nothing is 0, as scikit-learn's `zero_division` is; NaN without an answer. */
export function figuresOf(counts: ArrayLike<number>, labels: number): ClassificationFigures {
  const at = (index: number) => counts[index] as number
  const [n, unread] = [at(0), at(1)]
  const positions = Array.from({ length: labels }, (_, i) => i)
  const right = (i: number) => at(2 + i)
  const predicted = (i: number) => at(2 + labels + i)
  const actual = (i: number) => at(2 + 2 * labels + i)
  const classes = positions.map((i) => ({
    precision: share(right(i), predicted(i)),
    recall: share(right(i), actual(i)),
    f1: share(2 * right(i), predicted(i) + actual(i)),
    support: actual(i),
    predicted: predicted(i),
  }))
  const total = (of: (i: number) => number) => positions.reduce((sum, i) => sum + of(i), 0)
  const [correct, read] = [total(right), total(predicted)]
  const average = (weight: (classFigures: ClassFigures) => number): ClassAverages => {
    const all = classes.reduce((sum, entry) => sum + weight(entry), 0)
    const mean = (of: keyof ClassAverages) =>
      share(
        classes.reduce((sum, entry) => sum + weight(entry) * entry[of], 0),
        all,
      )
    return { precision: mean("precision"), recall: mean("recall"), f1: mean("f1") }
  }
  const occurring = classes.filter(({ support }) => support > 0)
  const squares = (of: (i: number) => number) => total((i) => of(i) ** 2)
  const spread = Math.sqrt((n ** 2 - squares(predicted) - unread ** 2) * (n ** 2 - squares(actual)))
  return {
    n,
    unread,
    accuracy: correct / n,
    balancedAccuracy: occurring.reduce((sum, { recall }) => sum + recall, 0) / occurring.length,
    mcc: n === 0 ? Number.NaN : share(correct * n - total((i) => predicted(i) * actual(i)), spread),
    macro: average(() => 1),
    micro: { precision: share(correct, read), recall: share(correct, n), f1: share(2 * correct, read + n) },
    weighted: average(({ support }) => support),
    classes,
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
