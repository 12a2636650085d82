import { speedReasons } from "../../words/perf/speed.ts"
import { medianInFlight, steadyWindow } from "./steady-window.ts"

/** Requests of one segment: when each was sent and ended, and what it brought, by amount. */
export interface LoadedSegment {
  readonly starts: Float64Array
  readonly ends: Float64Array
  readonly amounts: readonly Float64Array[]
}

/** Sums over the requests that were sent near each other, a unit each, in the order of time. */
export interface LoadUnits {
  readonly requests: Float64Array
  /** Time of the steady window. */
  readonly windowMs: Float64Array
  /** Time that all requests in flight spent inside it. */
  readonly inFlightMs: Float64Array
  /** Time of the requests that were sent in the unit, from send to end. */
  readonly requestMs: Float64Array
  /** What those requests brought, by amount. */
  readonly amounts: readonly Float64Array[]
}

/** Fewer units say nothing of their spread; more would be so short that their requests still wait for those of the unit before. */
const [minUnits, maxUnits] = [4, 20]
/** Fewest requests of a unit, and fewest for each that is in flight. */
const minRequests = { ofUnit: 3, perSlot: 1.5 }
/** Requests for each slot that are sent before every slot has turned over: two where answers are equally long, more where few are much longer than the mean. */
const fillPerSlot = 3

/**
 * Requests of a closed loop that are enough for its throughput, unless a few answers are much longer than the mean.
 *
 * @param slots requests in flight
 * @param turns parts of the loop that each begin with empty slots
 */
export function minLoopRequests(slots: number, turns = 1): number {
  return Math.ceil(minUnits * unitRequests(slots)) + (slots > 1 ? fillPerSlot * slots * turns : 0)
}

function unitRequests(slots: number): number {
  return Math.max(minRequests.ofUnit, minRequests.perSlot * slots)
}

/**
 * Gathers the requests of a run into units: segments that follow each other (each turn of a variant is one), or equal parts of the steady
 * windows where there are few segments. Nothing is taken of a segment that never has as many requests in flight as the run: its first
 * call, which is sent alone.
 *
 * A closed loop is steady once every slot has turned over: the requests that fill it wait less for each other than all that follow, and
 * are left out. An open loop fills the service until those have ended that were sent before the first of them ended. A segment that sends fewer
 * requests than filled it from then on says nothing.
 *
 * @param slots as in {@link steadyWindow}; left out: the median number in flight over all segments
 * @returns at least four units; the reason where there are too few requests for them, and how many are enough
 */
export function loadUnits(segments: readonly LoadedSegment[], slots?: number | null): LoadUnits | string {
  const target = slots === undefined ? medianInFlight(segments) : slots
  let reason: string = speedReasons.tooShort
  const loaded = segments.flatMap((segment) => {
    const window = steadyWindow(segment.starts, segment.ends, target)
    if (window.status === "unknown") reason = window.reason
    else {
      const filling = slots === undefined ? 1 : (slots ?? sentBeforeFirstEnd(segment))
      if (filling < 2)
        return [{ segment, countedMs: Number.NEGATIVE_INFINITY, ...spanOf(window.startMs, window.endMs) }]
      const startMs = turnedOverMs(segment, filling)
      if (sentSince(segment, startMs) >= filling)
        return [{ segment, countedMs: startMs, ...spanOf(startMs, window.endMs) }]
    }
    return []
  })
  const requests = loaded.reduce((sum, { segment, countedMs }) => sum + sentSince(segment, countedMs), 0)
  const batches = Math.floor(requests / unitRequests(target ?? 1))
  if (loaded.length === 0)
    return typeof slots === "number" && segments.length > 0
      ? speedReasons.tooFewBatches(minLoopRequests(slots, segments.length))
      : reason
  if (batches < minUnits) {
    const sent = loaded.reduce((sum, { segment }) => sum + segment.starts.length, 0)
    return speedReasons.tooFewBatches(sent - requests + Math.ceil(minUnits * unitRequests(target ?? 1)))
  }
  const max = Math.min(maxUnits, batches)
  const isGrouped = loaded.length >= max
  const wholeMs = loaded.reduce((sum, { lengthMs }) => sum + lengthMs, 0)
  let [fromMs, toMs] = [0, 0]
  const parts = loaded.map(({ lengthMs }) => {
    ;[fromMs, toMs] = [toMs, toMs + lengthMs]
    return isGrouped ? 1 : Math.max(1, Math.round((max * toMs) / wholeMs) - Math.round((max * fromMs) / wholeMs))
  })
  const units = emptyUnits(isGrouped ? max : parts.reduce((sum, count) => sum + count, 0), segments)
  let unit = 0
  for (const [i, part] of loaded.entries()) {
    const count = parts[i] as number
    addSegment(units, isGrouped ? Math.floor((i * max) / loaded.length) : unit, { ...part, parts: count })
    unit += count
  }
  return units
}

