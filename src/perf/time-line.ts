import type { SpeedFigures } from "../core/report/report.ts"

/**
 * What happened in each second of a run. Segments, whose clocks differ, follow one another, each as long as it took: variants that
 * take turns have a segment a turn, of which many end within one second.
 */
export interface TimeLine {
  started(segment: number, atMs: number): void
  ended(segment: number, atMs: number, failed: boolean): void
  tokens(segment: number, atMs: number, count: number): void
  seconds(): SpeedFigures["overTime"]
}

/** Over a longer time, seconds in which nothing happened are left out: a file may state any. */
const maxSeconds = 100_000

/** An empty time line; it keeps four counts per second that saw something. */
export function createTimeLine(): TimeLine {
  const segments = new Map<number, Segment>()
  const tally = (segment: number, atMs: number): Tally => {
    const own = segments.get(segment) ?? { firstMs: atMs, lastMs: atMs, seconds: new Map<number, Tally>() }
    segments.set(segment, own)
    own.firstMs = Math.min(own.firstMs, atMs)
    own.lastMs = Math.max(own.lastMs, atMs)
    const second = Math.max(0, Math.floor(atMs / 1000))
    const entry = own.seconds.get(second) ?? { ...idle }
    own.seconds.set(second, entry)
    return entry
  }
  return {
    started: (segment, atMs) => void tally(segment, atMs).started++,
    ended(segment, atMs, failed) {
      const second = tally(segment, atMs)
      second.ended++
      if (failed) second.failed++
    },
    tokens(segment, atMs, count) {
      tally(segment, atMs).tokens += count
    },
    seconds() {
      const whole = new Map<number, Tally>()
      let fromMs = 0
      for (const segment of [...segments.keys()].sort((a, b) => a - b)) {
        const { firstMs, lastMs, seconds } = segments.get(segment) as Segment
        const first = Math.max(0, Math.floor(firstMs / 1000))
        for (const [second, part] of seconds) {
          const index = Math.floor(fromMs / 1000) + second - first
          whole.set(index, sumOf(whole.get(index) ?? idle, part))
        }
        fromMs += lastMs - firstMs
      }
      const indices = [...whole.keys()].sort((a, b) => a - b)
      const last = indices.at(-1) ?? -1
      const at = (second: number) => ({ second, ...(whole.get(second) ?? idle) })
      return last < maxSeconds ? Array.from({ length: last + 1 }, (_, second) => at(second)) : indices.map(at)
    },
  }
}

interface Segment {
  firstMs: number
  lastMs: number
  readonly seconds: Map<number, Tally>
}

interface Tally {
  started: number
  ended: number
  tokens: number
  failed: number
}

const idle: Readonly<Tally> = { started: 0, ended: 0, tokens: 0, failed: 0 }

function sumOf(a: Readonly<Tally>, b: Readonly<Tally>): Tally {
  return {
    started: a.started + b.started,
    ended: a.ended + b.ended,
    tokens: a.tokens + b.tokens,
    failed: a.failed + b.failed,
  }
}
