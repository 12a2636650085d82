import { settledFrom, type TimedRequest } from "../perf/bench/attainment.ts"
import type { RateTrial } from "../perf/bench/bench-result.ts"
import type { Arrivals } from "../perf/load/arrivals.ts"
import { studentQuantile } from "../stats/distributions.ts"
import { mean } from "../stats/mean.ts"
import { logit, sigmoid } from "../stats/regression/logistic-regression.ts"
import { type BoundedQueue, type LongRun, longRunOf, type QueueModel, shareWithin, waitsOf } from "./queue-model.ts"

/** A rate with its interval at 95 %. @experimental */
export interface CrossingRate {
  readonly rate: number
  readonly low: number
  readonly high: number
  /** Share of the luck of levels that is explained by a queue with their arrivals, above 0 to 1. */
  readonly explained: number
}

/** A rate that was tried, with its requests in the order in which they were due. @experimental */
export interface MeasuredRate extends RateTrial {
  readonly requests: readonly TimedRequest[]
}

/** What a search knows of a server and of the requests that come to it. @experimental */
export interface RateModel {
  readonly server: QueueModel
  /** A long draw of arrivals at one a second, in milliseconds. */
  readonly unit: Arrivals
  /** Share of the requests that must meet their objectives. */
  readonly share: number
}

/**
 * The rate at which the share of requests that meet their objectives falls to `share`. How many do in a short level depends on chance bursts
 * of its arrivals more than on its rate. The arrivals are known: a queue like the server tells what so many requests do at that rate in
 * the long run, and what they do with the very arrivals of the level. The difference of the two is the luck of the level. It is taken off as
 * far as it explains what was seen (a control variate: a queue that is unlike the server takes off less), and a logistic curve over the
 * queue's long run is laid through what is left. The interval is Fieller's, by the curve's covariance; how much levels scatter is
 * taken from what the queue leaves unexplained of the times of requests while levels are few, and from the levels the more there are.
 *
 * @returns of levels, those of before among them, their rate; null when they do not say: fewer than four, none on one side of the share, or a curve
 *   that does not fall
 */
export function createCrossing(model: RateModel): (trials: readonly MeasuredRate[]) => CrossingRate | null {
  const fitQueue = queueFitter(model.server)
  return (trials) => crossingOf(trials, model, fitQueue)
}

function crossingOf(
  trials: readonly MeasuredRate[],
  { unit, share }: RateModel,
  fitQueue: ReturnType<typeof queueFitter>,
): CrossingRate | null {
  const levels = trials.flatMap((trial) => (trial.attainment ? [{ ...trial, kept: trial.attainment.share }] : []))
  if (
    levels.length <= parameters ||
    !levels.some(({ kept }) => kept < share) ||
    levels.every(({ kept }) => kept < share)
  )
    return null
  const { queue, played, explained } = fitQueue(levels)
  if (explained < minExplained) return null
  const inRow = Math.round(levels.reduce((sum, { attainment }) => sum + (attainment?.n ?? 0), 0) / levels.length)
  const longRun = longRunOf(queue, unit, inRow)
  const points = levels.map(({ askedRate, kept, attainment }, i) => {
    const expected = longRun(askedRate)
    const luck = (played[i] as number) - expected.share
    return { x: scaleOf(expected), kept, luck, weight: (attainment?.n ?? 0) / expected.inflation }
  })
  const best = luckParts
    .flatMap((part) => withoutLuck(points, part) ?? [])
    .reduce<Fitted | null>((best, fitted) => (best && best.dispersion <= fitted.dispersion ? best : fitted), null)
  if (!best) return null
  const freedom = levels.length - parameters
  const quantile = studentQuantile(0.975, freedom)
  const unexplained = Math.min(maxUnexplained, (1 - explained) / explained)
  const scatter = Math.max(
    minDispersion,
    best.dispersion,
    (unexplainedFreedom * unexplained + freedom * best.dispersion) / (unexplainedFreedom + freedom),
  )
  const [low, high] = fieller(best.curve, logit(share), quantile * quantile * scatter)
  const rateAt = (x: number) => rateWhere(longRun, x, queue)
  const at = (logit(share) - best.curve.intercept) / best.curve.slope
  // Along the queue's own scale rates fall: what is low there is high here.
  return {
    rate: rateAt(at),
    low: high === null ? 0 : rateAt(high),
    high: low === null ? Number.POSITIVE_INFINITY : rateAt(low),
    explained,
  }
}