function spanOf(startMs: number, endMs: number): Pick<Window, "startMs" | "lengthMs"> {
  return { startMs, lengthMs: endMs - startMs }
}

function sentSince({ starts }: LoadedSegment, fromMs: number): number {
  return starts.reduce((count, sendMs) => count + Number(sendMs >= fromMs), 0)
}

/** When the first requests, as many as fill the service, have all ended. */
function turnedOverMs({ starts, ends }: LoadedSegment, filling: number): number {
  const first = Array.from(starts.keys()).sort((a, b) => (starts[a] as number) - (starts[b] as number))
  return first.slice(0, filling).reduce((last, i) => Math.max(last, ends[i] as number), Number.NEGATIVE_INFINITY)
}

function sentBeforeFirstEnd({ starts, ends }: LoadedSegment): number {
  const firstEndMs = ends.reduce((min, endMs) => Math.min(min, endMs), Number.POSITIVE_INFINITY)
  return starts.reduce((count, sendMs) => count + Number(sendMs < firstEndMs), 0)
}

function emptyUnits(count: number, [first]: readonly LoadedSegment[]): LoadUnits {
  const zeros = () => new Float64Array(count)
  return {
    requests: zeros(),
    windowMs: zeros(),
    inFlightMs: zeros(),
    requestMs: zeros(),
    amounts: (first?.amounts ?? []).map(zeros),
  }
}

interface Window {
  readonly segment: LoadedSegment
  /** Requests that were sent before are in flight, and count no further. */
  readonly countedMs: number
  readonly startMs: number
  readonly lengthMs: number
  readonly parts: number
}

/** Adds the parts of a segment's window to the units from `first` on: a request to that in which it was sent. */
function addSegment(
  { requests, windowMs, inFlightMs, requestMs, amounts }: LoadUnits,
  first: number,
  { segment, countedMs, startMs, lengthMs, parts }: Window,
): void {
  const partMs = lengthMs / parts
  const partAt = (atMs: number) => Math.min(parts - 1, Math.max(0, Math.floor((atMs - startMs) / partMs)))
  for (let part = 0; part < parts; part++) add(windowMs, first + part, partMs)
  for (let i = 0; i < segment.starts.length; i++) {
    const [start, end] = [segment.starts[i] as number, segment.ends[i] as number]
    const [from, to] = [partAt(start), partAt(end)]
    if (start >= countedMs) {
      add(requests, first + from, 1)
      add(requestMs, first + from, end - start)
      for (const [name, values] of segment.amounts.entries())
        add(amounts[name] as Float64Array, first + from, values[i] as number)
    }
    for (let part = from; part <= to; part++) {
      const opensMs = startMs + part * partMs
      add(inFlightMs, first + part, Math.max(0, Math.min(end, opensMs + partMs) - Math.max(start, opensMs)))
    }
  }
}

function add(list: Float64Array, position: number, amount: number): void {
  list[position] = (list[position] as number) + amount
}
