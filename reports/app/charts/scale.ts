import { scaleLinear, scaleLog } from "d3-scale"
import { quantity, type Unit } from "../../format/quantity.ts"
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
  readonly zero?: boolean
  /** Logarithmic beyond a decade unless false. */
  readonly logarithmic?: boolean
}

/** A scale over the values: logarithmic when they are positive and span more than a decade, with some room at the ends. */
export function axisScale(values: readonly number[], options: AxisOptions): AxisScale {
  const finite = values.filter(Number.isFinite)
  const low = finite.length > 0 ? Math.min(...finite) : 0
  const high = finite.length > 0 ? Math.max(...finite) : 1
  const logarithmic = options.logarithmic !== false && !options.zero && low > 0 && high / low > 10
  const range = [...options.range]
  const wanted = options.ticks ?? 5
  if (logarithmic) {
    const scale = scaleLog([low / 1.25, high * 1.25], range)
    const all = scale.ticks(wanted).filter((value) => /^[125]/.test(value.toExponential()))
    const ticks = all.length > wanted + 2 ? all.filter((value) => value.toExponential().startsWith("1e")) : all
    return finish(scale, true, ticks.length > 1 ? ticks : all, options.unit)
  }
  const start = options.zero ? Math.min(0, low) : low
  const room = (high - start || Math.abs(high) || 1) * 0.06
  const scale = scaleLinear([options.zero && start === 0 ? 0 : start - room, high + room], range)
  return finish(scale, false, scale.ticks(wanted), options.unit)
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
    ticks: ticks.map((value) => ({ value, label: tickLabel(value, unit) })),
  })
}

/** A tick's label: round numbers lose the zeros that three significant digits would give them. */
function tickLabel(value: number, unit: Unit | null): string {
  const text = unit === "share" ? String(Number(value.toPrecision(6))) : quantity(value, unit)
  return text.replace(/(\.\d*?)0+(?=$|\s)/, "$1").replace(/\.(?=$|\s)/, "")
}
