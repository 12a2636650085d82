import type { AnswerFacts } from "../../core/metric/scored-variant.ts"
import { workerOfSegment } from "../../core/run/worker-segment.ts"

/** More blocks than this say no more of how far the machine's drift carries, and few are safer against slow drift. */
const mostBlocks = 20

/** Which block of turns each pair fell into. */
export interface TurnBlocks {
  /** Block of each pair, 0 .. blocks − 1. */
  readonly of: Int32Array
  readonly blocks: number
  /** Turns that both had: stretches of requests of one variant that no request of the other interrupted, in pairs. */
  readonly turns: number
}

/**
 * The turns that two variants took on the machine, read from when their requests were sent. Whatever drifts while one of
 * them has its turn looks like a difference between them, so that a turn of each, not an answer, is one observation: pairs
 * whose answers belong to the same two turns are one block. Long series are gathered into at most twenty blocks of equal
 * length. Where several workers answered, a block holds one worker's turns: what differs between machines then differs between
 * blocks, and looks like no difference between the variants. Null when the pairs have no stamps of this run.
 */
export function turnBlocks(pairs: TurnPairs): TurnBlocks | null {
  let blocks = blocksOf.get(pairs)
  if (blocks === undefined) {
    blocks = findBlocks(pairs)
    blocksOf.set(pairs, blocks)
  }
  return blocks
}

type TurnPairs = readonly (readonly [AnswerFacts, AnswerFacts])[]

/** Blocks of lists that were looked at before: several figures of a comparison are of the same pairs. */
const blocksOf = new WeakMap<TurnPairs, TurnBlocks | null>()

function findBlocks(pairs: TurnPairs): TurnBlocks | null {
  if (pairs.length === 0 || !pairs.every(([a, b]) => isStamped(a) && isStamped(b))) return null
  const sent = pairs.flatMap(([a, b], pair) => [
    { pair, side: 0, segment: a.segment ?? 0, at: a.sentMs as number },
    { pair, side: 1, segment: b.segment ?? 0, at: b.sentMs as number },
  ])
  sent.sort((x, y) => x.segment - y.segment || x.at - y.at || x.side - y.side)
  const stretches = [new Int32Array(pairs.length), new Int32Array(pairs.length)] as const
  let stretch = -1
  let before = -1
  for (const { pair, side } of sent) {
    if (side !== before) stretch++
    const list = side === 0 ? stretches[0] : stretches[1]
    list[pair] = stretch
    before = side
  }
  // Two stretches with one of the other variant between them are a turn of each; both are numbered in the order of time.
  const order = pairs.map((_, pair) => [stretches[0][pair] as number, stretches[1][pair] as number] as const)
  const keys = [...new Set(order.map(([a, b]) => `${a}/${b}`))]
  const time = (key: string) => key.split("/").reduce((sum, one) => sum + Number(one), 0)
  keys.sort((x, y) => time(x) - time(y) || (x < y ? -1 : 1))
  const place = new Map(keys.map((key, i) => [key, i]))
  const turns = keys.length
  const workers = new Map(order.map(([a, b], pair) => [`${a}/${b}`, workerOfSegment(pairs[pair]?.[0].segment ?? 0)]))
  const { blockOf, blocks } = blocksByWorker(keys, workers)
  return { of: Int32Array.from(order, ([a, b]) => blockOf[place.get(`${a}/${b}`) as number] as number), blocks, turns }
}

/** Gives each worker's turns blocks of equal length, as many as its share of the turns; at least one. */
function blocksByWorker(keys: readonly string[], workers: ReadonlyMap<string, number>) {
  const turnsOf = new Map<number, number>()
  for (const key of keys) turnsOf.set(workers.get(key) ?? 0, (turnsOf.get(workers.get(key) ?? 0) ?? 0) + 1)
  const first = new Map<number, number>()
  const countOf = new Map<number, number>()
  let blocks = 0
  for (const [worker, turns] of turnsOf) {
    const count = Math.min(turns, Math.max(1, Math.floor((mostBlocks * turns) / keys.length)))
    first.set(worker, blocks)
    countOf.set(worker, count)
    blocks += count
  }
  const seen = new Map<number, number>()
  const blockOf = keys.map((key) => {
    const worker = workers.get(key) ?? 0
    const nth = seen.get(worker) ?? 0
    seen.set(worker, nth + 1)
    const [turns = 1, count = 1] = [turnsOf.get(worker), countOf.get(worker)]
    return (first.get(worker) ?? 0) + Math.floor((nth * count) / turns)
  })
  return { blockOf, blocks }
}

function isStamped({ source, sentMs }: AnswerFacts): boolean {
  return source === "measured" && sentMs !== undefined
}
