import { type FinalAnswer, finalAnswers, type ReadingRule } from "./final-answer.ts"
import { type Numeral, numeralsOf } from "./numeral.ts"
import { readValue, type Value } from "./value.ts"

/** The number that an answer gives, or the compound that it gives in its place. */
export interface NumberReading {
  readonly rule: ReadingRule
  readonly value: Value
  /** The first number of what was read, however much else it holds. */
  readonly first: Value | null
  readonly text: string
  readonly start: number
}

/**
 * What every form in an answer gives as its number, in the order of the rules of {@link finalAnswers}; the first counts. Behind a mark it is the
 * whole sentence where that is one value, else the first number with what belongs to it (fractions, powers, the tuple that it stands
 * in); without any form the last number of the text. Empty: there is no number.
 *
 * @example readNumbers("5 + 7 = 12, so he pays $1,200.\nA: 1,200")[0].value // { kind: "number", decimal: "1200", … }
 */
export function readNumbers(text: string): readonly NumberReading[] {
  const readings: NumberReading[] = []
  for (const answer of finalAnswers(text)) {
    if (readings.some(({ rule }) => rule === answer.rule)) continue
    const reading = readForm(answer, text)
    if (reading) readings.push(reading)
  }
  return readings
}

function readForm(answer: FinalAnswer, whole: string): NumberReading | null {
  const { rule, text, start } = answer
  const first = firstNumber(text)
  if (rule === "json" || rule === "boxed") {
    const value = readValue(text)
    return { rule, text, start, first: isOneNumber(value) ? value : first, value }
  }
  if (rule === "bold" || rule === "whole text") {
    const value = readValue(text)
    if (value.kind !== "other" || text.includes("\\begin{")) return { rule, text, start, first, value }
    return rule === "bold" ? null : lastNumber(whole)
  }
  if (rule !== "marked") return null
  // A mark at the end of a line may stand above its answer.
  const region = first ? text : whole.slice(start, start + maxRegionLength)
  const value = valueBehind(region)
  return (
    value && {
      rule,
      text: text.slice(0, 200),
      start,
      first: isOneNumber(value) ? value : (first ?? firstNumber(region)),
      value,
    }
  )
}

/** Whether an expression is the way to write one number: a fraction, a power, a number with its power of ten. */
function isOneNumber(value: Value): boolean {
  return value.kind === "expression" && oneNumber.test(value.text)
}

const oneNumber = /^[-(\s]{0,4}[\d.]{1,30}\)?\s?(?:\/\s?\(?-?[\d.]{1,30}\)?|(?:\*\s?10\s?)?\^\s?\(?-?\d{1,4}\)?)\)?$/

const maxRegionLength = 5000

function valueBehind(text: string): Value | null {
  const [sentence = ""] = /^(?:[^.。!?\n]|[.](?=\S))*/u.exec(text) ?? []
  const value = readValue(sentence)
  if (value.kind !== "other") return value
  const [numeral] = numeralsOf(text)
  return numeral ? valueAround(text, numeral) : null
}

function lastNumber(text: string): NumberReading | null {
  for (let end = text.length; end > 0; ) {
    const from = text.lastIndexOf("\n", end - 1) + 1
    const line = text.slice(from, end)
    let last: Numeral | undefined
    for (const numeral of numeralsOf(line)) last = numeral
    if (last) {
      const { start } = last
      const [read, value] = [line.slice(start, last.end), valueAround(line, last)]
      return { rule: "last line", text: read, start: from + start, first: numberOf(last), value }
    }
    end = from - 1
  }
  return null
}

/** Characters before and behind a number in which what it belongs to is looked for. */
const near = 120

/** The value that a number of a text is a part of: its formula, its tuple, its fraction or power, or itself. */
function valueAround(text: string, numeral: Numeral): Value {
  const { start, end } = numeral
  const before = text.slice(Math.max(0, start - near), start)
  const behind = text.slice(end, end + near)
  const middle = text.slice(start, end)
  for (const piece of [
    inFormula(before, middle, behind),
    inTuple(before, middle, behind),
    joined(before, middle, behind),
  ]) {
    const value = piece === null ? null : readValue(piece)
    if (value?.kind === "expression" || value?.kind === "list") return value
  }
  return numberOf(numeral)
}

/** What stands in the same formula: between dollar signs that are no currency, or between \( and \) or \[ and \]. */
function inFormula(before: string, middle: string, behind: string): string | null {
  const [, mark, head] = /(\$|\\[([])([^$\n]{0,100})$/.exec(before) ?? []
  if (mark === undefined || head === undefined) return null
  const end = behind.indexOf(mark === "$" ? "$" : mark === "\\(" ? "\\)" : "\\]")
  if (end < 0) return null
  const formula = `${head}${middle}${behind.slice(0, end)}`
  return mark === "$" && !/[\\^=]/.test(formula) && /^\p{Nd}/u.test(formula) && /\p{L}/u.test(formula) ? null : formula
}

/** The brackets around it, where they hold a comma. */
function inTuple(before: string, middle: string, behind: string): string | null {
  const [head] = /[([][^()[\]\n]{0,100}$/.exec(before) ?? []
  const [tail] = /^[^()[\]\n]{0,100}[)\]]/.exec(behind) ?? []
  const tuple = `${head}${middle}${tail}`
  return head !== undefined && tail !== undefined && tuple.includes(",") ? tuple : null
}

/** With the numbers that a sign of fraction, ratio or power joins to it. */
function joined(before: string, middle: string, behind: string): string | null {
  const [head = ""] =
    /(?:[-−]?\p{Nd}[\p{Nd}.,]{0,20}\s?(?:[/:×*]|\\times|\^[({]?)\s?){1,4}$/u.exec(before.slice(-60)) ?? []
  const [tail = ""] =
    /^(?:\s?(?:[/:×*]|\\times|\^[({]?)\s?[-−]?\p{Nd}[\p{Nd}.,]{0,20}[)}]?|[⁰¹²³⁴-⁹⁻¼½¾⅐-⅞]){1,4}/u.exec(behind) ?? []
  const whole = `${head}${middle}${tail}`
  return /[/:^⁰¹²³⁴-⁹⁻¼½¾⅐-⅞]/.test(head + tail) ? whole.replace(/[.,]$/, "") : null
}

/** The first number of a text, a fraction of two whole numbers as one. */
function firstNumber(text: string): Value | null {
  const [first] = numeralsOf(text)
  if (!first) return null
  const [fraction] = /^\s?\/\s?\p{Nd}{1,9}(?![\p{Nd}.,]\p{Nd})/u.exec(text.slice(first.end, first.end + 12)) ?? []
  return fraction === undefined ? numberOf(first) : readValue(`${first.decimal}${fraction}`)
}

function numberOf({ decimal, alternate, isPercent }: Numeral): Value {
  return { kind: "number", decimal, ...(alternate !== undefined && { alternate }), isPercent }
}
