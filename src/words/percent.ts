import { amount } from "./amount.ts"

/**
 * A share as per cent.
 *
 * @example percent(0.125) // "12.5 %"
 */
export function percent(share: number): string {
  return `${amount(share * 100)} %`
}
