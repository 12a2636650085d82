/** Ids of runs name files and are typed in shells: letters, digits, `-` and `_`, beginning with a letter or a digit. */
const runIdPattern = /^[a-z0-9][a-z0-9_-]{0,63}$/i

/**
 * Whether a text can be the id of a run.
 *
 * @example isRunId("7f3a91c0") // true
 * @example isRunId("../7f3a") // false
 */
export function isRunId(text: string): boolean {
  return runIdPattern.test(text)
}
