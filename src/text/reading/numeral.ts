/** A number as it stands in a text. */
export interface Numeral {
  /** Its exact value in plain decimal notation: "-1234.5", without zeros that say nothing. */
  readonly decimal: string
  /** Its value where its one separator is meant the other way: "1234" of `1.234`, "1.234" of `1,234`. */
  readonly alternate?: string
  /** Whether a percent sign follows it: 50 of `50 %`. */
  readonly isPercent: boolean
  /** Where it stands, in UTF-16 units: from its sign, to behind its percent sign. */
  readonly start: number
  readonly end: number
}

const runs = /\.?\p{Nd}+(?:(?:[.,'’_٫٬，． {2}\u202f\u2009]|\{,\}|\\,)\p{Nd}+)*/gu
const blanks = /[ \u00a0\u202f\u2009]/
const pieces = /\p{Nd}+|[^\p{Nd}]+/gu
const exponents = /[eE][-+]?\d{1,3}(?!\d)/y
const percents = /\s?(?:\\?%|％|٪)/y
const scales =
  /[\s\u00a0]?(?:(thousand|lakhs?|millions?|crores?|billions?|trillions?|Tausend|Millionen|Milliarden?)(?![\p{Ll}\p{Lu}])|([万萬만億亿억]))/uy
const powers: readonly (readonly [RegExp, number])[] = [
  [/^(?:thousand|tausend)$/i, 3],
  [/^[万萬만]$/, 4],
  [/^lakhs?$/i, 5],
  [/^million(?:s|en)?$/i, 6],
  [/^crores?$/i, 7],
  [/^[億亿억]$/, 8],
  [/^(?:billions?|milliarden?)$/i, 9],
  [/^trillions?$/i, 12],
]

/**
 * The numbers of a text, in their order: digits of every script, thousands in threes or as in India (1,00,000), decimals with a point or a
 * comma, exponents, signs (also U+2212), percent, and words of scale behind them (1.2 million, 3万). Digits that belong to a word ("x1",
 * "GPT4") are none; letters of scripts that put no blanks between words may stand beside them. A dash is a sign where no digit, letter or closing
 * bracket comes before it. Where one separator could mean both, a comma before three digits parts thousands and a point decimals;
 * `alternate` is the other. Linear in the text.
 *
 * @example [...numeralsOf("答案是42。")].map(({ decimal }) => decimal) // ["42"]
 */
export function* numeralsOf(text: string): Generator<Numeral> {
  for (const { 0: run, index } of text.matchAll(runs)) {
    // "w7 42" is a word and a number.
    const isInWord = belongsToWord(text, index, run)
    const from = isInWord ? run.search(blanks) + 1 : 0
    if (isInWord && from === 0) continue
    const tokens = run.slice(from).match(pieces) ?? []
    let at = index + from
    let isList = false
    for (let i = 0; i < tokens.length; ) {
      const { taken, ...read } = readTokens(tokens, i, isList)
      isList = read.isList ?? false
      const length = lengthOf(tokens, i, taken)
      if (read.decimal !== null) yield withSurroundings(text, read.decimal, read.alternate, at, at + length)
      at += length + (tokens[i + taken]?.length ?? 0)
      i += taken + 1
    }
  }
}

/** The value of a digit of any script, as an ASCII digit. */
export function asciiDigits(digits: string): string {
  return /^\d+$/.test(digits) ? digits : [...digits].map(digitOf).join("")
}

/** The digits of every script are ten neighbours, from zero on. */
function digitOf(character: string): string {
  const code = character.codePointAt(0) as number
  let below = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - below - 1))) below++
  return String(below % 10)
}

/** Whether a letter of a script with capitals stands before the digits, or a point or an underscore that follows a word. */
function belongsToWord(text: string, index: number, run: string): boolean {
  const before = text.slice(Math.max(0, index - 2), index)
  if (run.startsWith(".")) return /[\p{L}\p{N}_)]$/u.test(before)
  return /[\p{Lu}\p{Ll}\p{Lt}\p{No}_]$/u.test(before) || /[\p{L}\p{N}_]\.$/u.test(before)
}

interface ReadTokens {
  /** Null where the run is no number: 1.2.3. */
  readonly decimal: string | null
  readonly alternate?: string
  /** Tokens that were read: up to the next one that stands between numbers. */
  readonly taken: number
  /** Commas part the members of a list here: what follows is one, too. */
  readonly isList?: boolean
}

/** Reads one number from digits and what stands between them, from the i-th on. */
function readTokens(tokens: readonly string[], i: number, isList: boolean): ReadTokens {
  if (tokens[i] === ".") return { decimal: plainDecimal(`0.${asciiDigits(tokens[i + 1] as string)}`), taken: 2 }
  const first = asciiDigits(tokens[i] as string)
  const separator = separatorOf(tokens[i + 1])
  if (isList && separator === ",") return { decimal: plainDecimal(first), taken: 1, isList }
  const groups = separator === null ? 0 : groupsOf(tokens, i, first, separator)
  if (groups > 0) return readGroups(tokens, i, first, separator as string, groups)
  if (separator === "_") return { decimal: null, taken: tokens.length - i }
  if (isList || (separator !== "." && separator !== ",")) return { decimal: plainDecimal(first), taken: 1 }
  const isRepeated = separatorOf(tokens[i + 3]) === separator
  if (isRepeated && separator === ".") return { decimal: null, taken: tokens.length - i }
  // Several commas that part no thousands part the members of a list.
  if (isRepeated) return { decimal: plainDecimal(first), taken: 1, isList: true }
  return { decimal: plainDecimal(`${first}.${asciiDigits(tokens[i + 2] as string)}`), taken: 3 }
}

