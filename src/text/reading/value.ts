import { asciiDigits, type Numeral, numeralsOf, plainDecimal } from "./numeral.ts"
import { plainMath } from "./plain-math.ts"

/** What a piece of text states: one number, an expression of numbers, several of those, or something else. */
export type Value =
  | ({ readonly kind: "number" } & Pick<Numeral, "decimal" | "alternate" | "isPercent">)
  /** In the notation of {@link plainMath}; it has still to be evaluated. */
  | { readonly kind: "expression"; readonly text: string }
  /** A tuple, an interval, a set, a ratio: compared as a whole. */
  | { readonly kind: "list"; readonly brackets: string; readonly members: readonly Value[] }
  | { readonly kind: "other"; readonly text: string }

/** Characters of a piece that is read as a value, at most. */
const longest = 500

const opening = "([⦃"
const closing = ")]⦄"
/** What parts the members of a list: signs, and the words of some languages. */
const partings = /^(?:[,;]|\s(?:or|and|oder|und|ou|et|o|y|e)\s)/

/**
 * Reads a piece of text as a value, as a whole: units, currency signs and words around a single number are left out, and of an equation
 * counts its last side. What holds several numbers that are no expression and no list is `other`.
 *
 * @example readValue("\\frac{1}{2}") // { kind: "expression", text: "((1)/(2))" }
 * @example readValue("$1,200.00 in all") // { kind: "number", decimal: "1200", … }
 * @example readValue("(0, 4)") // a list in "()"
 */
export function readValue(piece: string): Value {
  if (piece.length > longest) return { kind: "other", text: piece.slice(0, longest) }
  return read(bare(plainMath(piece)))
}

/** Whether a value is one number, as far as can be known before an expression is evaluated. */
export function isSingle({ kind }: Value): boolean {
  return kind === "number" || kind === "expression"
}

function read(text: string): Value {
  const other: Value = { kind: "other", text: text.replace(/\s+/g, "") }
  const list = listOf(text)
  if (list !== null) return list
  if (innerOf(text) !== null && text.startsWith("(")) return read(bare(text.slice(1, -1)))
  const last = text.split(/[=≈∈]/).at(-1) as string
  const side = bare(last)
  if (side === "") return other
  if (side !== text) return read(side)
  if (/[<>≤≥≠∪±]/.test(side)) return other
  return single(side) ?? other
}