/** Of the curve two, and the part of the luck that is taken off. */
const parameters = 3
/** Levels do not by chance agree on nothing at all. */
const minDispersion = 0.05
/** So many levels' worth of evidence is what the queue leaves unexplained, and so large it is at most. */
const [unexplainedFreedom, maxUnexplained] = [8, 4]
const minExplained = 0.01
/** Parts of a level's luck that may be taken off: none, to all. */
const luckParts = Array.from({ length: 21 }, (_, i) => i / 20)
/** Slots and capacities that are tried, as shares of what the first look found. */
const slotFactors = [0.5, 0.7, 1, 1.4, 2]
const capacityFactors = [0.7, 0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.25, 1.4]
/** The long run of a queue at a rate far from its capacity is a share of 0 or 1. */
const [minShare, maxShare] = [0.02, 1 - 1e-4]

function scaleOf({ share }: LongRun): number {
  return logit(Math.min(maxShare, Math.max(minShare, share)))
}

interface Level extends MeasuredRate {
  /** Share of the requests that met the objectives, once the load had settled. */
  readonly kept: number
}

/**
 * The queue whose waits are the most like the times of the requests; requests may wait as long as makes the share of all levels together what was seen.
 * What a queue makes of a level is reckoned once.
 */
function queueFitter(server: QueueModel) {
  const models = modelsNear(server)
  const cache = new Map<Level["requests"], readonly Spread[]>()
  const spreadsOf = ({ requests }: Level): readonly Spread[] => {
    const spreads =
      cache.get(requests) ?? models.map((model) => spreadOf(timesOf(requests), waitsOfLevel(requests, model)))
    cache.set(requests, spreads)
    return spreads
  }
  return (levels: readonly Level[]) => {
    const spreads = levels.map(spreadsOf)
    const residuals = models.map((_, at) => pooledVariance(spreads.map((own) => own[at] as Spread)))
    const model = models[residuals.indexOf(Math.min(...residuals))] as QueueModel
    const waits = levels.map(({ requests }) => waitsOfLevel(requests, model))
    const met = levels.reduce((sum, { kept, attainment }) => sum + kept * (attainment?.n ?? 0), 0)
    const maxWaitMs = joined(waits).sort()[Math.max(0, Math.round(met) - 1)] ?? 0
    const queue: BoundedQueue = { ...model, maxWaitMs }
    const played = waits.map((own) => shareWithin(own, maxWaitMs))
    return { queue, played, explained: explainedBy(levels, waits) }
  }
}

/** Number, mean and sum of squared deviations of what times are longer than waits. */
interface Spread {
  readonly n: number
  readonly mean: number
  readonly squares: number
}

function spreadOf(times: Float64Array, waits: Float64Array): Spread {
  const longer = times.map((time, i) => time - (waits[i] as number))
  const own = mean(longer)
  return { n: longer.length, mean: own, squares: longer.reduce((sum, value) => sum + (value - own) ** 2, 0) }
}

function pooledVariance(spreads: readonly Spread[]): number {
  const n = spreads.reduce((sum, spread) => sum + spread.n, 0)
  const centre = spreads.reduce((sum, spread) => sum + spread.n * spread.mean, 0) / n
  return spreads.reduce((sum, spread) => sum + spread.squares + spread.n * (spread.mean - centre) ** 2, 0) / n
}

function timesOf(requests: readonly TimedRequest[]): Float64Array {
  return settled(Float64Array.from(requests, ({ scheduledMs, endMs }) => endMs - scheduledMs))
}

function modelsNear({ slots, serviceMs }: QueueModel): readonly QueueModel[] {
  const positions = new Set(slotFactors.map((factor) => Math.max(1, Math.round(slots * factor))))
  return [...positions].flatMap((own) =>
    capacityFactors.map((factor) => ({ slots: own, serviceMs: (serviceMs * own) / (slots * factor) })),
  )
}

function settled(values: Float64Array): Float64Array {
  return values.subarray(settledFrom(values.length))
}

