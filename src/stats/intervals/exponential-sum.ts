/** Weighted values: `values[i]` counts `counts[i]` times; counts need not be whole. */
export interface WeightedValues {
  readonly values: Float64Array
  readonly counts: Float64Array
}

/** Distance of the nodes before the hyperbolic sine spreads them: seven digits of the bound, mostly more. */
const step = 0.12
const smallest = 1e-11
/** Factors that are multiplied before their size is taken off, so that it cannot overflow. */
const together = 16

/**
 * P(Σ a_i E_i ≤ 0) for independent standard exponential E_i, a value that counts c times standing for c of them, where the
 * mean Σ c_i a_i is above 0 and some a_i is below: the tail that is smaller than about one half. By the inversion formula
 * along the line through the saddle point, with nodes that are spread by a hyperbolic sine.
 */
export function exponentialSumTail(weighted: WeightedValues): number {
  const { values, counts } = weighted
  const length = values.length
  let least = 0
  for (let i = 0; i < length; i++) if ((values[i] as number) < least) least = values[i] as number
  if (least >= 0) return 0
  const saddle = saddlePoint(weighted, 1 / least)
  const width = Math.min(-saddle, saddle - 1 / least)
  // Each factor relative to its value at the saddle point: (1 − i·y·b) with b = a / (1 − saddle·a).
  const relative = new Float64Array(length)
  let start = 0
  for (let i = 0; i < length; i++) {
    const a = values[i] as number
    relative[i] = a / (1 - saddle * a)
    start -= (counts[i] as number) * Math.log1p(-saddle * a)
  }
  let total = 0.5 / -saddle
  for (let node = 1; node < 1000; node++) {
    const y = width * Math.sinh(node * step)
    let size = 0
    let turn = 0
    let real = 1
    let imaginary = 0
    let multiplied = 0
    for (let i = 0; i < length; i++) {
      const part = -y * (relative[i] as number)
      const count = counts[i] as number
      if (count === 1) {
        const was = real
        real -= imaginary * part
        imaginary += was * part
        if (++multiplied % together === 0) {
          const modulus = Math.hypot(real, imaginary)
          size -= Math.log(modulus)
          real /= modulus
          imaginary /= modulus
        }
      } else {
        size -= 0.5 * count * Math.log1p(part * part)
        turn -= count * Math.atan2(part, 1)
      }
    }
    size -= Math.log(Math.hypot(real, imaginary))
    turn -= Math.atan2(imaginary, real)
    // e^{K(s)} / −s with s = saddle + i·y, relative to e^{K(saddle)}.
    const modulus = (Math.exp(size) / Math.hypot(saddle, y)) * Math.cosh(node * step)
    total += modulus * Math.cos(turn - Math.atan2(-y, -saddle))
    if (modulus < smallest * Math.abs(total)) break
  }
  return Math.min(1, Math.max(0, (Math.exp(start) * total * step * width) / Math.PI))
}

/** Where the derivative of the cumulant generating function is 0, between its pole below 0 and 0: Newton's steps, kept inside. */
function saddlePoint({ values, counts }: WeightedValues, pole: number): number {
  let low = pole
  let high = 0
  let s = pole / 2
  for (let round = 0; round < 100; round++) {
    let slope = 0
    let curve = 0
    for (let i = 0; i < values.length; i++) {
      const part = (values[i] as number) / (1 - s * (values[i] as number))
      slope += (counts[i] as number) * part
      curve += (counts[i] as number) * part * part
    }
    if (slope > 0) high = s
    else low = s
    const next = s - slope / curve
    const moved = next > low && next < high ? next : (low + high) / 2
    // The line need not pass through the point exactly.
    if (Math.abs(moved - s) <= 1e-4 * Math.abs(s)) return moved
    s = moved
  }
  return s
}
