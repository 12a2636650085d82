/** Groups within groups that are followed, at most. */
const deepest = 20

/** Commands that stand for a sign, a function or nothing at all. */
const commands: Readonly<Record<string, string>> = {
  times: "*",
  cdot: "*",
  ast: "*",
  div: "/",
  pm: "±",
  pi: "pi",
  infty: "infinity",
  cup: "∪",
  in: "∈",
  circ: " degrees",
  le: "≤",
  leq: "≤",
  ge: "≥",
  geq: "≥",
  lt: "<",
  gt: ">",
  approx: "≈",
  ne: "≠",
  neq: "≠",
  left: "",
  right: "",
  big: "",
  Big: "",
  displaystyle: "",
  quad: " ",
  qquad: " ",
  mbox: "",
  cdots: "...",
  ldots: "...",
}
/** Commands whose argument is words or a box around the value. */
const wrappers = /^(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf|operatorname|boxed|fbox|bf|rm|mbox|mathbb)$/

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹"
const signs: Readonly<Record<string, string>> = {
  "×": "*",
  "·": "*",
  "⋅": "*",
  "∗": "*",
  "÷": "/",
  "⁄": "/",
  "−": "-",
  "－": "-",
  "–": "-",
  π: "pi",
  "∞": "infinity",
  "（": "(",
  "）": ")",
  "［": "[",
  "］": "]",
  "，": ",",
  "、": ",",
  "；": ";",
  "：": ":",
  "＝": "=",
  "％": "%",
  "°": " degrees",
}

/**
 * A piece of mathematics in plain signs, whether it was written in LaTeX or in Unicode: \frac{1}{2} and ½ are (1)/(2), 10^{5} and 10⁵ are
 * 10^(5), \sqrt{2} and √2 are sqrt(2). What it does not know stays as it is.
 *
 * @example plainMath("3 \\times 10^{5}") // "3 * 10^(5)"
 */
export function plainMath(source: string): string {
  return fromUnicode(fromLatex(source.replace(repeating, fractionOf), 0).text)
}

/** A decimal whose last digits repeat. */
const repeating = /(\d{1,9})\.(\d{0,9})\\overline\{(\d{1,9})\}/g

function fractionOf(_: string, whole: string, fixed: string, repeated: string): string {
  const under = "9".repeat(repeated.length) + "0".repeat(fixed.length)
  return `(${whole}+(${Number(fixed + repeated) - Number(fixed)})/${under})`
}

interface Part {
  readonly text: string
  readonly end: number
}

/** From `at` on, to the brace that closes the group, or to the end. */
function fromLatex(source: string, at: number, depth = 0): Part {
  let text = ""
  let i = at
  while (i < source.length) {
    const character = source[i] as string
    if (character === "}") return { text, end: i + 1 }
    const part = partAt(source, i, depth)
    text += part.text
    i = part.end
  }
  return { text, end: i }
}

function partAt(source: string, i: number, depth: number): Part {
  const character = source[i] as string
  if (character === "$") return { text: "", end: i + 1 }
  if (character === "~") return { text: " ", end: i + 1 }
  if (source.startsWith("{,}", i)) return { text: ",", end: i + 3 }
  if (character === "{") {
    const { text, end } = group(source, i, depth)
    // Braces that group nothing in LaTeX hold a set, where they are no JSON.
    return { text: text.includes(",") && !/["':]/.test(text) ? `⦃${text}⦄` : `(${text})`, end }
  }
  if (character === "^" || character === "_") return script(source, i, depth)
  return character === "\\" ? command(source, i, depth) : { text: character, end: i + 1 }
}

/** What stands in braces, or the next sign where there are none. */
function group(source: string, i: number, depth: number): Part {
  let at = i
  while (source[at] === " ") at++
  if (source[at] !== "{" || depth >= deepest)
    return source[at] === "\\" && depth < deepest
      ? command(source, at, depth + 1)
      : { text: source[at] ?? "", end: at + 1 }
  return fromLatex(source, at + 1, depth + 1)
}

function script(source: string, i: number, depth: number): Part {
  const sign = source[i] as string
  if (source[i + 1] !== "{" && source[i + 1] !== "\\") return { text: sign, end: i + 1 }
  const { text, end } = group(source, i + 1, depth)
  return text.trim() === "degrees" ? { text: " degrees", end } : { text: `${sign}(${text})`, end }
}

function command(source: string, i: number, depth: number): Part {
  const name = /^[A-Za-z]{1,20}/.exec(source.slice(i + 1, i + 22))?.[0] ?? ""
  const end = i + 1 + name.length
  if (name === "") return escaped(source, i)
  if (/^[dtc]?frac$/.test(name)) {
    const over = group(source, end, depth)
    const under = group(source, over.end, depth)
    return { text: `((${over.text})/(${under.text}))`, end: under.end }
  }
  if (name === "sqrt") return root(source, end, depth)
  if (wrappers.test(name)) return group(source, end, depth)
  const symbol = Object.hasOwn(commands, name) ? commands[name] : undefined
  return { text: symbol ?? `\\${name}`, end }
}

/** `\%`, `\$`, `\,` and their like. */
function escaped(source: string, i: number): Part {
  const character = source[i + 1] ?? ""
  if ("{}".includes(character) && character !== "") return { text: character === "{" ? "⦃" : "⦄", end: i + 2 }
  if (",;: ".includes(character)) return { text: " ", end: i + 2 }
  return { text: "!()[]$\\".includes(character) ? "" : character, end: i + 2 }
}

function root(source: string, i: number, depth: number): Part {
  const close = source[i] === "[" ? source.indexOf("]", i) : -1
  const { text, end } = group(source, close < 0 ? i : close + 1, depth)
  return { text: close < 0 ? `sqrt(${text})` : `nthRoot((${text}),(${source.slice(i + 1, close)}))`, end }
}

function fromUnicode(text: string): string {
  return text
    .replace(/[⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,20}/g, (digits) => `^(${[...digits].map(superscript).join("")})`)
    .replace(/(\p{Nd})?([¼½¾⅐-⅞])/gu, (_, whole: string | undefined, part: string) => {
      const [over, under] = part.normalize("NFKC").split("⁄")
      return whole === undefined ? `(${over}/${under})` : `${whole}+(${over}/${under})`
    })
    .replace(/[×·⋅∗÷⁄−－–π∞（）［］，、；：＝％°]/g, (sign) => signs[sign] ?? sign)
    .replace(/√\s?(\d{1,20}(?:\.\d{1,20})?)/g, "sqrt($1)")
    .replace(/√\s?\(/g, "sqrt(")
}

function superscript(digit: string): string {
  return digit === "⁻" ? "-" : String(superscripts.indexOf(digit))
}
