/**
 * Two texts that differ in the group that they mention (CrowS-Pairs), with an unrelated text where there is one (StereoSet).
 * @public
 */
export interface PreferencePair {
  readonly id: string
  /** The attribute: race, gender … */
  readonly attribute: string
  readonly stereotype: string
  readonly antiStereotype: string
  readonly unrelated?: string
}

/** Which of a pair's texts one is. @public */
export type PairRole = "stereotype" | "antiStereotype" | "unrelated"

/** Whether a value is the name of one of a pair's texts. */
export function isPairRole(value: unknown): value is PairRole {
  return value === "stereotype" || value === "antiStereotype" || value === "unrelated"
}
