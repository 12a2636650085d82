import type { JsonObject } from "../../src/core/json.ts"
import { finalAnswers } from "../../src/text/reading/final-answer.ts"
import { parseJsonAnswer } from "../../src/text/reading/json-answer.ts"
import { plainMath } from "../../src/text/reading/plain-math.ts"

/** How the label is read from an answer that is more than a label. @public */
export type LabelReading = "only" | "first" | "last"

/**
 * Reads which label an answer names, as its place in the list; −1 when none can be read. In this order: the value of `field` where
 * the answer is a JSON object; with `only` the last \\boxed{} and what stands behind a mark ("The answer is"); the whole answer, without
 * punctuation around it; a label that stands in it as whole words and is not denied ("not positive") — with
 * `only` the single one that is named, with `first` and `last` the first or last of several. Where labels overlap ("positive" in
 * "very positive") the longest counts. Case does not matter.
 *
 * @example labelReader(["spam", "ham"], { reading: "only", field: "label" })("This is spam.") // 0
 */
export function labelReader(
  labels: readonly string[],
  { reading, field }: { readonly reading: LabelReading; readonly field: string },
): (answer: string) => number {
  const names = labels.map(plain)
  const longestFirst = names.map((name, index) => ({ name, index })).sort((a, b) => b.name.length - a.name.length)
  const read = (answer: string): number => {
    const text = plain(answer)
    const whole = names.indexOf(text)
    if (whole >= 0) return whole
    const positions = named(` ${text} `, longestFirst)
    if (positions.length === 0) return -1
    if (reading === "only") return new Set(positions).size === 1 ? (positions[0] as number) : -1
    return (reading === "first" ? positions[0] : positions.at(-1)) as number
  }
  return (whole) => {
    const answer = whole.slice(0, maxAnswerLength)
    const inField = fieldOf(answer, field)
    if (inField !== undefined) return read(inField)
    // What stands in a form that says that it is the answer comes before what is said around it.
    const forms =
      reading === "only" ? finalAnswers(answer).filter(({ rule }) => rule === "boxed" || rule === "marked") : []
    for (const { text } of forms) {
      const label = read(plainMath(text))
      if (label >= 0) return label
    }
    return read(answer)
  }
}

/** Words before a label that deny it: "not positive", "isn't a very positive". */
const denial = / (?:not|n?t|never|no|nicht|kein|keine|pas|non|não|nao|не) (?:(?:a|an|the|very|really|so|at all) )?$/

/** Characters of an answer that are read. */
const maxAnswerLength = 20_000

/** Scripts that put no blanks between words: a label of theirs counts wherever it stands. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** The labels that a text names as whole words, in the order of their places in it; each stretch is read once. */
function named(text: string, labels: readonly { readonly name: string; readonly index: number }[]): readonly number[] {
  const matches: { at: number; index: number }[] = []
  const taken = new Uint8Array(text.length)
  for (const { name, index: position } of labels) {
    if (name === "") continue
    const spaced = unspaced.test(name) ? 0 : 1
    const word = spaced ? ` ${name} ` : name
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + name.length + spaced)) {
      const [start, end] = [at + spaced, at + spaced + name.length]
      if (taken[start] === 1 || taken[end - 1] === 1) continue
      taken.fill(1, start, end)
      if (denial.test(text.slice(Math.max(0, start - 24), start))) continue
      matches.push({ at, index: position })
    }
  }
  return matches.sort((a, b) => a.at - b.at).map(({ index: position }) => position)
}

function fieldOf(answer: string, field: string): string | undefined {
  const json = answer.includes("{") ? parseJsonAnswer(answer) : undefined
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined
  const value = Object.hasOwn(json, field) ? (json as JsonObject)[field] : undefined
  return value === undefined || typeof value === "object" ? undefined : String(value)
}

/** Lower case, with one blank for whatever is neither a letter nor a digit nor an inner sign of a label ("c++", "a/b", "-1"). */
export function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}+/#_-]+/gu, " ")
    .trim()
    .split(" ")
    .map(withoutEmphasis)
    .join(" ")
}

/** "_spam_" and "__spam__" are "spam"; "not_spam" stays. */
function withoutEmphasis(word: string): string {
  const inner = word.length > 2 && word.startsWith("_") && word.endsWith("_") ? word.slice(1, -1) : word
  return inner === word ? word : withoutEmphasis(inner)
}
