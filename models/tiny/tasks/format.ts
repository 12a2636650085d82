import { between, draw, type Generator, pick } from "../data/item.ts"
import { listWords } from "../data/words.ts"

const formats = {
  "once more": (list: readonly string[]) => list.join(", "),
  "as a JSON list": (list: readonly string[]) => JSON.stringify(list),
  "in upper case": (list: readonly string[]) => list.map((word) => word.toUpperCase()).join(", "),
  "in reverse order": (list: readonly string[]) => [...list].reverse().join(", "),
  "as a numbered list": (list: readonly string[]) => list.map((word, index) => `${index + 1}. ${word}`).join(" "),
  "separated by semicolons": (list: readonly string[]) => list.join("; "),
} as const

/** A list of words in the format that the instruction names. */
export const format: Generator = (random) => {
  const name = pick(random, Object.keys(formats) as (keyof typeof formats)[])
  const list = draw(random, listWords, between(random, 2, 4))
  return {
    task: "format",
    prompt: `Write ${name}: ${list.join(", ")}.`,
    answer: formats[name](list),
    keys: [`format:${name}/${list.join(",")}`],
    extra: { format: name },
  }
}
