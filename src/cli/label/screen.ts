import type { PersonLabel } from "../../analyse/judge-validation/people.ts"
import { inputText, type Sample } from "../../core/sample.ts"
import { spacedName } from "../../words/names.ts"
import { amount } from "../../words/number.ts"
import { plainLines, plainText } from "../../words/text.ts"
import { scoreKeys, scoreMeanings } from "./scale.ts"

/** Characters of each text that fit a screen. */
const longest = 4_000

/** What stands around an answer on the screen. */
export interface LabelScreenOptions {
  readonly position: string
  /** What is scored. */
  readonly metric: string
  readonly scores: readonly number[]
  readonly columns: number
  /** Instructions to label by, by their name. */
  readonly policy?: string
  /** What people said already: only for who has the last word. */
  readonly labels?: readonly PersonLabel[]
}

/** What a person sees of one answer: nothing that names its variant or what the judges said. */
export function labelScreen(sample: Sample, answer: string, options: LabelScreenOptions): string {
  const rule = "-".repeat(Math.min(80, options.columns))
  const parts = [
    part("question", inputText(sample)),
    ...sample.context.map((passage) => part("passage", passage)),
    ...sample.references.map((reference) => part("reference", reference)),
    part("answer", answer),
  ].filter((text) => text !== "")
  const said = options.labels?.map(({ labeller, score, policy }) =>
    plainText(`${labeller}: ${amount(score)}${policy === null ? "" : ` (policy ${policy})`}`, 100),
  )
  if (said) parts.push(`labels, of which yours will be the last word:\n${said.join("\n")}`)
  const policy = options.policy === undefined ? "" : `   policy ${plainText(options.policy, 60)}`
  const meanings = scoreMeanings(options.scores)
  const keys = scoreKeys(options.scores)
    .map((key, i) => (meanings[i] === "" ? key : `${key} = ${meanings[i]}`))
    .join("   ")
  return `\n${rule}\n${options.position}${policy}\n\n${parts.join("\n\n")}\n\n${plainText(spacedName(options.metric), 60)}: ${keys}   s = skip   u = undo   q = quit\n`
}

function part(title: string, text: string): string {
  if (text === "" && title !== "answer") return ""
  const shown = plainLines(text)
  const cut =
    shown.length > longest ? `${shown.slice(0, longest)}\n[… ${shown.length - longest} characters more]` : shown
  return `${title}:\n${cut === "" ? "(empty)" : cut}`
}