function readGroups(
  tokens: readonly string[],
  i: number,
  first: string,
  separator: string,
  groups: number,
): ReadTokens {
  const whole = first + Array.from({ length: groups }, (_, n) => asciiDigits(tokens[i + 2 * n + 2] as string)).join("")
  const next = separatorOf(tokens[i + 2 * groups + 1])
  const isDecimal = (next === "." || next === ",") && next !== separator
  if (isDecimal) {
    const fraction = asciiDigits(tokens[i + 2 * groups + 2] as string)
    return { decimal: plainDecimal(`${whole}.${fraction}`), taken: 2 * groups + 3 }
  }
  const taken = 2 * groups + 1
  if (groups > 1 || (separator !== "." && separator !== ",")) return { decimal: plainDecimal(whole), taken }
  const parted = plainDecimal(`${first}.${whole.slice(first.length)}`)
  return separator === "."
    ? { decimal: parted, alternate: plainDecimal(whole), taken }
    : { decimal: plainDecimal(whole), alternate: parted, taken }
}

/** How many groups of thousands follow the first digits: of three each, or of two with three at the end; 0 where they are none. */
function groupsOf(tokens: readonly string[], i: number, first: string, separator: string): number {
  if (first.length > 3 || (first.startsWith("0") && ".,".includes(separator))) return 0
  const follows = (group: number, digits: number) => {
    const token = separatorOf(tokens[i + 2 * group + 1]) === separator ? tokens[i + 2 * group + 2] : undefined
    return token !== undefined && token.length === digits * unitsPerDigit(token)
  }
  let threes = 0
  while (follows(threes, 3)) threes++
  const isOver = separatorOf(tokens[i + 2 * threes + 1]) !== separator
  if (threes > 0) return isOver || !".,".includes(separator) ? threes : 0
  if (separator !== "," || first.length > 2) return 0
  let twos = 0
  while (twos < 6 && follows(twos, 2)) twos++
  return twos > 0 && follows(twos, 3) && !follows(twos + 1, 3) ? twos + 1 : 0
}

function unitsPerDigit(digits: string): number {
  return (digits.codePointAt(0) as number) > 0xffff ? 2 : 1
}

/** The sign that stands between digits, whichever form it has: "." of ٫, "," of {,}; null where there is none. */
function separatorOf(token: string | undefined): string | null {
  if (token === undefined) return null
  if (token === "." || token === "٫" || token === "．") return "."
  if (token === "," || token === "٬" || token === "，" || token === "{,}") return ","
  return token === "’" ? "'" : token === "_" || token === "'" ? token : " "
}

function lengthOf(tokens: readonly string[], i: number, taken: number): number {
  return tokens.slice(i, i + taken).reduce((sum, token) => sum + token.length, 0)
}

/** The number with its sign, and what follows it: an exponent, a percent sign, a word of scale. */
function withSurroundings(
  text: string,
  digits: string,
  otherwise: string | undefined,
  from: number,
  to: number,
): Numeral {
  const sign = signBefore(text, from)
  const exponent = at(exponents, text, to)
  const scale = exponent === null ? at(scales, text, to) : null
  const percent = at(percents, text, to + (exponent?.[0].length ?? 0))
  const word = scale?.[1] ?? scale?.[2] ?? ""
  const shift = exponent ? Number(exponent[0].slice(1)) : (powers.find(([pattern]) => pattern.test(word))?.[1] ?? 0)
  const valued = (decimal: string) => plainDecimal(`${sign?.isNegative ? "-" : ""}${decimal}`, shift)
  return {
    decimal: valued(digits),
    ...(otherwise !== undefined && shift === 0 && { alternate: valued(otherwise) }),
    isPercent: percent !== null,
    start: sign?.start ?? from,
    end: to + (exponent?.[0].length ?? 0) + (percent?.[0].length ?? scale?.[0].length ?? 0),
  }
}

function at(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index
  return pattern.exec(text)
}

/** A sign before a number, or before its currency sign. */
function signBefore(text: string, from: number): { readonly isNegative: boolean; readonly start: number } | null {
  const [lead = "", sign = ""] =
    /([-+−－﹣])(?:\\?[\p{Sc}]|US\\?\$)?$/u.exec(text.slice(Math.max(0, from - 5), from)) ?? []
  if (sign === "") return null
  const start = from - lead.length
  const before = text.slice(Math.max(0, start - 2), start)
  if (/[\p{L}\p{N})\]}]$/u.test(before) || /[\p{N})\]}]\s$/u.test(before)) return null
  return { isNegative: sign !== "+", start }
}

/** A decimal times a power of ten, without zeros that say nothing, exactly: "012.50" is "12.5". */
export function plainDecimal(decimal: string, shift = 0): string {
  const negative = decimal.startsWith("-")
  const [whole = "", fraction = ""] = decimal.replace("-", "").split(".")
  const digits = whole + fraction
  const point = whole.length + shift
  const before = point <= 0 ? "0" : digits.slice(0, point).padEnd(point, "0")
  const after = point <= 0 ? "0".repeat(-point) + digits : digits.slice(point)
  let end = after.length
  while (after[end - 1] === "0") end--
  const plain = `${before.replace(/^0+(?=\d)/, "")}${end === 0 ? "" : `.${after.slice(0, end)}`}`
  return negative && plain !== "0" ? `-${plain}` : plain
}
