import { mappedFrom, releaseNumbers } from "../../stats/mapped-numbers.ts"
import { speedReasons } from "../../words/perf/speed.ts"

/** The part of a run that counts for throughput, in milliseconds of its segment; or why there is none. */
export type SteadyWindow =
  | { readonly status: "known"; readonly startMs: number; readonly endMs: number }
  | { readonly status: "unknown"; readonly reason: string }

/**
 * The window of steady load: from the first moment when every slot is busy to the first moment when the plan has
 * nothing left to start, which is the start of the last request. Where requests were sent one at a time there is no tail in
 * which slots stand empty: the window is all of their time.
 *
 * @param startsMs when each request was sent
 * @param endsMs when each request ended, in the same order
 * @param slots requests in flight of a closed loop; `null` for an open loop, whose window opens with its first request;
 *   left out: the median number in flight
 * @example steadyWindow([0, 1, 100, 101], [100, 101, 200, 201], 2) // { status: "known", startMs: 1, endMs: 101 }
 */
export function steadyWindow(
  startsMs: ArrayLike<number>,
  endsMs: ArrayLike<number>,
  slots?: number | null,
): SteadyWindow {
  if (startsMs.length === 0) return { status: "unknown", reason: speedReasons.tooShort }
  const starts = ascending(startsMs)
  const ends = ascending(endsMs)
  const window = windowOf(starts, ends, slots)
  releaseNumbers(starts, ends)
  return window
}

/** The median number of requests in flight just after each start, over all segments of a run. */
export function medianInFlight(
  segments: readonly { readonly starts: ArrayLike<number>; readonly ends: ArrayLike<number> }[],
): number {
  const counts = new Uint32Array(segments.reduce((sum, { starts }) => sum + starts.length, 0))
  let filled = 0
  for (const { starts, ends } of segments) {
    const [sent, ended] = [ascending(starts), ascending(ends)]
    counts.set(flightCounts(sent, ended), filled)
    releaseNumbers(sent, ended)
    filled += starts.length
  }
  return counts.length === 0 ? 1 : medianOf(counts)
}

function ascending(times: ArrayLike<number>): Float64Array {
  return mappedFrom(times.length, (i) => times[i] as number).sort()
}

function windowOf(starts: Float64Array, ends: Float64Array, slots?: number | null): SteadyWindow {
  const inFlight = flightCounts(starts, ends)
  const target = slots === null ? 1 : (slots ?? medianOf(inFlight))
  const full = inFlight.findIndex((count) => count >= target)
  if (full < 0) return { status: "unknown", reason: speedReasons.neverFull(target) }
  const startMs = starts[full] as number
  if (slots !== null && target === 1 && inFlight.every((count) => count === 1)) {
    const lastMs = ends[ends.length - 1] as number
    if (lastMs > startMs) return { status: "known", startMs, endMs: lastMs }
  }
  const endMs = starts[starts.length - 1] as number
  if (endMs <= startMs) return { status: "unknown", reason: speedReasons.nothingLeftToStart }
  return { status: "known", startMs, endMs }
}

/** Requests in flight just after each start; a request that ends at that very moment has freed its slot. */
function flightCounts(starts: Float64Array, ends: Float64Array): Uint32Array {
  const counts = new Uint32Array(starts.length)
  let ended = 0
  for (let i = 0; i < starts.length; i++) {
    while (ended < ends.length && (ends[ended] as number) <= (starts[i] as number)) ended++
    counts[i] = i + 1 - ended
  }
  return counts
}

function medianOf(counts: Uint32Array): number {
  return counts.slice().sort()[Math.floor(counts.length / 2)] as number
}
