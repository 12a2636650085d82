import { mcnemarExact } from "./mcnemar.ts"

/**
 * Sign test of paired differences (two-sided, exact): are rises and falls equally likely? Zeros are left out. 1 when
 * nothing changed.
 * @public
 */
export function signTest(differences: ArrayLike<number>): number {
  let falls = 0
  let rises = 0
  for (let i = 0; i < differences.length; i++) {
    if ((differences[i] as number) < 0) falls++
    else if ((differences[i] as number) > 0) rises++
  }
  return mcnemarExact(falls, rises)
}
