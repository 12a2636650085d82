import type { AnswerFacts } from "../../core/metric/scored-variant.ts"
import { workerOfSegment } from "../../core/run/worker-segment.ts"
import { answerPairsBehind } from "../../rows/answer-pairs.ts"
import type { FactColumns } from "../../rows/columns/fact-columns.ts"

/** More blocks than this say no more of how far the machine's drift carries, and few are safer against slow drift. */
const maxBlocks = 20

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
 * whose answers belong to the same two turns, or to turns that share one of them, are one block. Long series are gathered into at most twenty blocks of equal
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
  const { baseline, candidate, a, b } = answerPairsBehind(pairs)
  const n = a.length
  const [sentA, sentB] = [baseline.figure("sentMs"), candidate.figure("sentMs")]
  if (n === 0 || !sentA || !sentB) return null
  if (!a.every((index) => isStamped(baseline, sentA, index))) return null
  if (!b.every((index) => isStamped(candidate, sentB, index))) return null
  // Requests of both sides, those of the first as 0 .. n − 1, those of the second as n .. 2n − 1.
  const segments = new Int32Array(2 * n)
  const times = new Float64Array(2 * n)
  for (let pair = 0; pair < n; pair++) {
    segments[pair] = baseline.segment(a[pair] as number) ?? 0
    segments[n + pair] = candidate.segment(b[pair] as number) ?? 0
    times[pair] = sentA[a[pair] as number] as number
    times[n + pair] = sentB[b[pair] as number] as number
  }
  const sent = Int32Array.from({ length: 2 * n }, (_, i) => i).sort(
    (x, y) => (segments[x] as number) - (segments[y] as number) || (times[x] as number) - (times[y] as number) || x - y,
  )
  const stretches = new Int32Array(2 * n)
  let stretch = -1
  let [sideBefore, segmentBefore] = [-1, -1]
  for (const request of sent) {
    const [side, segment] = [request < n ? 0 : 1, segments[request] as number]
    if (side !== sideBefore || segment !== segmentBefore) stretch++
    stretches[request] = stretch
    ;[sideBefore, segmentBefore] = [side, segment]
  }
  // Two stretches with one of the other variant between them are a turn of each. Turns that share a stretch are one observation.
  const first = Int32Array.from({ length: stretch + 1 }, (_, i) => i)
  const root = (of: number): number => {
    let at = of
    while (first[at] !== at) at = first[at] as number
    first[of] = at
    return at
  }
  const turns = new Set<number>()
  for (let pair = 0; pair < n; pair++) {
    const [x, y] = [stretches[pair] as number, stretches[n + pair] as number]
    turns.add(x * (stretch + 1) + y)
    const [earlier, later] = [root(x), root(y)].sort((i, j) => i - j) as [number, number]
    first[later] = earlier
  }
  const observations = new Map<number, number>()
  for (let i = 0; i <= stretch; i++) if (root(i) === i) observations.set(i, observations.size)
  const workers = new Int32Array(observations.size)
  const observed = Int32Array.from({ length: n }, (_, pair) => {
    const number = observations.get(root(stretches[pair] as number)) as number
    workers[number] = workerOfSegment(segments[pair] as number)
    return number
  })
  const { blockOf, blocks } = blocksByWorker(workers)
  return { of: observed.map((number) => blockOf[number] as number), blocks, turns: turns.size }
}

/** Gives each worker's observations, in the order of time, blocks of equal length: as many as its share of them; at least one. */
function blocksByWorker(workers: Int32Array) {
  const byWorker = new Map<number, number[]>()
  for (const [at, worker] of workers.entries()) {
    const own = byWorker.get(worker)
    if (own) own.push(at)
    else byWorker.set(worker, [at])
  }
  const blockOf = new Int32Array(workers.length)
  let blocks = 0
  for (const own of byWorker.values()) {
    const count = Math.min(own.length, Math.max(1, Math.floor((maxBlocks * own.length) / workers.length)))
    for (const [nth, at] of own.entries()) blockOf[at] = blocks + Math.floor((nth * count) / own.length)
    blocks += count
  }
  return { blockOf, blocks }
}

function isStamped(facts: FactColumns, sent: Float64Array, index: number): boolean {
  return facts.source(index) === "measured" && !Number.isNaN(sent[index])
}
