import type { Turns } from "../../../core/interruption.ts"
import type { JsonObject } from "../../../core/json.ts"
import { inputText, type Sample } from "../../../core/sample.ts"
import { sliceField, sliceFieldsOf, sliceValue } from "../../../core/slice-names.ts"
import { classOf, promptCharacters, scriptOf } from "./sample-facts.ts"
import { type SamplePositions, samplePositions } from "./sample-positions.ts"
import { type AxisName, createValueAxis, type MadeAxis, maxValues, quartileAxis, type SliceAxis } from "./slice-axis.ts"

/** Fields of few values that are taken where a config names none, at most, in the order in which they appear. */
const maxFields = 8

/** Samples by position, and the ways of cutting them. */
export interface ReadAxes {
  readonly positions: SamplePositions
  readonly axes: readonly SliceAxis[]
  /** What was asked for and cannot be had, with the reason. */
  readonly leftOut: readonly { readonly axis: string; readonly reason: string }[]
}

/** Options of {@link readAxes}. */
export interface ReadAxesOptions {
  /** Samples of the data set. */
  readonly samples: number
  /** As the config names them; null: the length of the prompt, the group, and fields of few values. */
  readonly names: readonly string[] | null
  /** Called between two samples: gives way, or ends the work. */
  readonly turn: Turns
  /** Axes that are not read from samples, made once all positions are known. */
  readonly others: ReadonlyMap<string, (positions: SamplePositions) => MadeAxis>
  /** Sees each sample once, on the way. */
  readonly see?: (position: number, sample: Sample) => void
}

/** Reads the samples of a data set once and cuts them in every way that is wanted. */
export async function readAxes(samples: Iterable<Sample>, options: ReadAxesOptions): Promise<ReadAxes> {
  const { names, turn, others } = options
  const ids: string[] = []
  const readers =
    names === null ? [...defaultReaders(options.samples)] : names.flatMap((name) => readerOf(name, options))
  for (const sample of samples) {
    const wait = turn()
    if (wait) await wait
    const position = ids.push(sample.id) - 1
    for (const { read } of readers) read(position, sample)
    options.see?.(position, sample)
  }
  const positions = samplePositions(ids)
  const made = [
    ...readers.flatMap(({ made: axes }) => axes()),
    ...(names ?? []).flatMap((name) => others.get(name)?.(positions) ?? []),
  ]
  return {
    positions,
    axes: made.filter((madeAxis) => "of" in madeAxis),
    // A field that was not asked for is not missed.
    leftOut: names === null ? [] : made.flatMap((madeAxis) => ("of" in madeAxis ? [] : [madeAxis])),
  }
}

interface AxisReader {
  read(position: number, sample: Sample): void
  made(): readonly MadeAxis[]
}

function defaultReaders(samples: number): AxisReader[] {
  return [promptLength(samples), group(samples), fewValuedFields(samples)]
}

function readerOf(name: string, { samples, others }: ReadAxesOptions): AxisReader[] {
  if (others.has(name)) return []
  if (name === "promptLength") return [promptLength(samples)]
  if (name === "script") return [script(samples)]
  if (name === "group") return [group(samples)]
  return [field(name, sliceField(name), samples)]
}

function promptLength(samples: number): AxisReader {
  const lengths = new Float64Array(samples).fill(Number.NaN)
  const name = { axis: "promptLength", title: "prompt length", note: null }
  return {
    read: (position, sample) => {
      lengths[position] = promptCharacters(sample)
    },
    made: () => [quartileAxis(name, lengths, "characters")],
  }
}

function script(samples: number): AxisReader {
  return valueReader({ axis: "script", title: "script of the prompt", note: null }, samples, (sample) =>
    scriptOf(inputText(sample)),
  )
}

function group(samples: number): AxisReader {
  return valueReader({ axis: "group", title: "group", note: null }, samples, (sample) => sample.group ?? null)
}

function valueReader(name: AxisName, samples: number, value: (sample: Sample) => string | null): AxisReader {
  const axis = createValueAxis(name, samples)
  return {
    read(position, sample) {
      const text = value(sample)
      if (text !== null) axis.add(position, text)
    },
    made: () => [axis.axis()],
  }
}

/** A field that was asked for by its name: its values, or its quartiles where it is a number of many values. */
function field(axisName: string, key: string, samples: number): AxisReader {
  const name = { axis: axisName, title: key, note: null }
  const values = createValueAxis(name, samples, true)
  const numbers = new Float64Array(samples).fill(Number.NaN)
  let isNumber = true
  return {
    read(position, sample) {
      const value = sliceValue(sample, key)
      const text = classOf(value)
      if (text === null) return
      values.add(position, text)
      if (typeof value === "number" && Number.isFinite(value)) numbers[position] = value
      else isNumber = false
    },
    made: () => [
      isNumber && (!values.isOpen() || values.values() > maxValues) ? quartileAxis(name, numbers, "") : values.axis(),
    ],
  }
}

/** Every field that turns out to have few values, and short ones. */
function fewValuedFields(samples: number): AxisReader {
  const axes = new Map<string, ReturnType<typeof createValueAxis> | null>()
  return {
    read(position, { metadata }) {
      for (const [key, value] of sliceFieldsOf(metadata)) {
        const text = classOf(value)
        let axis = axes.get(key)
        if (text === null || axis === null) continue
        if (text.length > maxNameLength) {
          axes.set(key, null)
          continue
        }
        if (!axis) {
          if (axes.size >= maxLookedAt) continue
          axis = createValueAxis({ axis: `metadata.${key}`, title: titleOf(key, metadata), note: null }, samples)
          axes.set(key, axis)
        }
        if (axis.isOpen()) axis.add(position, text)
      }
    },
    made: () =>
      [...axes.values()]
        .flatMap((axis) => axis?.axis() ?? [])
        .filter((made): made is SliceAxis => "of" in made && isRepeated(made))
        .slice(0, maxFields),
  }
}

/** A field within an object is called by its own name, unless the sample has another of that name. */
function titleOf(key: string, metadata: JsonObject): string {
  const inner = key.slice(key.indexOf(".") + 1)
  return Object.hasOwn(metadata, key) || Object.hasOwn(metadata, inner) ? key : inner
}

/** Characters of a value, beyond which a field holds texts and names no kinds. */
const maxNameLength = 40

/** Fields that are looked at for few values. */
const maxLookedAt = 50

/** Whether values come back at all: in a small data set also ids are few. */
function isRepeated({ of, slices }: SliceAxis): boolean {
  return of.filter((slice) => slice >= 0).length >= 2 * slices.length || slices.length <= maxValues / 4
}
