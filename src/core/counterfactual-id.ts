/** What a copy with an exchanged attribute is a copy of. */
export interface CounterfactualId {
  readonly originalId: string
  readonly attribute: string
}

const mark = "~counterfactual:"

/** The id of a sample's copy with an attribute exchanged, from which {@link splitCounterfactualId} finds both again. */
export function counterfactualId(originalId: string, attribute: string): string {
  return `${originalId}${mark}${attribute}`
}

/**
 * The sample and the attribute behind an id; null for the id of an original.
 *
 * @example splitCounterfactualId(counterfactualId("q1", "gender")) // { originalId: "q1", attribute: "gender" }
 */
export function splitCounterfactualId(id: string): CounterfactualId | null {
  const at = id.lastIndexOf(mark)
  return at < 0 ? null : { originalId: id.slice(0, at), attribute: id.slice(at + mark.length) }
}
