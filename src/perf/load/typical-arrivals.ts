import type { Arrivals } from "./arrivals.ts"

/** A server as a queue: places that serve a request each, first come first served, all for the same time. */
export interface QueueModel {
  readonly slots: number
  /** Milliseconds. */
  readonly serviceMs: number
}

/** Draws that are compared, at least and at most, and waits of all of them together beyond which there are fewer. */
const [minDraws, maxDraws, maxWaits] = [10, 100, 2e6]

/** Share of its slots that a queue may have busy on average. */
const mostBusy = 0.9

/**
 * The most typical of up to 100 draws of arrivals. How long requests wait depends on chance bursts more than on the rate: each draw is played
 * through a queue, and the one is taken whose share of long waits (the longest `1 − share` of all draws) is nearest to the mean. Levels then
 * differ by their rates and not by their luck: a control variate, used in the design. Where the model is wrong it helps less. A queue that
 * cannot keep up with the rate says nothing of luck: it is given the slots that it needs.
 *
 * @param draw arrivals in milliseconds, ascending
 * @param share of the requests that must not wait long, between 0 and 1
 */
export function typicalArrivals(draw: () => Arrivals, model: QueueModel, share: number): Arrivals {
  const first = draw()
  const draws = Math.min(maxDraws, Math.max(minDraws, Math.floor(maxWaits / Math.max(1, first.length))))
  const candidates = [first, ...Array.from({ length: draws - 1 }, draw)]
  const inService = ((first.length - 1) * model.serviceMs) / Math.max(1, first.at(-1) ?? 0)
  const slots = Math.max(1, Math.round(model.slots), Math.ceil(inService / mostBusy))
  const waits = candidates.map((arrivals) => waitsOf(arrivals, { ...model, slots }))
  const all = new Float64Array(waits.reduce((sum, { length }) => sum + length, 0))
  waits.reduce((at, own) => {
    all.set(own, at)
    return at + own.length
  }, 0)
  const long = all.sort()[Math.floor(all.length * share)] ?? 0
  const distance = (own: Float64Array) =>
    Math.abs(own.filter((wait) => wait > long).length / Math.max(1, own.length) - (1 - share))
  const distances = waits.map(distance)
  return candidates[distances.indexOf(Math.min(...distances))] as Arrivals
}

/** Places that all serve for the same time are free in the order in which they were taken. */
function waitsOf(arrivals: Arrivals, { slots, serviceMs }: QueueModel): Float64Array {
  const free = new Float64Array(slots)
  return arrivals.map((atMs, i) => {
    const slot = i % free.length
    const waitMs = Math.max(0, (free[slot] as number) - atMs)
    free[slot] = atMs + waitMs + serviceMs
    return waitMs
  })
}
