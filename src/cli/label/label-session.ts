import type { JudgedAnswer } from "../../analyse/judge-validation/judged-answer.ts"
import { scoreKeys } from "./scale.ts"

/** What a labelling session needs of its surroundings. */
export interface LabelSession {
  /** In the order in which they are shown. */
  readonly answers: readonly JudgedAnswer[]
  readonly scores: readonly number[]
  readonly keys: AsyncIterable<string>
  show(answer: JudgedAnswer, position: number): void
  save(answer: JudgedAnswer, score: number): void
}

/**
 * Shows answers one after the other and saves a label per key: a digit for a score (see {@link scoreKeys}), s skip, u back to the one before, q or Ctrl-C
 * quit. Every label is saved at once.
 * @returns how many answers were labelled
 */
export async function labelAnswers(session: LabelSession): Promise<number> {
  const labelled = new Set<JudgedAnswer>()
  const keys = scoreKeys(session.scores)
  let position = 0
  const current = () => session.answers[position]
  const first = current()
  if (!first) return 0
  session.show(first, position)
  for await (const key of session.keys) {
    const answer = current() as JudgedAnswer
    if (key === "q" || key === "\u0003" || key === "\u0004") break
    const score = session.scores[keys.indexOf(key)]
    if (score !== undefined) {
      session.save(answer, score)
      labelled.add(answer)
      position++
    } else if (key === "s" || key === "\u001b[C") position++
    else if (key === "u" || key === "\u001b[D") position = Math.max(0, position - 1)
    else continue
    const next = current()
    if (!next) break
    session.show(next, position)
  }
  return labelled.size
}
