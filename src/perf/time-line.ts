import type { SpeedFigures } from "../core/report/report.ts"

/** What happened in each second of a run. Segments, whose clocks differ, follow one another. */
export interface TimeLine {
  started(segment: number, atMs: number): void
  ended(segment: number, atMs: number, failed: boolean): void
  tokens(segment: number, atMs: number, count: number): void
  seconds(): SpeedFigures["overTime"]
}

/** Over a longer time, seconds in which nothing happened are left out: a file may state any. */
const mostSeconds = 100_000

/** An empty time line; it keeps four counts per second that saw something. */
export function createTimeLine(): TimeLine {
  const segments = new Map<number, Map<number, Tally>>()
  const tally = (segment: number, atMs: number): Tally => {
    const seconds = segments.get(segment) ?? new Map<number, Tally>()
    segments.set(segment, seconds)
    const second = Math.max(0, Math.floor(atMs / 1000))
    const found = seconds.get(second) ?? { ...idle }
    seconds.set(second, found)
    return found
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
      const line: SpeedFigures["overTime"][number][] = []
      let from = 0
      for (const segment of [...segments.keys()].sort((a, b) => a - b)) {
        const seconds = segments.get(segment) as Map<number, Tally>
        const known = [...seconds.keys()].sort((a, b) => a - b)
        const [first, last] = [known[0] as number, known.at(-1) as number]
        const at = (second: number) => ({ second: from + second - first, ...(seconds.get(second) ?? idle) })
        // Counted by length: among the largest numbers that a file may state, the next second is the same number.
        if (last - first < mostSeconds) for (let i = 0; i <= last - first; i++) line.push(at(first + i))
        else for (const second of known) line.push(at(second))
        from += last - first + 1
      }
      return line
    },
  }
}

interface Tally {
  started: number
  ended: number
  tokens: number
  failed: number
}

const idle: Readonly<Tally> = { started: 0, ended: 0, tokens: 0, failed: 0 }