/** What a unit may hold besides letters: a power, "per" as a sign. */
const unitSigns = /(?<=\p{L})(?:\^?\(?-?[1-3]\)?)?(?:\s?[/*]\s?(?=\p{L}))?/gu
const mathSigns = /[\p{Nd}*/^()[\]+_\\]|(?<![A-Za-z])(?:sqrt|pi)(?![A-Za-z])/u
/** A letter at a number that is a variable, and no unit: 3a, 2x. */
const variable = /^[abcefijknopqrtuvwxyz](?!\p{L})/u

/** A number in another base: 221_3. */
const based = /^(-?)(\p{Nd}{1,30})_\(?(\p{Nd}{1,2})\)?$/u

/** A number among words, or an expression of numbers. */
function single(text: string): Value | null {
  const [, sign = "", digits = "", base = ""] = based.exec(text) ?? []
  if (base !== "") return inBase(sign, asciiDigits(digits), Number(asciiDigits(base)))
  const [first, ...more] = numeralsOf(text)
  if (first === undefined) return /(?<![A-Za-z])pi(?![A-Za-z])/.test(text) ? expressionOf(text) : null
  const { decimal, alternate, isPercent, start, end } = first
  const [before, behind] = [text.slice(0, start), text.slice(end)]
  const isAlone = more.every(({ start: at }) => /\p{L}\^?\(?-?$/u.test(text.slice(0, at)))
  if (!isAlone || mathSigns.test(`${before} ${behind.replace(unitSigns, "")}`) || /-\s*$/.test(before))
    return expressionOf(text)
  if (variable.test(behind)) return null
  return { kind: "number", decimal, ...(alternate !== undefined && { alternate }), isPercent }
}

function inBase(sign: string, digits: string, base: number): Value | null {
  if (base < 2 || base > 10 || [...digits].some((digit) => Number(digit) >= base)) return null
  const value = [...digits].reduce((sum, digit) => sum * BigInt(base) + BigInt(digit), 0n)
  return { kind: "number", decimal: plainDecimal(`${sign}${value}`), isPercent: false }
}

const expressionStart = /^(?:[\d.\s()+\-*/^,]|(?<![A-Za-z])(?:sqrt|nthRoot|pi)(?![A-Za-z]))+/

/** The text as an expression: its numbers as plain decimals, a mixed number as a sum, a unit behind it left out; null where it is none. */
function expressionOf(text: string): Value | null {
  let plain = ""
  let from = 0
  for (const { decimal, start, end } of numeralsOf(text)) {
    plain += text.slice(from, start) + decimal
    from = end
  }
  const expression = (plain + text.slice(from))
    .replace(/\p{Sc}/gu, "")
    .replace(/(?<![\d.)])(\d{1,9})\s?\(\((\d{1,9})\)\/\((\d{1,9})\)\)/g, "($1+($2)/($3))")
    .replace(/(?<![\d./])(\d{1,9})\s(\d{1,9})\/(\d{1,9})(?![\d/])/g, "($1+$2/$3)")
    .replace(/(\d)(?=sqrt|pi|nthRoot)/g, "$1 ")
    .trim()
  const [whole = ""] = expressionStart.exec(expression) ?? []
  const unit = expression.slice(whole.length).replace(unitSigns, "")
  if (!/\d|pi/.test(whole) || /[-+*/^]\s*$/.test(whole) || mathSigns.test(unit) || /[=]/.test(unit)) return null
  if (variable.test(unit)) return null
  return { kind: "expression", text: whole.trim() }
}

/** The members of a list: in brackets, parted by commas or words, or a ratio; null where the text is no list. */
function listOf(text: string): Value | null {
  const inner = innerOf(text)
  const [content, brackets] = inner === null ? [text, ""] : [inner, `${text[0]}${text.at(-1)}`]
  const pieces = partsOf(content, brackets !== "" && !/,\s/.test(content))
  if (pieces.length > 1) {
    // Prose of several lines, with commas in it.
    if (brackets === "" && pieces.some((piece) => bare(piece).includes("\n"))) return null
    const members = pieces.map((piece) => read(bare(piece)))
    if (members.every((member) => member.kind !== "other")) return { kind: "list", brackets, members }
    if (brackets !== "" && members.some(({ kind }) => kind !== "other"))
      return { kind: "other", text: text.replace(/\s+/g, "") }
    return null
  }
  if (inner !== null && brackets !== "()") {
    const only = read(bare(inner))
    return only.kind === "other" ? null : { kind: "list", brackets, members: [only] }
  }
  const ratio = /\p{Nd}\s?:\s?\p{Nd}/u.test(text) ? text.split(":") : []
  const members = ratio.map((piece) => read(bare(piece)))
  return members.length === 2 && members.every(isSingle) ? { kind: "list", brackets: ":", members } : null
}

/** What stands in the one pair of brackets that the whole text is in; null where there is none. */
function innerOf(text: string): string | null {
  if (!opening.includes(text[0] ?? " ") || !closing.includes(text.at(-1) ?? " ")) return null
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    if (opening.includes(text[i] as string)) depth++
    else if (closing.includes(text[i] as string) && --depth === 0)
      return i === text.length - 1 ? text.slice(1, -1) : null
  }
  return null
}

/**
 * The text between partings that stand in no bracket.
 *
 * @param isTight commas inside of what could be one number part, too: 0,1 in (0,1)
 */
function partsOf(text: string, isTight: boolean): readonly string[] {
  const numerals = isTight ? [] : [...numeralsOf(text)]
  const pieces: string[] = []
  let depth = 0
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string
    if (opening.includes(character)) depth++
    else if (closing.includes(character)) depth--
    const separator = depth === 0 ? partings.exec(text.slice(i, i + 8))?.[0] : undefined
    if (separator === undefined || numerals.some(({ start, end }) => start <= i && i < end)) continue
    pieces.push(text.slice(from, i))
    from = i + separator.length
    i = from - 1
  }
  return [...pieces, text.slice(from)]
}

/** Without blanks, emphasis, quotes and closing punctuation around it, and out of brackets that hold nothing but one value. */
function bare(text: string): string {
  return text.replace(/^[\s*`"'“”«»:]{1,100}/, "").replace(/[\s*`"'“”«».。!,;?]{1,100}$/, "")
}
