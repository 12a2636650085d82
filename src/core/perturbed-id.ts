/** What a changed copy of a sample is a copy of. */
export interface PerturbedId {
  readonly cleanId: string
  readonly perturbation: string
}

const mark = "~perturbed:"

/** The id of a sample's copy under a perturbation, from which {@link splitPerturbedId} finds both again. */
export function perturbedId(cleanId: string, perturbation: string): string {
  return `${cleanId}${mark}${perturbation}`
}

/**
 * The sample and the perturbation behind an id; null for the id of an untouched sample.
 *
 * @example splitPerturbedId(perturbedId("q1", "typos")) // { cleanId: "q1", perturbation: "typos" }
 */
export function splitPerturbedId(id: string): PerturbedId | null {
  const at = id.lastIndexOf(mark)
  return at < 0 ? null : { cleanId: id.slice(0, at), perturbation: id.slice(at + mark.length) }
}
