import type { VariantReport } from "../../../src/core/report/report.ts"
import type { Line } from "./coincident.ts"

/** A variant and what happened in each second of its calls. */
type Timed = Pick<VariantReport, "name"> & { readonly speed: Pick<VariantReport["speed"], "overTime"> }

/**
 * Answers per second as a line, averaged over slots of `width` seconds. The last second is left out: it ended before it was full, and what
 * little came in it would look like a fall.
 */
export function answersPerSecond({ name, speed }: Timed, width: number): Line {
  const last = Math.max(...speed.overTime.map(({ second }) => second))
  return lineOf(
    name,
    speed.overTime.filter(({ second }) => second < last).map(({ second, ended }) => ({ second, count: ended })),
    width,
    last,
  )
}

/** Failures per second as a line, averaged over slots of `width` seconds; those of the last second too, for none may be hidden. */
export function failuresPerSecond({ name, speed }: Timed, width: number): Line {
  const last = Math.max(...speed.overTime.map(({ second }) => second))
  return lineOf(
    name,
    speed.overTime.map(({ second, failed }) => ({ second, count: failed })),
    width,
    last + 1,
  )
}

/** Counts of seconds, averaged over slots; the last slot has only the seconds before `end`. */
function lineOf(
  variant: string,
  seconds: readonly { readonly second: number; readonly count: number }[],
  width: number,
  end: number,
): Line {
  const slots = new Map<number, number>()
  for (const { second, count } of seconds) {
    const index = Math.floor(second / width)
    slots.set(index, (slots.get(index) ?? 0) + count)
  }
  const points = [...slots]
    .sort(([a], [b]) => a - b)
    .map(([index, sum]) => ({ x: index * width * 1000, y: sum / Math.min(width, end - index * width) }))
  return { variant, points }
}
