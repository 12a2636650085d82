/** Corrections of several p-values; the names are statsmodels'. @public */
export type Correction =
  | "bonferroni"
  | "sidak"
  | "holm"
  | "holm-sidak"
  | "simes-hochberg"
  | "hommel"
  | "fdr_bh"
  | "fdr_by"

/**
 * Adjusted p-values in the order of the input: below alpha after adjustment means rejected while the whole family's
 * error stays at alpha (Holm: family-wise; Benjamini–Hochberg: false discovery rate).
 *
 * @example adjustP([0.01, 0.02, 0.03], "holm") // [0.03, 0.04, 0.04]
 * @public
 */
export function adjustP(pValues: readonly number[], correction: Correction): number[] {
  const m = pValues.length
  const order = pValues.map((_, i) => i).sort((i, j) => (pValues[i] as number) - (pValues[j] as number))
  const sorted = order.map((i) => pValues[i] as number)
  const adjusted = adjustSorted(sorted, correction, m).map((p) => Math.min(1, p))
  const result = new Array<number>(m)
  order.forEach((original, k) => {
    result[original] = adjusted[k] as number
  })
  return result
}

/**
 * Adjusted p-values of e-values by the e-BH procedure (Wang & Ramdas 2022): rejected where at most alpha, with the false
 * discovery rate at alpha however the e-values depend on each other. m / (k · e₍ₖ₎) with a running minimum from the smallest
 * e-value; never above 1.
 *
 * @param eValues non-negative, expectation at most 1 under each null
 * @example adjustE([200, 100, 4]) // [0.015, 0.015, 0.25]
 * @public
 */
export function adjustE(eValues: readonly number[]): number[] {
  const m = eValues.length
  const order = eValues.map((_, i) => i).sort((i, j) => (eValues[j] as number) - (eValues[i] as number))
  const sorted = order.map((i, k) => Math.min(1, m / ((k + 1) * (eValues[i] as number))))
  const adjusted = runningMinFromEnd(sorted)
  const result = new Array<number>(m)
  order.forEach((original, k) => {
    result[original] = adjusted[k] as number
  })
  return result
}

function adjustSorted(p: readonly number[], correction: Correction, m: number): number[] {
  switch (correction) {
    case "bonferroni":
      return p.map((value) => value * m)
    case "sidak":
      return p.map((value) => -Math.expm1(m * Math.log1p(-value)))
    case "holm":
      return runningMax(p.map((value, k) => value * (m - k)))
    case "holm-sidak":
      return runningMax(p.map((value, k) => -Math.expm1((m - k) * Math.log1p(-value))))
    case "simes-hochberg":
      return runningMinFromEnd(p.map((value, k) => value * (m - k)))
    case "fdr_bh":
      return runningMinFromEnd(p.map((value, k) => (value * m) / (k + 1)))
    case "fdr_by": {
      let harmonic = 0
      for (let k = 1; k <= m; k++) harmonic += 1 / k
      return runningMinFromEnd(p.map((value, k) => (value * m * harmonic) / (k + 1)))
    }
    case "hommel":
      return hommel(p, m)
  }
}

function runningMax(values: number[]): number[] {
  let max = 0
  return values.map((value) => {
    max = Math.max(max, value)
    return max
  })
}

function runningMinFromEnd(values: number[]): number[] {
  const result = [...values]
  for (let k = result.length - 2; k >= 0; k--) result[k] = Math.min(result[k] as number, result[k + 1] as number)
  return result
}

/** Hommel 1988, by the algorithm of Wright 1992. */
function hommel(p: readonly number[], m: number): number[] {
  const adjusted = [...p]
  for (let size = m; size > 1; size--) {
    const first = m - size + 1
    let min = Number.POSITIVE_INFINITY
    for (let k = 1; k < size; k++) min = Math.min(min, (size * (p[first + k - 1] as number)) / (1 + k))
    for (let k = 0; k < m; k++) {
      const bound = k < first ? Math.min(min, size * (p[k] as number)) : min
      adjusted[k] = Math.max(adjusted[k] as number, bound)
    }
  }
  return adjusted
}
