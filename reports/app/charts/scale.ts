import { scaleLinear, scaleLog } from "d3-scale"
import { isShare, quantity, type Unit } from "../../../src/words/quantity.ts"
import { textWidth } from "./labels.ts"

/** A scale of an axis with its ticks and their labels. */
export interface AxisScale {
  readonly logarithmic: boolean
  (value: number): number
  invert(position: number): number
  readonly ticks: readonly { readonly value: number; readonly label: string }[]
  readonly domain: readonly [number, number]
}

/** How an axis is laid out. */
export interface AxisOptions {
  readonly range: readonly [number, number]
  readonly unit: Unit | null
  /** Wanted number of ticks. */
  readonly ticks?: number
  /** Whether zero must be on it. */
  readonly zero?: boolean | undefined
  /** Logarithmic beyond a decade unless false. */
  readonly logarithmic?: boolean | undefined
  /** Values that shall not be crowded by one that is {@link isFarOff}: then the axis is logarithmic, too. */
  readonly crowded?: readonly number[]
  /** The part that is shown, as shares of the whole axis; absent: all of it. */
  readonly part?: readonly [number, number]
}

/**
 * A scale over the values: logarithmic when they are positive and span more than a decade, with some room at the ends. Shares are
 * never: a point more is as much at 5 % as at 90 %.
 */
export function axisScale(values: readonly number[], options: AxisOptions): AxisScale {
  const finite = values.filter(Number.isFinite)
  const low = finite.length > 0 ? Math.min(...finite) : 0
  const high = finite.length > 0 ? Math.max(...finite) : 1
  const isWide = high / low > 10 || isFarOff(options.crowded ?? [])
  const logarithmic = options.logarithmic !== false && !isShare(options.unit) && !options.zero && low > 0 && isWide
  const range = [...options.range]
  const count = options.ticks ?? 5
  if (logarithmic) {
    const ends = [low / 1.25, high * 1.25] as [number, number]
    const scale = scaleLog(partOf(scaleLog(ends, [0, 1]), options.part) ?? ends, range)
    if (options.part) return finish(scale, true, ticksWithin(scale, count), options.unit)
    const all = scale.ticks(count).filter((value) => /^[125]/.test(value.toExponential()))
    const ticks = all.length > count + 2 ? all.filter((value) => value.toExponential().startsWith("1e")) : all
    return finish(scale, true, ticks.length > 1 ? ticks : all, options.unit)
  }
  const start = options.zero ? Math.min(0, low) : low
  const room = (high - start || Math.abs(high) || 1) * 0.06
  const ends = [options.zero && start === 0 ? 0 : start - room, high + room] as [number, number]
  const scale = scaleLinear(partOf(scaleLinear(ends, [0, 1]), options.part) ?? ends, range)
  return finish(scale, false, scale.ticks(count), options.unit)
}

/**
 * Whether the largest of three or more positive values lie so far above the others that a linear axis would crowd these: a
 * gap of more than 60 % of the span, with at least half of the values below it.
 */
export function isFarOff(values: readonly number[]): boolean {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  const [low = 0, high = 0] = [sorted[0], sorted.at(-1)]
  if (sorted.length < 3 || low <= 0 || high / low < 2.5) return false
  return sorted.some((value, i) => {
    const gap = i === 0 ? 0 : value - (sorted[i - 1] as number)
    return i >= sorted.length / 2 && gap > 0.6 * (high - low)
  })
}

/** The ends of a part of an axis, in its values. */
function partOf(
  whole: { invert(position: number): number },
  part: readonly [number, number] | undefined,
): [number, number] | null {
  return part ? [whole.invert(part[0]), whole.invert(part[1])] : null
}

/** Ticks of a part of a logarithmic axis, which may be shorter than a decade. */
function ticksWithin(scale: { domain(): number[] }, count: number): number[] {
  const [low = 1, high = 1] = scale.domain()
  return high / low > 10 ? scaleLog([low, high], [0, 1]).ticks(count) : scaleLinear([low, high], [0, 1]).ticks(count)
}

/** A scale on which each doubling is as wide as the next, from the smallest value to the largest; its ticks are the values. */
export function doublingScale(values: readonly number[], range: readonly [number, number]): AxisScale {
  const ticks = [...new Set(values)].sort((a, b) => a - b)
  const scale = scaleLog([ticks[0] ?? 1, ticks.at(-1) ?? 1], [...range])
  return finish(scale, true, ticks, null)
}

/** Those ticks of a horizontal axis whose labels have room beside each other, from the left on. */
export function ticksWithRoom(scale: AxisScale): AxisScale["ticks"] {
  let freeFrom = Number.NEGATIVE_INFINITY
  return scale.ticks.filter(({ value, label }) => {
    const half = textWidth(label) / 2
    if (scale(value) - half < freeFrom) return false
    freeFrom = scale(value) + half + 6
    return true
  })
}

function finish(
  scale: { (value: number): number; invert(value: number): number; domain(): number[] },
  logarithmic: boolean,
  ticks: readonly number[],
  unit: Unit | null,
): AxisScale {
  const domain = scale.domain() as [number, number]
  return Object.assign((value: number) => scale(value), {
    logarithmic,
    domain,
    invert: (position: number) => scale.invert(position),
    ticks: ticks.map((value) => ({ value, label: value === 0 ? zeroLabel(ticks, unit) : tickLabel(value, unit) })),
  })
}

/** Nothing has no size to choose a unit by: it has that of the largest tick, `0 s` beside `5 s`. */
function zeroLabel(ticks: readonly number[], unit: Unit | null): string {
  const largest = tickLabel(Math.max(...ticks.map(Math.abs)), unit)
  return unit === "ms" ? `0 ${largest.split(" ").at(-1)}` : tickLabel(0, unit)
}

/** A tick's label: round numbers lose the zeros that three significant digits would give them. */
function tickLabel(value: number, unit: Unit | null): string {
  const text = unit === "share" ? String(Number(value.toPrecision(6))) : quantity(value, unit)
  return text.replace(/(\.\d*?)0+(?=$|\s)/, "$1").replace(/\.(?=$|\s)/, "")
}
