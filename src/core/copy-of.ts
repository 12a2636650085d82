/** What a changed copy of a sample was made from, and how. @experimental */
export interface CopyOf {
  /** The id of the sample that was copied. */
  readonly id: string
  /** `perturbed`: the same question in another form. `counterfactual`: an attribute of a person was exchanged. */
  readonly kind: "perturbed" | "counterfactual"
  /** The perturbation, or the attribute that was exchanged. */
  readonly change: string
}

/**
 * An id for a copy that a reader recognises, unique where no sample has two copies by the same change. Nothing reads its
 * meaning: that is in `Sample.copyOf`.
 *
 * @example copyId({ id: "q1", kind: "perturbed", change: "typos" }) // "q1~perturbed:typos"
 * @experimental
 */
export function copyId({ id, kind, change }: CopyOf): string {
  return `${id}~${kind}:${change}`
}
