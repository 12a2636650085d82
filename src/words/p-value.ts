/**
 * A p-value as readers expect it in tables, two significant digits without trailing zeros; JSON keeps its digits.
 *
 * @example pNumber(0.000000231) // "< 0.001"
 * @example pNumber(0.0162) // "0.016"
 */
export function pNumber(p: number): string {
  if (!Number.isFinite(p)) return "unknown"
  return p < 0.001 ? "< 0.001" : String(Number(p.toPrecision(2)))
}

/**
 * A p-value in a sentence.
 *
 * @example pValue(0.0162) // "p = 0.016"
 * @example pValue(0.0000002) // "p < 0.001"
 */
export function pValue(p: number): string {
  return p < 0.001 ? `p ${pNumber(p)}` : `p = ${pNumber(p)}`
}
