import type { AnswerList } from "../../rows/columns/answer-list.ts"
import type { MetricColumn } from "../../rows/columns/column-rows.ts"
import type { BareFacts } from "../../rows/columns/fact-columns.ts"
import type { SharedAnswers } from "../../rows/columns/shared-answers.ts"
import { type BareRows, RowColumn } from "../../rows/row-column.ts"
import type { AnswerFigures } from "./gather-answers.ts"
import type { VariantMeasures } from "./measure-variant.ts"

/** {@link VariantMeasures} as one thread sends them to another: plain values, and columns whose memory goes over as it is. */
export interface SentMeasures {
  readonly lists: readonly SentList[]
  readonly columns: readonly (Omit<MetricColumn, "answers" | "others"> & {
    /** Number of its list. */
    readonly list: number
    readonly others: BareRows | null
  })[]
  readonly facts: Omit<BareFacts, "answers"> & { readonly list: number }
  readonly figures: AnswerFigures
}

/** Keys of answers. */
interface SentList {
  /** Ids one after the other in a few long texts, with their lengths: a million texts would be sent, and made, one by one. */
  readonly ids: readonly { readonly text: string; readonly lengths: Int32Array }[]
  readonly repeats: Int32Array | null
}

/** Ids of a long text. */
const idsTogether = 10_000

/**
 * Packs what was measured. Whoever sends it gives the buffers away: the measures cannot be read afterwards.
 * @returns the message, and what is handed over with it instead of being copied
 */
export function sendMeasures({ columns, facts, figures }: VariantMeasures): {
  readonly message: SentMeasures
  readonly transfer: ArrayBuffer[]
} {
  const numbers = new Map<AnswerList, number>()
  const lists: SentList[] = []
  const listOf = (answers: AnswerList): number => {
    const existing = numbers.get(answers)
    if (existing !== undefined) return existing
    numbers.set(answers, lists.length)
    return lists.push({ ids: joined(answers.ids), repeats: answers.repeats }) - 1
  }
  const { answers: ofFacts, ...bareFacts } = facts
  const message: SentMeasures = {
    columns: columns.map(({ answers, others, ...column }) => ({
      ...column,
      list: listOf(answers),
      others: others?.bare ?? null,
    })),
    facts: { ...bareFacts, list: listOf(ofFacts) },
    figures,
    lists,
  }
  const buffers = new Set<ArrayBuffer>()
  collect([lists, message.columns, message.facts], buffers)
  return { message, transfer: [...buffers] }
}

/** Unpacks what another thread measured; lists of answers that this one has already are shared. */
export function receiveMeasures(
  { lists, columns, facts, figures }: SentMeasures,
  shared: SharedAnswers,
): VariantMeasures {
  const received = new Map<number, AnswerList>()
  const listOf = (number: number, name: "rows" | "facts"): AnswerList => {
    const answers = received.get(number) ?? begunList(lists[number] as SentList, name, shared)
    received.set(number, answers)
    return answers
  }
  return {
    columns: columns.map(({ list, others, ...column }) => ({
      ...column,
      answers: listOf(list, "rows"),
      others: others && RowColumn.of(others),
    })),
    facts: { ...facts, answers: listOf(facts.list, "facts") },
    figures,
  }
}

function begunList({ ids, repeats }: SentList, name: "rows" | "facts", shared: SharedAnswers): AnswerList {
  const list = shared.begin(name)
  let index = 0
  for (const { text, lengths } of ids) {
    let at = 0
    for (const length of lengths) {
      list.add(text.slice(at, at + length), repeats?.[index] ?? 0)
      at += length
      index++
    }
  }
  return list.done()
}

function joined(ids: readonly string[]): SentList["ids"] {
  return Array.from({ length: Math.ceil(ids.length / idsTogether) }, (_, i) => {
    const some = ids.slice(i * idsTogether, (i + 1) * idsTogether)
    return { text: some.join(""), lengths: Int32Array.from(some, ({ length }) => length) }
  })
}

/** The memory of the columns in a value. */
function collect(value: unknown, buffers: Set<ArrayBuffer>): void {
  if (typeof value !== "object" || value === null) return
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) buffers.add(value.buffer)
    return
  }
  for (const part of value instanceof Map ? value.values() : Object.values(value)) collect(part, buffers)
}
