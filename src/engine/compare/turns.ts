import type { AnswerFacts } from "../../core/metric/scored-variant.ts"

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
 * length. Null when the pairs have no stamps of this run.
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
  const blocks = Math.min(mostBlocks, turns)
  const of = Int32Array.from(order, ([a, b]) => Math.floor(((place.get(`${a}/${b}`) as number) * blocks) / turns))
  return { of, blocks, turns }
}

function isStamped({ source, sentMs }: AnswerFacts): boolean {
  return source === "measured" && sentMs !== undefined
}
