import { areaUnderRoc } from "../../src/stats/calibration/ranking.ts"

/** How well a detector finds what people labelled as hallucinated. Null where undefined. @experimental */
export interface Detection {
  readonly n: number
  /** Answers that are hallucinated by their labels, and those that the detector flags. */
  readonly hallucinated: number
  readonly flagged: number
  /** Of the flagged, those that are hallucinated; of the hallucinated, those that are flagged. 0..1. */
  readonly precision: number | null
  readonly recall: number | null
  /** Probability that a hallucinated answer has a higher score than a sound one; 0.5 is chance. */
  readonly auroc: number | null
}

/**
 * Precision, recall and AUROC of a detector against labels.
 *
 * @example detection([{ score: 0.9, flagged: true, label: true }, { score: 0, flagged: false, label: false }])
 * // { n: 2, hallucinated: 1, flagged: 1, precision: 1, recall: 1, auroc: 1 }
 * @experimental
 */
export function detection(
  answers: readonly { readonly score: number; readonly flagged: boolean; readonly label: boolean }[],
): Detection {
  const count = (of: (answer: (typeof answers)[number]) => boolean) => answers.filter(of).length
  const hit = count(({ flagged, label }) => flagged && label)
  const flagged = count((answer) => answer.flagged)
  const hallucinated = count(({ label }) => label)
  const auroc = areaUnderRoc(
    answers.map(({ score }) => score),
    answers.map(({ label }) => Number(label)),
  )
  return {
    n: answers.length,
    hallucinated,
    flagged,
    precision: flagged === 0 ? null : hit / flagged,
    recall: hallucinated === 0 ? null : hit / hallucinated,
    auroc: Number.isNaN(auroc) ? null : auroc,
  }
}
