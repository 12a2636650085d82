import type { GenerationSource } from "../../core/generation.ts"
import type { AnswerFacts, TimedFacts } from "../../core/metric/scored-variant.ts"
import type { Outcome } from "../../core/outcome.ts"
import { splitOf } from "../../core/sample.ts"
import { createNumberList, exactly, type NumberList } from "../../stats/number-list.ts"
import { arrayView } from "../array-view.ts"
import { AnswerList } from "./answer-list.ts"
import { GrowingIntegers } from "./growing-integers.ts"
import type { AnswerListBuilder } from "./shared-answers.ts"
import { type BareHashes, hashesOf, listedHashes, type TextHashes, textHashesBuilder } from "./text-hashes.ts"

/** Numbers that an answer has or has not. */
const figures = ["ttftMs", "e2eMs", "tpotMs", "costUsd", "completionTokens", "confidence", "sentMs"] as const
/** One of them. */
export type FactFigure = (typeof figures)[number]

/** The facts of one variant's answers, read by their places; see {@link AnswerFacts}. */
export interface FactColumns {
  readonly answers: AnswerList
  readonly length: number
  /** A figure of every answer, NaN where it has none; null where no answer has one. */
  figure(name: FactFigure): Float64Array | null
  outcome(index: number): Outcome
  source(index: number): GenerationSource
  segment(index: number): number | undefined
  readonly hashes: TextHashes
  isGiven(index: number): boolean
  /** The facts as an object. */
  at(index: number): AnswerFacts
}

const cache = new WeakMap<readonly AnswerFacts[], FactColumns>()

/** The columns behind an array of facts: those of {@link factsView}, or the array's own, looked at once. */
export function factsBehind(list: readonly AnswerFacts[]): FactColumns {
  let columns = cache.get(list)
  if (columns?.length !== list.length) {
    columns = listedFacts(list)
    cache.set(list, columns)
  }
  return columns
}

/** The facts as an array, whose elements are made when they are read. */
export function factsView(columns: FactColumns): readonly AnswerFacts[] {
  const view = arrayView(columns.length, (index) => columns.at(index))
  cache.set(view, columns)
  return view
}

/** Whether one of the answers is a text that was given. */
export function hasGivenText(list: readonly AnswerFacts[]): boolean {
  const { length, isGiven } = factsBehind(list)
  for (let index = 0; index < length; index++) if (isGiven(index)) return true
  return false
}

/** Facts that are objects already. */
function listedFacts(list: readonly AnswerFacts[]): FactColumns {
  const repeats = list.some(({ repeat }) => repeat !== 0) ? Int32Array.from(list, ({ repeat }) => repeat) : null
  const isSplit = list.some(
    (answerFacts) =>
      answerFacts.group !== undefined || answerFacts.cluster !== undefined || answerFacts.copyOf !== undefined,
  )
  const answers = new AnswerList({
    ids: list.map(({ sampleId }) => sampleId),
    repeats,
    splitAt: isSplit ? (index) => list[index] : null,
  })
  const made = new Map<FactFigure, Float64Array | null>()
  const at = (index: number) => list[index] as AnswerFacts
  return {
    answers,
    length: list.length,
    figure(name) {
      if (!made.has(name)) {
        const values = Float64Array.from(list, (answerFacts) => answerFacts[name] ?? Number.NaN)
        made.set(name, values.every(Number.isNaN) ? null : values)
      }
      return made.get(name) ?? null
    },
    outcome: (index) => at(index).outcome,
    source: (index) => at(index).source,
    segment: (index) => at(index).segment,
    hashes: listedHashes((index) => at(index).textHash),
    isGiven: (index) => at(index).isGiven === true,
    at,
  }
}

/** Takes the facts of a variant's answers one after the other. */
export interface FactsBuilder {
  add(timed: TimedFacts): void
  bare(): BareFacts
  /** The columns of the {@link BareFacts}. */
  done(): FactColumns
}

/** What is kept of the facts of a variant's answers. But for the list of answers, another thread can be sent it. */
export interface BareFacts {
  readonly answers: AnswerList
  readonly length: number
  /** NaN where an answer has none; null where no answer has one. */
  readonly figures: ReadonlyMap<FactFigure, Float64Array | null>
  readonly outcomes: BareNames<Outcome>
  readonly sources: BareNames<GenerationSource>
  /** One more than the segment; 0 for none. Null: no answer has one. */
  readonly segments: Int32Array | null
  /** 1 where the text was given; null: none was. */
  readonly givenMarks: Int32Array | null
  readonly hashes: BareHashes
}

/**
 * Gathers the few numbers of a variant's answers that comparisons need. Latencies of answers that met a cold service are left out,
 * unless the variant has no others.
 *
 * @param expected how many answers there will be, where that is known
 */