/** Of the requests that count; each block begins on an idle server. */
function waitsOfLevel(requests: readonly TimedRequest[], model: QueueModel): Float64Array {
  const due = Float64Array.from(requests, ({ scheduledMs }) => scheduledMs)
  const starts = requests.flatMap(({ block }, i) => (block === requests[i - 1]?.block ? [] : i))
  return settled(joined(starts.map((from, part) => waitsOf(due.subarray(from, starts[part + 1]), model))))
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** How well the waits of a queue explain the times of requests, where it is not overloaded: every queue grows then. */
function explainedBy(levels: readonly Level[], waits: readonly Float64Array[]): number {
  const carried = levels.flatMap(({ kept, requests }, level) =>
    kept > overload ? [{ times: timesOf(requests), waits: waits[level] as Float64Array }] : [],
  )
  return commonVariance(
    carried.map(({ times }) => batchMeans(times)),
    carried.map(({ waits }) => batchMeans(waits)),
  )
}

/** Share of the requests below which a level is overloaded. */
const overload = 0.5

const batches = 20

/** Means of requests in a row: what single requests differ by for reasons of their own is averaged out. */
function batchMeans(values: Float64Array): Float64Array {
  const at = (batch: number) => Math.floor((batch * values.length) / batches)
  return Float64Array.from({ length: batches }, (_, batch) => mean(values.subarray(at(batch), at(batch + 1))))
}

/** Share of the variance within levels that a straight line explains; 0 where it falls. */
function commonVariance(seen: readonly Float64Array[], played: readonly Float64Array[]): number {
  let [xx, yy, xy] = [0, 0, 0]
  for (const [level, ys] of seen.entries()) {
    const xs = played[level] as Float64Array
    const [meanX, meanY] = [mean(xs), mean(ys)]
    for (const [i, y] of ys.entries()) {
      const x = (xs[i] as number) - meanX
      xx += x * x
      yy += (y - meanY) ** 2
      xy += x * (y - meanY)
    }
  }
  return xy > 0 ? (xy * xy) / (xx * yy) : 0
}

/** The rate at which a queue's long run lies at `x` of its scale, to a thousandth of its capacity. */
function rateWhere(longRun: (rate: number) => LongRun, x: number, { slots, serviceMs }: QueueModel): number {
  let [low, high] = [0, (1.2 * 1000 * slots) / serviceMs]
  for (let step = 0; step < 11; step++) {
    const middle = (low + high) / 2
    if (scaleOf(longRun(middle)) >= x) low = middle
    else high = middle
  }
  return (low + high) / 2
}

interface Point {
  readonly x: number
  readonly kept: number
  readonly luck: number
  readonly weight: number
}

interface Fitted {
  readonly curve: Curve
  /** Pearson's statistic over its degrees of freedom: how much more levels scatter about the curve than their weights say. */
  readonly dispersion: number
}

/** A curve through the levels less so much of their luck. */
function withoutLuck(points: readonly Point[], part: number): Fitted | null {
  const levels = points.map(({ x, kept, luck, weight }) => ({
    x,
    weight,
    y: Math.min(1 - shareMargin, Math.max(shareMargin, kept - part * luck)),
  }))
  const curve = fitCurve(levels)
  if (!curve || curve.slope <= 0) return null
  let sum = 0
  for (const { x, y, weight } of levels) {
    const p = sigmoid(curve.intercept + curve.slope * x)
    sum += (weight * (y - p) ** 2) / Math.max(p * (1 - p), minVariance)
  }
  return { curve, dispersion: sum / (levels.length - parameters) }
}

/** Shares are kept off 0 and 1, and their variance off 0. */
const [shareMargin, minVariance] = [5e-4, 0.01]

interface CurvePoint {
  readonly x: number
  readonly y: number
  readonly weight: number
}

interface Curve {
  readonly intercept: number
  readonly slope: number
  /** Covariance of intercept and slope. */
  readonly covariance: readonly [number, number, number]
}

/** Newton's method for a logistic curve of one variable with weights. */
function fitCurve(levels: readonly CurvePoint[]): Curve | null {
  let [a, b] = [0, 0]
  for (let step = 0; step < 200; step++) {
    let [ga, gb, haa, hab, hbb] = [0, 0, 1e-9, 0, 1e-9]
    for (const { x, y, weight } of levels) {
      const p = sigmoid(a + b * x)
      const w = weight * p * (1 - p)
      ga += weight * (y - p)
      gb += weight * (y - p) * x
      haa += w
      hab += w * x
      hbb += w * x * x
    }
    const determinant = haa * hbb - hab * hab
    if (!(determinant > 0)) return null
    const [da, db] = [(hbb * ga - hab * gb) / determinant, (haa * gb - hab * ga) / determinant]
    const damping = Math.min(1, 2 / Math.max(Math.abs(da), Math.abs(db), 1e-300))
    a += damping * da
    b += damping * db
    if (Math.abs(da) + Math.abs(db) < 1e-9)
      return { intercept: a, slope: b, covariance: [hbb / determinant, -hab / determinant, haa / determinant] }
  }
  return null
}

/** Where the curve can be said to pass the target: the roots of (a + bx − t)² = z² · variance(a + bx). */
function fieller(
  { intercept, slope, covariance }: Curve,
  target: number,
  z2: number,
): readonly [number | null, number | null] {
  const [vaa, vab, vbb] = covariance
  const d = intercept - target
  const [p, q, r] = [slope * slope - z2 * vbb, 2 * (d * slope - z2 * vab), d * d - z2 * vaa]
  const root = q * q - 4 * p * r
  if (p <= 0 || root < 0) return [null, null]
  return [(-q - Math.sqrt(root)) / (2 * p), (-q + Math.sqrt(root)) / (2 * p)]
}
