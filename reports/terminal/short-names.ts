import { cells } from "./style.ts"

/**
 * Names in a width, those that are too long without their middle: what tells models apart stands at both ends, as in family and
 * quantization. Names that would look alike then begin shortly before their first difference, so that no two rows have one name.
 *
 * @param width in terminal cells, at least 8
 * @example shortNames(["llama-3.1-70b-instruct-q4_0", "llama-3.1-70b-instruct-q8_0"], 16) // ["llama-3.…uct-q4_0", …]
 */
export function shortNames(names: readonly string[], width: number, unicode = true): string[] {
  const mark = unicode ? "\u2026" : "..."
  const room = width - cells(mark)
  const short = names.map((name) => (cells(name) <= width ? name : withoutMiddle(name, room, mark)))
  return short.map((text, i) => {
    const alike = names.filter((name, other) => short[other] === text && name !== names[i])
    return alike.length === 0 ? text : fromDifference(names[i] as string, alike, room, mark)
  })
}

function withoutMiddle(name: string, room: number, mark: string): string {
  const head = Math.ceil(room / 2)
  return `${beginning(name, head)}${mark}${end(name, room - head)}`
}

/** From two characters before a name's first difference from the last of the others that it has much in common with. */
function fromDifference(name: string, others: readonly string[], room: number, mark: string): string {
  const characters = [...name]
  const firsts = others.map((other) => {
    const theirs = [...other]
    const place = characters.findIndex((character, i) => character !== theirs[i])
    return place < 0 ? characters.length : place
  })
  const rest = characters.slice(Math.max(0, Math.max(...firsts) - 2)).join("")
  return mark + (cells(rest) <= room ? rest : beginning(rest, room))
}

function beginning(text: string, width: number): string {
  let kept = ""
  for (const character of text) {
    if (cells(kept + character) > width) break
    kept += character
  }
  return kept
}

function end(text: string, width: number): string {
  return [...beginning([...text].reverse().join(""), width)].reverse().join("")
}
