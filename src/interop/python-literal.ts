import type { JsonValue } from "../core/json.ts"

/** What a list or an object of Python is made of. */
const tokens =
  /\s*(?:('(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*")|(-?\d[\d.]*(?:e[+-]?\d+)?)|([A-Za-z]+)|([[\]{}(),:]))/gy

const words: ReadonlyMap<string, string> = new Map([
  ["None", "null"],
  ["nan", "null"],
  ["True", "true"],
  ["False", "false"],
])

/**
 * A list or an object as Python prints it, and as pandas writes one into a cell of CSV: `[{'role': 'user', 'content': "it's"}]`.
 *
 * @returns undefined for any other text
 * @example pythonLiteral("[{'a': None}, (True, 'b')]") // [{ a: null }, [true, "b"]]
 */
export function pythonLiteral(text: string): JsonValue | undefined {
  const parts: string[] = []
  tokens.lastIndex = 0
  let end = 0
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const [, quoted, number, word, sign] = match
    const part =
      quoted === undefined ? (number ?? words.get(word ?? "") ?? brackets.get(sign ?? "") ?? sign) : inJson(quoted)
    if (part === undefined) return undefined
    // A comma may stand behind the last element.
    if ((part === "]" || part === "}") && parts.at(-1) === ",") parts.pop()
    parts.push(part)
    end = tokens.lastIndex
  }
  if (text.slice(end).trim() !== "") return undefined
  try {
    return JSON.parse(parts.join(" ")) as JsonValue
  } catch {
    return undefined
  }
}

const brackets: ReadonlyMap<string, string> = new Map([
  ["(", "["],
  [")", "]"],
])

/** Escapes of Python that JSON has not: of a quote, of a code of two digits, of one of eight. */
function inJson(quoted: string): string {
  const inside = quoted
    .slice(1, -1)
    .replace(/\\(?:x([0-9a-f]{2})|U([0-9a-f]{8})|([\s\S]))|"|[\x00-\x1f]/gi, (match, two, eight, character) => {
      if (two !== undefined) return `\\u00${two}`
      if (eight !== undefined)
        return JSON.stringify(String.fromCodePoint(Math.min(Number.parseInt(eight, 16), 0x10ffff))).slice(1, -1)
      if (character === undefined) return JSON.stringify(match).slice(1, -1)
      return character === "'" ? "'" : match
    })
  return `"${inside}"`
}
