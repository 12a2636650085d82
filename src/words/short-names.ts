/** How names are measured and cut. */
export interface NameRoom {
  /** Size of a text in the same unit as the width; default: its characters. */
  readonly measure?: (text: string) => number
  /** Stands for what was left out; default: "…". */
  readonly mark?: string
}

/**
 * Names in a width, those that are too long without their middle: what tells models apart stands at both ends, as in family and
 * quantization. Names that would look alike then begin shortly before their first difference, so that no two have one name.
 *
 * @param width at least 8
 * @example shortenedNames(["llama-3.1-70b-instruct-q4_0", "llama-3.1-70b-instruct-q8_0"], 16) // ["llama-3.…uct-q4_0", …]
 */
export function shortenedNames(
  names: readonly string[],
  width: number,
  { measure = characters, mark = "\u2026" }: NameRoom = {},
): string[] {
  const room = width - measure(mark)
  const beginning = (text: string, max: number) => {
    let kept = ""
    for (const character of text) {
      if (measure(kept + character) > max) break
      kept += character
    }
    return kept
  }
  const withoutMiddle = (name: string) => {
    const head = Math.ceil(room / 2)
    const end = [...beginning([...name].reverse().join(""), room - head)].reverse().join("")
    return `${beginning(name, head)}${mark}${end}`
  }
  const short = names.map((name) => (measure(name) <= width ? name : withoutMiddle(name)))
  return short.map((text, i) => {
    const name = names[i] as string
    const alike = names.filter((other, index) => short[index] === text && other !== name)
    if (alike.length === 0) return text
    const rest = fromDifference(name, alike)
    return mark + (measure(rest) <= room ? rest : beginning(rest, room))
  })
}

function characters(text: string): number {
  return [...text].length
}

/** From two characters before a name's first difference from the last of the others that it has much in common with. */
function fromDifference(name: string, others: readonly string[]): string {
  const own = [...name]
  const firsts = others.map((other) => {
    const theirs = [...other]
    const index = own.findIndex((character, i) => character !== theirs[i])
    return index < 0 ? own.length : index
  })
  return own.slice(Math.max(0, Math.max(...firsts) - 2)).join("")
}
