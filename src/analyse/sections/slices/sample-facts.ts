import type { JsonValue } from "../../../core/json.ts"
import type { Sample } from "../../../core/sample.ts"

/** Characters of everything that a sample asks: all its turns, and the passages to answer from. */
export function promptCharacters({ input, context }: Pick<Sample, "input" | "context">): number {
  const asked =
    input === null
      ? 0
      : typeof input === "string"
        ? input.length
        : input.reduce((sum, { content }) => sum + content.length, 0)
  return asked + context.reduce((sum, passage) => sum + passage.length, 0)
}

/** Scripts by name; the first that most letters of a text belong to is the text's. */
const scripts: readonly (readonly [string, RegExp])[] = [
  ["Latin", /\p{Script=Latin}/gu],
  ["Cyrillic", /\p{Script=Cyrillic}/gu],
  ["Greek", /\p{Script=Greek}/gu],
  ["Arabic", /\p{Script=Arabic}/gu],
  ["Hebrew", /\p{Script=Hebrew}/gu],
  ["Devanagari", /\p{Script=Devanagari}/gu],
  ["Bengali", /\p{Script=Bengali}/gu],
  ["Tamil", /\p{Script=Tamil}/gu],
  ["Thai", /\p{Script=Thai}/gu],
  ["Japanese", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["Korean", /\p{Script=Hangul}/gu],
  ["Han", /\p{Script=Han}/gu],
]

/** Characters of a text that its script is read from. */
const maxRead = 500

/**
 * The script that most letters of a text are written in; null where it has no letters. Japanese is told by its kana, of which a fifth
 * of the letters is enough.
 *
 * @example scriptOf("Где вокзал?") // "Cyrillic"
 */
export function scriptOf(text: string): string | null {
  const read = text.slice(0, maxRead)
  const letters = read.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0) return null
  const counts = new Map(scripts.map(([name, pattern]) => [name, read.match(pattern)?.length ?? 0]))
  if ((counts.get("Japanese") ?? 0) >= letters / 5) return "Japanese"
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most && most[1] >= letters / 2 ? most[0] : "other or mixed"
}

/** A field's value as the name of a slice; null for what is no class: lists, objects, nothing. */
export function classOf(value: JsonValue | undefined): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value.trim()
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null
}
