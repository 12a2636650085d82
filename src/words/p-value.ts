/**
 * A p-value in a sentence.
 *
 * @example pValue(0.0162) // "p = 0.016"
 * @example pValue(0.0000002) // "p < 0.001"
 */
export function pValue(p: number): string {
  return p < 0.001 ? "p < 0.001" : `p = ${Number(p.toPrecision(2))}`
}
