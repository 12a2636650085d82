import { mannWhitney } from "../../stats/tests/mann-whitney.ts"

/** How labelled rows came to be labelled, and whether they look as if they had been drawn by chance. @experimental */
export interface LabelDraw {
  /**
   * - `all`: every row with a verdict has a label;
   * - `probabilities`: each row states the probability with which it was to be labelled;
   * - `stated`: it was said which labels were drawn by chance;
   * - `unstated`: nobody said.
   */
  readonly how: "all" | "probabilities" | "stated" | "unstated"
  /** Mann–Whitney test of the judge's scores, labelled rows against the others; null without both or with probabilities. */
  readonly p: number | null
  /** Labelled rows have other scores than chance explains (p < 0.05): a mean that they correct is biased. */
  readonly differs: boolean
}

/**
 * Whether labels may correct a mean. A person who labels what the judge called bad sees other answers than those that are
 * left, and the judge errs differently on them.
 */
export function labelDraw(
  judged: readonly {
    readonly judge: number
    readonly human: number | null
    readonly probability?: number | undefined
  }[],
  isStated: boolean,
): LabelDraw {
  if (judged.length > 0 && judged.every(({ probability }) => probability !== undefined))
    return { how: "probabilities", p: null, differs: false }
  const labelled = judged.flatMap(({ judge, human }) => (human === null ? [] : [judge]))
  const others = judged.flatMap(({ judge, human }) => (human === null ? [judge] : []))
  if (others.length === 0) return { how: "all", p: null, differs: false }
  const how = isStated ? "stated" : "unstated"
  if (labelled.length === 0) return { how, p: null, differs: false }
  const { p } = mannWhitney(labelled, others)
  return Number.isFinite(p) ? { how, p, differs: p < 0.05 } : { how, p: null, differs: false }
}
