import type { ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { figureOf, member, objectOf } from "../fields.ts"

/** What Inspect's letters and words count as (its `value_to_float`): correct, incorrect, partial, no answer. */
const letters: Readonly<Record<string, number>> = { C: 1, I: 0, P: 0.5, N: 0, yes: 1, true: 1, no: 0, false: 0 }

/** The scores of a sample by scorer; a scorer of several values has a metric for each of them. */
export function scoresOf(sample: JsonObject): Record<string, ForeignScore> {
  const all = objectOf(sample.scores) ?? (sample.score === undefined ? {} : { score: sample.score })
  const scores: [string, ForeignScore][] = []
  for (const [scorer, score] of Object.entries(all ?? {})) {
    if (score === null) continue
    const value = member(score, "value")
    const parts = objectOf(value)
    if (parts) for (const [name, part] of Object.entries(parts)) scores.push([`${scorer}.${name}`, scoreOf(part)])
    else if (value !== undefined) scores.push([scorer, scoreOf(value)])
  }
  return Object.fromEntries(scores)
}

function scoreOf(value: JsonValue): ForeignScore {
  const number = figureOf(value)
  if (number !== undefined) return number
  if (value === null) return { reason: "the log says that it was not scored" }
  if (typeof value === "string") {
    const letter = letterOf(value) ?? letterOf(value.toLowerCase())
    if (letter !== undefined) return letter
  }
  const shown = JSON.stringify(value).slice(0, 60)
  if (typeof value === "string")
    return { reason: `${shown} is a label, which has no mean: compare labels as outputs, with classification()` }
  return { reason: `the score ${shown} is neither a number nor one of C, I, P and N` }
}

function letterOf(word: string): number | undefined {
  return Object.hasOwn(letters, word) ? letters[word] : undefined
}
