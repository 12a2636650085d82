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
  const { baseline, candidate, a, b } = answerPairsBehind(pairs)
  const n = a.length
  const [sentA, sentB] = [baseline.figure("sentMs"), candidate.figure("sentMs")]
  if (n === 0 || !sentA || !sentB) return null
  if (!a.every((place) => isStamped(baseline, sentA, place))) return null
  if (!b.every((place) => isStamped(candidate, sentB, place))) return null
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
  let before = -1
  for (const request of sent) {
    const side = request < n ? 0 : 1
    if (side !== before) stretch++
    stretches[request] = stretch
    before = side
  }
  // Two stretches with one of the other variant between them are a turn of each; both are numbered in the order of time.
  const turnOf = new Map<number, number>()
  const keys: string[] = []
  const workers = new Map<string, number>()
  const of = new Int32Array(n)
  for (let pair = 0; pair < n; pair++) {
    const [first, second] = [stretches[pair] as number, stretches[n + pair] as number]
    const number = first * 2 * n + second
    const known = turnOf.get(number)
    of[pair] = known ?? keys.length
    const key = known === undefined ? `${first}/${second}` : (keys[known] as string)
    if (known === undefined) turnOf.set(number, keys.push(key) - 1)
    workers.set(key, workerOfSegment(segments[pair] as number))
  }
  const found = [...keys]
  const time = (key: string) => key.split("/").reduce((sum, one) => sum + Number(one), 0)
  keys.sort((x, y) => time(x) - time(y) || (x < y ? -1 : 1))
  const place = new Map(keys.map((key, i) => [key, i]))
  const { blockOf, blocks } = blocksByWorker(keys, workers)
  const blockOfTurn = Int32Array.from(found, (key) => blockOf[place.get(key) as number] as number)
  return { of: of.map((turn) => blockOfTurn[turn] as number), blocks, turns: keys.length }
}

/** Gives each worker's turns blocks of equal length, as many as its share of the turns; at least one. */
function blocksByWorker(keys: readonly string[], workers: ReadonlyMap<string, number>) {
  const turnsOf = new Map<number, number>()
  for (const key of keys) turnsOf.set(workers.get(key) ?? 0, (turnsOf.get(workers.get(key) ?? 0) ?? 0) + 1)
  const first = new Map<number, number>()
  const countOf = new Map<number, number>()
  let blocks = 0
  for (const [worker, turns] of turnsOf) {
    const count = Math.min(turns, Math.max(1, Math.floor((maxBlocks * turns) / keys.length)))
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

function isStamped(facts: FactColumns, sent: Float64Array, place: number): boolean {
  return facts.source(place) === "measured" && !Number.isNaN(sent[place])
}
