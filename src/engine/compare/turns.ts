import type { AnswerFacts } from "../../core/metric/scored-variant.ts"

/** More blocks than this say no more of how far the machine's drift carries, and few are safer against what lingers. */
const mostBlocks = 20

/** Which block of turns each pair fell into. */
export interface TurnBlocks {
  /** Block of each pair, 0 .. blocks − 1. */
  readonly of: Int32Array
  readonly blocks: number
  /** Turns that the baseline had: stretches of its requests that no request of the candidate interrupted. */
  readonly turns: number
}

/**
 * The turns that two variants took on the machine, read from when their requests were sent. Whatever drifts while one of
 * them has its turn looks like a difference between them, so that a turn, not an answer, is one observation. Long series
 * of turns are gathered into at most twenty blocks of equal length. Null when no pair has stamps of this run.
 */
export function turnBlocks(pairs: readonly (readonly [AnswerFacts, AnswerFacts])[]): TurnBlocks | null {
  if (pairs.length === 0 || !pairs.every(([a, b]) => isStamped(a) && isStamped(b))) return null
  const sent = pairs.flatMap(([a, b], pair) => [
    { pair, baseline: true, segment: a.segment ?? 0, at: a.sentMs as number },
    { pair, baseline: false, segment: b.segment ?? 0, at: b.sentMs as number },
  ])
  sent.sort((x, y) => x.segment - y.segment || x.at - y.at || Number(y.baseline) - Number(x.baseline))
  const turnOf = new Int32Array(pairs.length)
  let turn = -1
  let before = false
  for (const { pair, baseline } of sent) {
    if (baseline && !before) turn++
    if (baseline) turnOf[pair] = turn
    before = baseline
  }
  const turns = turn + 1
  const blocks = Math.min(mostBlocks, turns)
  return { of: turnOf.map((one) => Math.floor((one * blocks) / turns)), blocks, turns }
}

function isStamped({ source, sentMs }: AnswerFacts): boolean {
  return source === "measured" && sentMs !== undefined
}
