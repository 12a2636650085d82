/** What is wrong with how the tables and lists of a page read; empty lists where nothing is. */
export interface TableFaults {
  /** Words of names and headings that go on in the next line. */
  readonly halves: readonly string[]
  /** Marks of variants that stand on another line than their names. */
  readonly apart: readonly string[]
  /** Headings that stand on the other side of their column than its cells. */
  readonly askew: readonly string[]
  /** Cells whose text stands higher or lower than the one beside it. */
  readonly unlevel: readonly string[]
  /** Texts too small to read. */
  readonly small: readonly string[]
}

/** Runs in the page, folded parts opened before: words, marks, columns and lines of its tables. */
export function tableFaults(selector: string): TableFaults {
  const part = document.querySelector(selector) ?? document.body
  const visible = (own: Element) => own.getClientRects().length > 0 && own.checkVisibility() && !own.closest(".hidden")
  const all = <Kind extends Element>(what: string) => [...part.querySelectorAll<Kind>(what)].filter(visible)
  const name = (entry: Element) => `${entry.tagName} ${entry.textContent?.trim().slice(0, 50)}`
  const textsOf = (entry: Element): Text[] => {
    const walker = document.createTreeWalker(entry, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      if (node.nodeValue?.trim() && node.parentElement && visible(node.parentElement)) texts.push(node as Text)
    return texts
  }
  const rectsOf = (text: Text, from: number, to: number): readonly DOMRect[] => {
    const range = document.createRange()
    range.setStart(text, from)
    range.setEnd(text, to)
    return [...range.getClientRects()]
  }
  const halves = all("th, td.texts, dt, summary, caption, h2, h3, button").flatMap((entry) =>
    textsOf(entry).flatMap((text) =>
      [...(text.nodeValue ?? "").matchAll(/[\p{L}\d]{2,30}/gu)].flatMap((word) => {
        const tops = rectsOf(text, word.index, word.index + word[0].length).map(({ top }) => Math.round(top))
        return new Set(tops).size > 1 ? [`${word[0]} in ${name(entry)}`] : []
      }),
    ),
  )
  // On narrow screens the list of samples shows marks alone.
  const marks = all(".inline-mark:not(.sample-row *)").flatMap((mark) => {
    const next = mark.nextElementSibling
    const [text] = next ? textsOf(next) : []
    const [rect] = text ? rectsOf(text, 0, 1) : []
    return rect && rect.top > mark.getBoundingClientRect().bottom ? [name(mark.parentElement ?? mark)] : []
  })
  const side = (entry: Element) => getComputedStyle(entry).textAlign.replace("start", "left").replace("end", "right")
  const tables = all<HTMLTableElement>("table").filter((entry) => !entry.closest(".confusion"))
  const rows = tables.flatMap((table) => [...table.querySelectorAll<HTMLTableRowElement>("tbody tr")].filter(visible))
  const askew = tables.flatMap((table) => {
    const heads = table.tHead?.rows.length === 1 ? [...(table.tHead.rows[0]?.cells ?? [])] : []
    const plain = [...table.querySelectorAll<HTMLTableRowElement>("tbody tr")].filter(
      (row) => row.cells.length === heads.length,
    )
    return heads.flatMap((head, index) => {
      const sides = new Set(plain.flatMap((row) => (row.cells[index] ? [side(row.cells[index])] : [])))
      return sides.size === 0 || sides.has(side(head)) || !head.textContent
        ? []
        : [`${name(head)} of ${table.parentElement?.ariaLabel}`]
    })
  })
  const unlevel = rows.flatMap((row) => {
    const lines = [...row.cells].filter(visible).flatMap((cell) => {
      const [text] = textsOf(cell)
      const [rect] = text ? rectsOf(text, 0, 1) : []
      const size = Number.parseFloat(text?.parentElement ? getComputedStyle(text.parentElement).fontSize : "0")
      return rect ? [{ cell, middle: (rect.top + rect.bottom) / 2, size }] : []
    })
    const [first] = lines
    return lines.flatMap(({ cell, middle, size }) =>
      first && size === first.size && Math.abs(middle - first.middle) > 2.5
        ? [`${name(cell)} beside ${name(first.cell)}`]
        : [],
    )
  })
  const small = textsOf(part).flatMap((text) => {
    const parent = text.parentElement as Element
    const svg = parent.closest("svg")
    const scale = svg ? svg.getBoundingClientRect().width / (svg.viewBox.baseVal.width || svg.clientWidth) : 1
    // Paper has finer lines: seven points are read there.
    const least = matchMedia("print").matches ? 9 : 10
    return Number.parseFloat(getComputedStyle(parent).fontSize) * scale < least ? [name(parent)] : []
  })
  return { halves, apart: marks, askew, unlevel, small }
}

/** Runs in the page: opens what is folded. The pane of a sample scrolls by itself and stays as it is. */
export function openFolded(): void {
  for (const entry of document.querySelectorAll<HTMLDetailsElement>("main details:not(.pane *)")) entry.open = true
}
