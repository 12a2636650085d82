import { normalCdf } from "../distributions.ts"

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
 * P(Σ a_i E_i ≤ 0) for independent standard exponential E_i, a value that counts c times standing for c of them. By the inversion
 * formula along the line through the saddle point, with nodes that are spread by a hyperbolic sine.
 */
export function exponentialSumTail(weighted: WeightedValues): number {
  return onSmallSide(weighted, invertedTail)
}

/**
 * {@link exponentialSumTail} to about a hundredth of itself, at a tenth of its cost [Lugannani & Rice 1980, "Saddle point approximation for
 * the distribution of the sum of independent random variables"].
 */
export function approximateSumTail(weighted: WeightedValues): number {
  return onSmallSide(weighted, (small, pole) => {
    const saddle = saddlePoint(small, pole)
    let cumulant = 0
    let curve = 0
    for (let i = 0; i < small.values.length; i++) {
      const part = 1 - saddle * (small.values[i] as number)
      cumulant -= (small.counts[i] as number) * Math.log(part)
      curve += (small.counts[i] as number) * ((small.values[i] as number) / part) ** 2
    }
    const w = -Math.sqrt(Math.max(0, -2 * cumulant))
    const density = Math.exp(cumulant) / Math.sqrt(2 * Math.PI)
    return w > -1e-4 ? 0.5 : normalCdf(w) + density * (1 / w - 1 / (saddle * Math.sqrt(curve)))
  })
}

/** The tail on the side where it is smaller than about one half, given the pole there; 0 or 1 where all values have one sign. */
function onSmallSide(
  { values, counts }: WeightedValues,
  tail: (small: WeightedValues, pole: number) => number,
): number {
  let [least, most, sum] = [0, 0, 0]
  for (let i = 0; i < values.length; i++) {
    least = Math.min(least, values[i] as number)
    most = Math.max(most, values[i] as number)
    sum += (values[i] as number) * (counts[i] as number)
  }
  if (least >= 0) return 0
  if (most <= 0) return 1
  return sum >= 0 ? tail({ values, counts }, 1 / least) : 1 - tail({ values: values.map((a) => -a), counts }, -1 / most)
}

function invertedTail(weighted: WeightedValues, pole: number): number {
  const { values, counts } = weighted
  const length = values.length
  const saddle = saddlePoint(weighted, pole)
  const width = Math.min(-saddle, saddle - pole)
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
