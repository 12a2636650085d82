import { jsonObjectsAt } from "./json-objects.ts"

/** The rules by which a final answer is found, in their order. */
export const readingRules = ["json", "boxed", "marked", "bold", "last line", "whole text"] as const

/** One of {@link readingRules}. */
export type ReadingRule = (typeof readingRules)[number]

/** A final answer: what was read, by which rule, and where. */
export interface FinalAnswer {
  readonly rule: ReadingRule
  readonly text: string
  /** Where the rule found it, in UTF-16 units. */
  readonly start: number
}

/** Members under which a JSON answer holds its final answer. */
const members = ["answer", "final_answer", "finalAnswer"] as const

/** What follows a mark on its line, at most, in characters. */
const longestLine = 500

/**
 * Words for "answer" and what links it to the answer, as models write them; GSM8K's "####" and "A:" at the beginning of a line. The words of
 * the mark are those of MGSM's languages and of Europe's larger ones.
 */
const marks =
  /####|(?<!\p{L})(?:answer|antwort|lösung|ergebnis|réponse|reponse|respuesta|resposta|risposta|antwoord|svar|odpowiedź|ответ|відповідь|απάντηση|cevap|yanıt|jawaban|jibu|đáp án|उत्तर|উত্তর|సమాధానం|الجواب|الإجابة|جواب)(?!\p{L})[^\n.!?:=：]{0,40}?(?:[:=：＝]|(?<!\p{L})(?:is|are|be|equals|ist|lautet|beträgt|est|es|è|é|er|är|jest|это|है|হল|هو|هي)(?!\p{L})|(?<!\p{L})is(?=n['’]t)|\s[-–—]\s)|(?:答案|答え|解答|正解|答|정답|답|คำตอบ)(?:[^\S\n]{0,9}(?:[:：=＝]|应该是|應該是|是|为|為|は|은|는|คือ))|(?<!\p{L})final[\s*]{0,5}[:：]|^[^\S\n]{0,100}A[^\S\n]{0,20}:/gimu

const bolds = /\*\*([^*\n]{1,100})\*\*/g

/**
 * What every rule finds in a text, in the order of the rules, of each the last place in the text (of JSON the first): the member `answer` of a
 * JSON object, the contents of \boxed{}, what stands behind a mark ("####", "The answer is", "答案："), text in bold, the last line, and the
 * whole text. A rule that finds nothing is left out. The first is the final answer for whoever can read it; the others show whether the text
 * can be read in two ways. Linear in the text.
 *
 * @example finalAnswers("So the answer is **12**.")[0] // { rule: "marked", text: " **12**.", start: 16 }
 */
export function finalAnswers(text: string): readonly FinalAnswer[] {
  const whole: FinalAnswer = { rule: "whole text", text, start: 0 }
  return [jsonMember(text), boxed(text), ...marked(text), bold(text), lastLine(text), whole].filter(
    (answer) => answer !== null,
  )
}

/**
 * The member of the first object that has it. Where that object is broken, the first member in quotes counts, in whichever object, before one
 * without.
 */
export function jsonMember(text: string, names: readonly string[] = members): FinalAnswer | null {
  if (!names.some((name) => text.includes(name))) return null
  const broken = names === members ? brokenMember(text) : null
  for (const { members: object, start } of jsonObjectsAt(text)) {
    const name = names.find((entry) => Object.hasOwn(object, entry))
    if (name === undefined) continue
    const isFirst = !broken || broken.start >= start || (!broken.isQuoted && typeof object[name] === "string")
    return isFirst ? { rule: "json", text: memberText(object[name]), start } : broken
  }
  return broken
}

function memberText(value: unknown): string {
  if (typeof value !== "string") return value === null || value === undefined ? "" : JSON.stringify(value)
  // JSON has escapes where LaTeX has commands: "\frac" is a form feed and "rac".
  return value
    .replace(/\f(?=\p{L})/gu, "\\f")
    .replace(/[\b](?=\p{L})/gu, "\\b")
    .replace(/\t(?=imes|ext|frac|heta|an\b)/g, "\\t")
    .replace(/\r(?=ight|m\b)/g, "\\r")
}

const key = /(?:"(?:final_?)?answer"|(?<=[{,\n]\s{0,40})(?:final_?)?answer)[^\S\n]{0,20}:\s{0,20}/gi

function brokenMember(text: string): (FinalAnswer & { readonly isQuoted: boolean }) | null {
  let bare: (FinalAnswer & { readonly isQuoted: boolean }) | null = null
  for (const { 0: match, index: start } of text.matchAll(key)) {
    const rest = text.slice(start + match.length, start + match.length + longestLine)
    const [, quoted] = /^"((?:[^"\\\n]|\\.)*)"?/.exec(rest) ?? []
    if (quoted !== undefined) return { rule: "json", text: quoted, start, isQuoted: true }
    const [plain = ""] = /^[^\n}"]*/.exec(rest) ?? []
    bare ??= { rule: "json", text: plain.replace(/,\s*$/, ""), start, isQuoted: false }
  }
  return bare
}

function boxed(text: string): FinalAnswer | null {
  const start = text.lastIndexOf("\\boxed{")
  if (start < 0) return null
  let depth = 0
  for (let i = start + 6; i < Math.min(text.length, start + longestLine); i++) {
    if (text[i] === "{") depth++
    else if (text[i] === "}" && --depth === 0) return { rule: "boxed", text: text.slice(start + 7, i), start }
  }
  return { rule: "boxed", text: lineFrom(text, start + 7), start }
}

/** What stands behind each mark, the last first: a mark without an answer behind it is followed by the one before. */
function marked(text: string): readonly FinalAnswer[] {
  const matches = [...text.matchAll(marks)].slice(-5).reverse()
  return matches.map(({ 0: mark, index }) => ({
    rule: "marked",
    text: lineFrom(text, index + mark.length),
    start: index + mark.length,
  }))
}

/** The rest of the line, or the next line that says something. */
function lineFrom(text: string, start: number): string {
  let from = start
  while (from < text.length && /[\s*#:]/.test(text[from] as string)) from++
  const end = text.indexOf("\n", from)
  return text.slice(from, Math.min(end < 0 ? text.length : end, from + longestLine))
}

function bold(text: string): FinalAnswer | null {
  const match = [...text.matchAll(bolds)].at(-1)
  return match ? { rule: "bold", text: match[1] as string, start: match.index } : null
}

function lastLine(text: string): FinalAnswer | null {
  const whole = text.trimEnd()
  const start = whole.lastIndexOf("\n") + 1
  return start === 0 ? null : { rule: "last line", text: whole.slice(start), start }
}