export function factsBuilder(list: AnswerListBuilder, expected = 0): FactsBuilder {
  const numbers = new Map(figures.map((name) => [name, figureColumn(expected)]))
  const outcomes = createNames<Outcome>()
  const sources = createNames<GenerationSource>()
  /** One more than the segment; 0 for none. */
  const segments = new GrowingIntegers()
  const marks = new GrowingIntegers()
  const hashes = textHashesBuilder()
  const cold: number[] = []
  let hasWarm = false
  let length = 0
  const bare = (): BareFacts => {
    const columns = new Map([...numbers].map(([name, column]) => [name, column.done(length)]))
    if (hasWarm)
      for (const name of ["ttftMs", "e2eMs", "tpotMs"] as const)
        for (const index of cold) columns.get(name)?.fill(Number.NaN, index, index + 1)
    return {
      answers: list.done(),
      length,
      figures: columns,
      hashes: hashes.done(),
      outcomes: outcomes.done(),
      sources: sources.done(),
      segments: segments.done(),
      givenMarks: marks.done(),
    }
  }
  return {
    add({ facts, latency }) {
      if (latency === "cold") cold.push(length)
      else hasWarm ||= latency === "warm"
      list.add(facts.sampleId, facts.repeat)
      for (const [name, column] of numbers) column.set(length, facts[name] ?? null)
      outcomes.add(facts.outcome)
      sources.add(facts.source)
      segments.push((facts.segment ?? -1) + 1)
      marks.push(facts.isGiven ? 1 : 0)
      hashes.add(facts.textHash)
      length++
    },
    bare,
    done: () => factColumns(bare()),
  }
}

/** The columns of facts, read by their places. */
export function factColumns(bare: BareFacts): FactColumns {
  const { answers, length, figures: columns, segments, givenMarks: marks } = bare
  return withFacts({
    answers,
    length,
    hashes: hashesOf(bare.hashes),
    outcome: nameReader(bare.outcomes),
    source: nameReader(bare.sources),
    figure: (name) => columns.get(name) ?? null,
    segment: (index) => (segments?.[index] ? segments[index] - 1 : undefined),
    isGiven: (index) => marks?.[index] === 1,
  })
}

function withFacts(columns: Omit<FactColumns, "at">): FactColumns {
  const { answers, outcome, source, hashes } = columns
  const numbers = Object.fromEntries(figures.map((name) => [name, columns.figure(name)])) as Readonly<
    Record<FactFigure, Float64Array | null>
  >
  const number = (values: Float64Array | null, index: number): number | null => {
    const value = values?.[index] ?? Number.NaN
    return Number.isNaN(value) ? null : value
  }
  return {
    ...columns,
    at(index) {
      const sentMs = number(numbers.sentMs, index)
      const segment = columns.segment(index)
      const split = answers.splitAt?.(index)
      return {
        sampleId: answers.ids[index] as string,
        repeat: answers.repeat(index),
        outcome: outcome(index),
        source: source(index),
        ttftMs: number(numbers.ttftMs, index),
        e2eMs: number(numbers.e2eMs, index),
        tpotMs: number(numbers.tpotMs, index),
        costUsd: number(numbers.costUsd, index),
        completionTokens: number(numbers.completionTokens, index),
        textHash: hashes.at(index),
        confidence: number(numbers.confidence, index),
        ...(sentMs !== null && { sentMs }),
        ...(segment !== undefined && { segment }),
        ...(columns.isGiven(index) && { isGiven: true }),
        ...(split && splitOf(split)),
      }
    },
  }
}

/** A column of numbers that takes nothing until one of them is known. */
function figureColumn(expected: number) {
  let values: NumberList | null = null
  const fill = (column: NumberList, length: number) => {
    while (column.length < length) column.push(Number.NaN)
    return column
  }
  return {
    set(index: number, value: number | null): void {
      if (value === null) return
      values ??= createNumberList(expected)
      fill(values, index).push(value)
    },
    done: (length: number): Float64Array | null => (values ? exactly(fill(values, length).values()) : null),
  }
}

/** A column of a few names: a byte each, which is the name's number; null: all have the first. */
interface BareNames<Name extends string> {
  readonly names: readonly Name[]
  readonly numbers: Uint8Array | null
}

/** Takes the names of such a column. */
function createNames<Name extends string>() {
  const numbers = new GrowingIntegers()
  const names: Name[] = []
  return {
    add(name: Name): void {
      const number = names.indexOf(name)
      numbers.push(number < 0 ? names.push(name) - 1 : number)
    },
    done(): BareNames<Name> {
      const result = numbers.done()
      return { names, numbers: result && Uint8Array.from(result) }
    },
  }
}

function nameReader<Name extends string>({ names, numbers }: BareNames<Name>): (index: number) => Name {
  return (index) => names[numbers?.[index] ?? 0] as Name
}
