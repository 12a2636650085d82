import type { Generation } from "../../src/core/generation.ts"
import type { StoredRow } from "../../src/core/run/run-store.ts"
import { metricCalled, type ReportMetric } from "../../src/words/metric.ts"
import { count, significant } from "../../src/words/number.ts"
import { quantity } from "../../src/words/quantity.ts"
import { plainText } from "../../src/words/text.ts"
import { unscoredWords } from "../wording/unscored-words.ts"

/** What is shown of an answer: what it cost, then its scores. */
export interface AnswerNotes {
  readonly cost: string
  readonly scores: readonly string[]
}

/** An answer with the rows of its metrics. */
interface RatedAnswer {
  readonly generation: Pick<Generation, "cost">
  readonly rows: readonly StoredRow[]
}

/**
 * Cost and scores of each answer in words. What is not known of any of several answers, for one reason, is said once, in `shared`, and
 * left out of each.
 *
 * @param metrics of the run, for what their figures are called
 */
export function answerNotes(
  answers: readonly RatedAnswer[],
  metrics: readonly Pick<ReportMetric, "name" | "title">[] = [],
): {
  readonly each: readonly AnswerNotes[]
  readonly shared: readonly string[]
} {
  const all = answers.map(({ generation, rows }) => ({
    cost: costNote(generation),
    scores: rows.map((row) => scoreNote(row, metricCalled(metrics, row.metric, 60))),
  }))
  const [first] = all
  if (!first || all.length < 2) return { each: all.map(({ cost, scores }) => notes(cost, scores)), shared: [] }
  const isShared = ({ text, isKnown }: Note) =>
    !isKnown && all.every(({ cost, scores }) => [cost, ...scores].some((note) => !note.isKnown && note.text === text))
  return {
    each: all.map(({ cost, scores }) =>
      notes(
        isShared(cost) ? null : cost,
        scores.filter((score) => !isShared(score)),
      ),
    ),
    shared: [first.cost, ...first.scores].filter(isShared).map(({ text }) => text),
  }
}

interface Note {
  readonly text: string
  readonly isKnown: boolean
}

function notes(cost: Note | null, scores: readonly Note[]): AnswerNotes {
  return { cost: cost?.text ?? "", scores: scores.map(({ text }) => text) }
}

function costNote({ cost }: RatedAnswer["generation"]): Note {
  return cost.status === "known"
    ? { text: quantity(cost.usd, "usd"), isKnown: true }
    : { text: `cost unknown (${plainText(cost.reason, 200)})`, isKnown: false }
}

function scoreNote({ measured, value }: StoredRow, name: string): Note {
  if (measured.status !== "scored")
    return { text: `${name} unscored (${plainText(unscoredWords(measured.reason), 200)})`, isKnown: false }
  if (value === null) return { text: `${name} scored with all answers together`, isKnown: false }
  return { text: `${name} ${Number.isInteger(value) ? count(value) : significant(value)}`, isKnown: true }
}
