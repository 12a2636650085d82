/** A temperature and what it does to the loss that it was fitted on. @public */
export interface FittedTemperature {
  readonly temperature: number
  /** Mean negative log-likelihood in nats before (temperature 1) and after, on the data of the fit. */
  readonly lossBefore: number
  readonly lossAfter: number
}

/** Searched range of 1/temperature. */
const minInverse = 1e-4
const maxInverse = 1e4

/**
 * Temperature scaling: the one number by which all logits are divided so that the negative log-likelihood is least
 * [Guo et al. 2017]. The loss is convex in 1/T: its slope is brought to 0 by bisection with Newton steps.
 * Where no finite temperature is best (all answers right, say) it ends at the edge of the range 1e-4..1e4.
 *
 * @param logits one row per answer (n × classes); log-probabilities serve as well
 * @param labels the true class of each row
 * @public
 */
export function fitTemperature(logits: readonly ArrayLike<number>[], labels: ArrayLike<number>): FittedTemperature {
  const at = (inverse: number) => slopeAndLoss(logits, labels, inverse)
  let low = minInverse
  let high = maxInverse
  let inverse = 1
  for (let step = 0; step < 200 && high - low > 1e-14 * inverse; step++) {
    const { slope, curvature } = at(inverse)
    if (slope > 0) high = inverse
    else low = inverse
    const newton = inverse - slope / curvature
    const next = newton > low && newton < high ? newton : Math.sqrt(low * high)
    if (Math.abs(next - inverse) <= 1e-15 * inverse) break
    inverse = next
  }
  return { temperature: 1 / inverse, lossBefore: at(1).loss, lossAfter: at(inverse).loss }
}

/** The distribution of logits at a temperature; sums to 1. @public */
export function softmax(logits: ArrayLike<number>, temperature = 1): Float64Array {
  const scaled = Float64Array.from(logits, (logit) => logit / temperature)
  const max = scaled.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  let total = 0
  for (let k = 0; k < scaled.length; k++) {
    scaled[k] = Math.exp((scaled[k] as number) - max)
    total += scaled[k] as number
  }
  return scaled.map((weight) => weight / total)
}

/** Mean loss with its first two derivatives in β = 1/T: E[z] − z_true and Var[z] under softmax(βz). */
function slopeAndLoss(logits: readonly ArrayLike<number>[], labels: ArrayLike<number>, inverse: number) {
  let slope = 0
  let curvature = 0
  let loss = 0
  logits.forEach((row, i) => {
    const truth = row[labels[i] as number] as number
    let max = Number.NEGATIVE_INFINITY
    for (let k = 0; k < row.length; k++) max = Math.max(max, row[k] as number)
    let total = 0
    let first = 0
    let second = 0
    for (let k = 0; k < row.length; k++) {
      const logit = row[k] as number
      const weight = Math.exp(inverse * (logit - max))
      if (weight === 0) continue
      total += weight
      first += weight * logit
      second += weight * logit * logit
    }
    const mean = first / total
    slope += mean - truth
    curvature += second / total - mean * mean
    loss += Math.log(total) + inverse * (max - truth)
  })
  const n = logits.length
  return { slope: slope / n, curvature: curvature / n, loss: loss / n }
}
