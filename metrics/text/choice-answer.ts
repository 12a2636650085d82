import { type FinalAnswer, finalAnswers, type ReadingRule } from "../../src/text/reading/final-answer.ts"
import { plainMath } from "../../src/text/reading/plain-math.ts"

/** What an answer to a multiple-choice question chose: positions of options, from 0. */
export interface ChoiceReading {
  readonly rule: ReadingRule | "chosen" | "label" | "option"
  /** One, or several where the answer names several. */
  readonly positions: readonly number[]
  readonly text: string
  /** The answer is hardly more than this. */
  readonly isBare?: boolean
}

/** The options of a question: their texts, or how many letters are options where the texts are not given. */
interface Options {
  readonly choices: readonly string[]
  readonly count: number
  /** Whether 1, 2, 3 … name options, too: where no option's text is a number. */
  readonly hasDigits: boolean
}

/** Words that say that the writer chooses, before a label: "it must be C", "选 B". */
const choosing =
  /(?:(?<!\p{L})(?:(?:must|should|has to|would) be|choose|chose|pick|select|go with|going with|opt for|say|(?:choice|option|pick|selection)\s{0,3}(?:is|:)|correct\s{0,3}:|it is|it's|therefore,?|thus,?|hence,?|so it is|so it's|so,?)|选择?|選択?|選)(?=[\s*("'[（:：]|[A-Z])/giu
/** A label that is said to be right. */
const rightness =
  /(?<![\p{L}\p{N}])[("'*[]{0,3}([A-Z])[)"'*\]]{0,3}\s(?:is|seems|must be)\s(?:the\s)?(?:only\s)?(?:correct|right|true|best)(?!\p{L})|([A-Z])\s?(?:가|이|が|是|は)\s?(?:正解|正确|正確|答案|정답)/gu
const bracketed = /\(([A-Z])\)/giu
const prefix =
  /^[\s*_"'`“„«:：[({]{0,20}(?:(?:the\s|la\s|el\s|die\s|le\s|l['’]|a\s)?(?:correct\s)?(?:options?|choices?|answers?|letters?|réponse|respuesta|resposta|risposta|opción|opção|alternativa|choix|选项|選項|選択肢)\s{0,3}(?:is\s{1,3})?[*"'([:：]{0,5}\s{0,3})?/iu
const label = /^([A-Za-z]|\d{1,2})(?![\p{Lu}\p{Ll}\p{Lt}\p{Nd}'’])/u
const denial = /^[\s*_]{0,10}(?:n['’]t|not|nicht|pas|no|nunca|non|нет)(?!\p{L})/iu
const joining =
  /^[)\]"'*.\s]{0,4}(?:,|&|\/|、|und|and|or|oder|ou|et|o|y|e|和|或|と)\s{0,3}(?:and\s|or\s)?[("'*[]{0,3}([A-Z])(?![\p{L}\p{N}'’])/u
/** A denied option, and what comes after it. */
const denied = /^[^;,.]{0,60}(?:[;,.]|\s(?=but|sondern|mais|sino))/
const instead = /(?:option|choice|it is|it's|but|rather|sondern|mais|sino)\s{1,3}[("'*[]{0,3}([A-Z])(?![\p{L}\p{N}'’])/u

/**
 * Which options an answer gives, by the first of these rules that finds one; the others follow. The text of an option alone; the member
 * `answer` of a JSON object; the last \boxed{}; the last mark ("The answer is", "Antwort:", "答案：") with a label or an option's text behind it; words
 * that choose ("it must be C", "C is correct"); a label at the beginning of the answer or in bold; the last label in brackets; the only option
 * whose text is in the answer. A label is a letter, or a number where no option is one. "A" and "I" before a word are words, a denied option
 * is none.
 *
 * @param count how many letters are options where the texts are not given
 * @example readChoices("The answer is C. Option D is wrong.", [], 4)[0]?.positions // [2]
 */
export function readChoices(
  text: string,
  choices: readonly string[],
  count = choices.length,
): readonly ChoiceReading[] {
  const written = text.normalize("NFKC")
  const options = { choices, count, hasDigits: !choices.some((choice) => /^\s*-?\d+(?:[.,]\d+)?\s*$/.test(choice)) }
  const whole = plain(written)
  const equal = choices.findIndex((choice) => plain(choice) === whole)
  const list: (ChoiceReading | null)[] = [equal >= 0 && whole.length > 1 ? reading("option", [equal], written) : null]
  const answers = finalAnswers(written)
  for (const answer of answers)
    if (answer.rule === "json" || answer.rule === "boxed" || answer.rule === "marked")
      list.push(ofForm(answer, options))
  list.push(chosen(written, options))
  const bold = answers.find(({ rule }) => rule === "bold")
  const isLast = bold !== undefined && /^\*\*[^*]*\*\*[.\s]*$/.test(written.slice(bold.start))
  if (isLast) list.push(ofForm(bold, options))
  list.push(labelled(written, options))
  if (equal >= 0) list.push(reading("option", [equal], written))
  if (bold && !isLast) list.push(ofForm(bold, options))
  list.push(inBrackets(written, options), onlyNamed(written, options))
  return list.filter((entry) => entry !== null)
}

/** The one option that an answer gives; null where it gives none, or several. */
export function choiceAnswer(text: string, choices: readonly string[], count = choices.length): number | null {
  const positions = readChoices(text, choices, count)[0]?.positions ?? []
  return positions.length === 1 ? (positions[0] as number) : null
}

/** The positions of the options that a text of nothing but labels names: "C", "(B)", "A, C and D", "ACD"; empty where it names none. */
export function labelsOf(text: string, choices: readonly string[], count: number): readonly number[] {
  const options = { choices, count, hasDigits: !choices.some((choice) => /^\s*\d+\s*$/.test(choice)) }
  const labels = /^[A-Z]{2,8}$/.test(text)
    ? [...text]
    : text
        .split(/(?:\s{0,3}(?:[,;&/]|\sand\s|\sund\s|\set\s)\s{0,3})+/)
        .map((part) => /^\(?([A-Za-z]|\d{1,2})[).]?$/.exec(part)?.[1])
  const positions = labels.map((own) => positionOf(own, options))
  return positions.every((position) => position !== null) ? [...new Set(positions)] : []
}

function ofForm({ rule, text }: FinalAnswer, options: Options): ChoiceReading | null {
  const plainText = rule === "marked" ? text : plainMath(text)
  const labels = leadingLabels(plainText, options, rule === "marked")
  if (labels.length > 0) return reading(rule, labels, text)
  const named = onlyNamed(plainText.split(/[.。\n]/, 1)[0] as string, options)
  return named && reading(rule, named.positions, text)
}

/**
 * The labels that a piece begins with.
 *
 * @param isSentence words may follow the label: "C because …"
 */
function leadingLabels(piece: string, options: Options, isSentence: boolean): readonly number[] {
  if (denial.test(piece)) {
    const rest = piece.slice(0, 200).replace(denied, "")
    const position = positionOf(instead.exec(rest)?.[1], options)
    return position === null ? [] : [position]
  }
  const rest = piece.slice(prefix.exec(piece)?.[0].length ?? 0)
  const [, first] = label.exec(rest) ?? []
  const position = positionOf(first, options)
  if (first === undefined || position === null) return []
  let behind = rest.slice(first.length)
  if (!endsLabel(first, behind, isSentence)) return []
  const positions = [position]
  for (let next = joining.exec(behind); next; next = joining.exec(behind)) {
    const more = positionOf(next[1], options)
    if (more === null || positions.length > 25) break
    positions.push(more)
    behind = behind.slice(next[0].length)
  }
  return positions
}

/** Whether what follows a letter leaves it a label: small letters, "I" and the article "A" are words where another word follows. */
function endsLabel(first: string, behind: string, isSentence: boolean): boolean {
  if (!isSentence && /^[AaIi]$/.test(first) && /^,\s/.test(behind)) return false
  if (!/^\s{1,5}[\p{L}\p{N}]/u.test(behind) && !/^\s?[-+*/=^%$]\s?[\p{L}\p{N}]/u.test(behind)) return true
  if (/^\s?[-–]\s/.test(behind)) return true
  return isSentence && /^[B-HJ-Z]$/.test(first)
    ? true
    : isSentence && first === "A" && /^\s(?:because|since|as|for|and|is|or)\s/.test(behind)
}

function chosen(text: string, options: Options): ChoiceReading | null {
  const matches = [...text.matchAll(choosing)].map(({ 0: words, index }) => {
    const piece = text.slice(index + words.length, index + words.length + 80).split("\n", 1)[0] as string
    return { index, positions: leadingLabels(piece, options, /[一-鿿]/.test(words)) }
  })
  for (const { 1: before, 2: letter = before, index } of text.matchAll(rightness)) {
    const position = positionOf(letter, options)
    if (position !== null) matches.push({ index, positions: [position] })
  }
  const last = matches
    .filter(({ positions }) => positions.length > 0)
    .sort((a, b) => a.index - b.index)
    .at(-1)
  return last ? reading("chosen", last.positions, text.slice(last.index)) : null
}

/** A label at the beginning of the answer. */
function labelled(text: string, options: Options): ChoiceReading | null {
  const labels = leadingLabels(text.slice(0, 200), options, false)
  return labels.length > 0 ? reading("label", labels, text) : null
}

function inBrackets(text: string, options: Options): ChoiceReading | null {
  let last: number | null = null
  for (const [, letter] of text.matchAll(bracketed)) last = positionOf(letter, options) ?? last
  return last === null ? null : reading("label", [last], text)
}

function onlyNamed(text: string, { choices }: Options): ChoiceReading | null {
  const whole = plain(text)
  const named = choices.flatMap((choice, position) => (contains(whole, plain(choice)) ? [position] : []))
  return named.length === 1 ? reading("option", named, text) : null
}

/** Characters of an answer that is a label alone, with its decoration. */
const maxBareLength = 20

function positionOf(name: string | undefined, { count, hasDigits }: Options): number | null {
  if (name === undefined) return null
  const position = /\d/.test(name) ? (hasDigits ? Number(name) - 1 : -1) : name.toUpperCase().charCodeAt(0) - 65
  return position >= 0 && position < count ? position : null
}

function reading(rule: ChoiceReading["rule"], positions: readonly number[], text: string): ChoiceReading {
  const read = text.trim()
  return { rule, positions, text: read.slice(0, 80), isBare: rule !== "chosen" && read.length <= maxBareLength }
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .trim()
}

/** Whether the text contains the words as whole words. */
function contains(text: string, words: string): boolean {
  return words !== "" && ` ${text} `.includes(` ${words} `)
}
