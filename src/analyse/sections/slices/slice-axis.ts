import { byText, sortedNumbers } from "../../../stats/order.ts"
import { quantileSorted } from "../../../stats/quantile.ts"
import { noSlices } from "../../../wording/slices/reasons.ts"

/** One way of cutting the samples of a data set: by a field, by how long they are, by how hard earlier runs found them. */
export interface SliceAxis {
  /** As a config names it: `promptLength`, `metadata.subject` … */
  readonly axis: string
  readonly title: string
  /** What a reader must know of it; null: nothing. */
  readonly note: string | null
  /** Names of the slices, in order. */
  readonly slices: readonly string[]
  /** Slice of the sample at each position; −1 for none. */
  readonly of: Int16Array
}

/** What an axis is called, and what is to be known of it. */
export type AxisName = Pick<SliceAxis, "axis" | "title" | "note">

/** An axis, or why the samples cannot be cut so. */
export type MadeAxis = SliceAxis | { readonly axis: string; readonly reason: string }

/** Most values of a field that is taken for classes of samples; a field with more is a text or an id. */
export const maxValues = 20

/** Most values of a field that is asked for by its name. */
const maxNamedValues = 1000

/** Most characters of a slice's name. */
const maxCharacters = 80

/** Collects a value a sample and makes each value a slice; values may be few only, unless the axis was asked for by its name. */
export function createValueAxis(name: AxisName, samples: number, isNamed = false) {
  const max = isNamed ? maxNamedValues : maxValues
  const of = new Int16Array(samples).fill(-1)
  const codes = new Map<string, number>()
  let isOpen = true
  return {
    /** Whether the values are few so far. */
    isOpen: () => isOpen,
    values: () => codes.size,
    add(position: number, value: string): void {
      if (!isOpen) return
      const text = value.slice(0, maxCharacters)
      let code = codes.get(text)
      if (code === undefined) {
        if (codes.size === max) {
          isOpen = false
          codes.clear()
          return
        }
        code = codes.size
        codes.set(text, code)
      }
      of[position] = code
    },
    axis(): MadeAxis {
      if (!isOpen) return { axis: name.axis, reason: noSlices.manyValues(max) }
      if (codes.size === 0) return { axis: name.axis, reason: noSlices.nobodyHasIt }
      if (codes.size === 1) return { axis: name.axis, reason: noSlices.oneValue }
      const slices = [...codes.keys()].sort(byNumberOrText)
      const positions = new Map(slices.map((slice, index) => [codes.get(slice) as number, index]))
      return { ...name, slices, of: of.map((code) => (code < 0 ? -1 : (positions.get(code) as number))) }
    },
  }
}

/**
 * Cuts samples at the quartiles of a number; equal numbers stay together, so that there may be fewer than four slices.
 *
 * @param values by position; NaN: unknown, in no slice
 * @param unit behind the numbers in a slice's name: `characters`
 */
export function quartileAxis(name: AxisName, values: Float64Array, unit: string): MadeAxis {
  const sorted = sortedNumbers(values.filter((value) => !Number.isNaN(value)))
  if (sorted.length === 0) return { axis: name.axis, reason: noSlices.unknownOfAll }
  if (sorted[0] === sorted.at(-1)) return { axis: name.axis, reason: noSlices.sameForAll }
  const cuts = [...new Set([0.25, 0.5, 0.75].map((share) => quantileSorted(sorted, share, "inverted_cdf")))].filter(
    (cut) => cut < (sorted.at(-1) as number),
  )
  const sliceOf = (value: number) => cuts.filter((cut) => value > cut).length
  const slices = [...cuts, Number.POSITIVE_INFINITY].map((cut, i) => {
    const above = i === 0 ? Number.NEGATIVE_INFINITY : (cuts[i - 1] as number)
    const inside = sorted.filter((value) => value > above && value <= cut)
    const [low, high] = [rounded(inside[0] as number), rounded(inside.at(-1) as number)]
    return `${low === high ? low : `${low} to ${high}`}${unit === "" ? "" : ` ${unit}`}`
  })
  const of = Int16Array.from(values, (value) => (Number.isNaN(value) ? -1 : sliceOf(value)))
  return { ...name, slices, of }
}

/** Four significant digits; whole numbers as they are. */
function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)))
}

/** Numbers by size before texts by their letters. */
function byNumberOrText(a: string, b: string): number {
  const [x, y] = [numberOf(a), numberOf(b)]
  if (x !== null && y !== null) return x - y || byText(a, b)
  if (x !== null || y !== null) return x !== null ? -1 : 1
  return byText(a, b)
}

function numberOf(text: string): number | null {
  const value = Number(text)
  return text.trim() === "" || !Number.isFinite(value) ? null : value
}
