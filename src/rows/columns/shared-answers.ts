import type { SampleSplit } from "../../core/sample.ts"
import { AnswerList } from "./answer-list.ts"
import { GrowingIntegers } from "./growing-integers.ts"

/** Takes the keys of a list of answers, one after the other. */
export interface AnswerListBuilder {
  add(sampleId: string, repeat: number): void
  /** How many there will probably be; 0 where that is not known. */
  readonly expected: number
  /** The list of all that were added: one that is there already, where it is of the same answers. */
  done(): AnswerList
}

/** The lists of answers of one data set: ids that several lists have are the same text. */
export interface SharedAnswers {
  /** A list that probably is as others that were begun under the same name. */
  begin(name: "rows" | "facts"): AnswerListBuilder
}

/** @param splits what answers are split by, by sample id; the lists read it, and keep nothing of it */
export function sharedAnswers(splits: ReadonlyMap<string, SampleSplit>): SharedAnswers {
  const lists = new Map<string, AnswerList>()
  const split = splits.size === 0 ? null : (sampleId: string) => splits.get(sampleId)
  return {
    begin(name) {
      const existing = lists.get(name) ?? null
      const rows = name === "facts" ? lists.get("rows") : undefined
      return listBuilder(existing, split, {
        textOf: (sampleId) => rows?.textOf(sampleId) ?? sampleId,
        made(list) {
          if (!existing) lists.set(name, list)
        },
      })
    },
  }
}

function listBuilder(
  previous: AnswerList | null,
  split: ((sampleId: string) => SampleSplit | undefined) | null,
  { textOf, made }: { textOf(sampleId: string): string; made(list: AnswerList): void },
): AnswerListBuilder {
  /** Answers that were the known list's, as long as all of them were. */
  let followed = 0
  let ids: string[] | null = previous ? null : []
  const repeats = new GrowingIntegers()
  const part = () => previous?.ids.slice(0, followed) ?? []
  return {
    expected: previous?.length ?? 0,
    add(sampleId, repeat) {
      repeats.push(repeat)
      if (ids === null && previous?.ids[followed] === sampleId && previous.repeat(followed) === repeat) {
        followed++
        return
      }
      ids ??= part()
      ids.push(textOf(sampleId))
    },
    done() {
      if (previous && ids === null && followed === previous.length) return previous
      const own = ids ?? part()
      const list = new AnswerList({ ids: own, repeats: repeats.done(), splitAt: split && splitReader(own, split) })
      made(list)
      return list
    },
  }
}

function splitReader(
  ids: readonly string[],
  split: (sampleId: string) => SampleSplit | undefined,
): (index: number) => SampleSplit | undefined {
  return (index) => split(ids[index] as string)
}
