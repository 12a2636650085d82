import { plainLines } from "../../../reports/format/text.ts"
import { inputText, type Sample } from "../../core/sample.ts"
import { amount } from "../../engine/decide/phrases.ts"

/** Characters of each text that fit a screen. */
const longest = 4_000

/** What a person sees of one answer: nothing that names its variant or what the judges said. */
export function labelScreen(
  sample: Sample,
  answer: string,
  options: { readonly position: string; readonly scores: readonly number[]; readonly columns: number },
): string {
  const rule = "-".repeat(Math.min(80, options.columns))
  const parts = [
    part("question", inputText(sample)),
    ...sample.context.map((passage) => part("passage", passage)),
    ...sample.references.map((reference) => part("reference", reference)),
    part("answer", answer),
  ].filter((text) => text !== "")
  const keys = options.scores.map((score, i) => `${i + 1} = ${amount(score)}`).join("   ")
  return `\n${rule}\n${options.position}\n\n${parts.join("\n\n")}\n\n${keys}   s = skip   u = undo   q = quit\n`
}

function part(title: string, text: string): string {
  if (text === "" && title !== "answer") return ""
  const shown = plainLines(text)
  const cut =
    shown.length > longest ? `${shown.slice(0, longest)}\n[… ${shown.length - longest} characters more]` : shown
  return `${title}:\n${cut === "" ? "(empty)" : cut}`
}
