/** What is wrong with how a page is laid out; empty lists where nothing is. */
export interface LayoutFaults {
  /** Boxes that hide some of what they hold. */
  readonly cut: readonly string[]
  /** Texts that lie on each other. */
  readonly overlaps: readonly string[]
  /** Names and numbers of charts that lie on each other, or reach out of their picture. */
  readonly charts: readonly string[]
  /** Short names and dates with a line's end behind their hyphen. */
  readonly broken: readonly string[]
  /** Pixels by which the page is wider than the window. */
  readonly sideways: number
}

/** Runs in the page: texts below a selector that lie on each other, and boxes that hide some of what they hold. */
export function layoutFaults(selector: string): LayoutFaults {
  const part = document.querySelector(selector)
  const name = (element: Element) => `${element.tagName} ${element.textContent?.slice(0, 40)}`
  const all = [...(part?.querySelectorAll<HTMLElement>("*") ?? [])].filter((entry) => entry.closest(".hidden") === null)
  const visible = (entry: Element) => entry.getClientRects().length > 0 && entry.checkVisibility()
  const cut = all.filter(
    (entry) =>
      entry.clientWidth > 0 &&
      entry.scrollWidth > entry.clientWidth + 1 &&
      getComputedStyle(entry).overflowX === "hidden" &&
      // A row of the list ends in "…", which says that there is more; the pane beside it has the whole. A value says nothing then.
      (getComputedStyle(entry).textOverflow !== "ellipsis" || entry.matches(".sample-space .value")) &&
      // For screen readers only.
      getComputedStyle(entry).clipPath === "none" &&
      visible(entry),
  )
  /** Pairs whose boxes lie on each other: from the top down, so that each is only held against those that begin above its end. */
  const clashes = (texts: readonly Element[]) => {
    const boxes = texts
      .map((text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect()
        return { one: text, left, right, top, bottom }
      })
      .sort((a, b) => a.top - b.top)
    const names: string[] = []
    for (const [i, a] of boxes.entries()) {
      for (let k = i + 1; k < boxes.length; k++) {
        const b = boxes[k] as typeof a
        if (b.top >= a.bottom - 3) break
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
        const high = Math.min(a.bottom, b.bottom) - b.top
        if (wide > 2 && high > 3 && !a.one.contains(b.one) && !b.one.contains(a.one))
          names.push(`${name(a.one)} / ${name(b.one)}`)
      }
    }
    return names
  }
  // Tables scroll below the edge of their frame, one beside the other: only texts of one table can clash there.
  const frames = [...(part?.querySelectorAll(".table-frame") ?? [])]
  const texts = all.filter((entry) => entry.matches("h1, h2, h3, p, summary, li, dt, dd, caption") && visible(entry))
  const charts = [...(part?.querySelectorAll("figure.chart svg") ?? [])].filter(visible).flatMap((svg) => {
    const words = [...svg.querySelectorAll("text")].filter((entry) => entry.textContent !== "")
    const box = svg.getBoundingClientRect()
    const out = words.filter((word) => {
      const { left, right } = word.getBoundingClientRect()
      return (
        left < box.left - 2 || right > Math.max(box.right, svg.parentElement?.getBoundingClientRect().right ?? 0) + 2
      )
    })
    const chart = svg.closest("[data-chart]")?.getAttribute("data-chart")
    return [...clashes(words), ...out.map((entry) => `${name(entry)} reaches out`)].map((fault) => `${chart}: ${fault}`)
  })
  // What models wrote may break anywhere: it can be a single word.
  const isOurs = (own: Element | null) => own !== null && own.closest(".output, pre, .block, .thread, input") === null
  const walker = document.createTreeWalker(part ?? document.body, NodeFilter.SHOW_TEXT)
  const broken: string[] = []
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.nodeValue ?? ""
    const parent = node.parentElement
    if (!text.includes("-") || !isOurs(parent) || parent?.closest(".hidden") || !parent?.checkVisibility()) continue
    for (const result of text.matchAll(/\S*[^\s-]-[^\s-]\S*/g)) {
      const isName = /[\d_]/.test(result[0]) || parent?.closest("bdi, th") !== null
      if (result[0].length > 20 || !isName) continue
      const range = document.createRange()
      range.setStart(node, result.index)
      range.setEnd(node, result.index + result[0].length)
      const tops = [...range.getClientRects()].map(({ top }) => Math.round(top))
      if (new Set(tops).size > 1) broken.push(`${result[0]} in ${name(parent)}`)
    }
  }
  return {
    broken,
    cut: cut.map(name),
    overlaps: [
      ...clashes(texts),
      ...frames.flatMap((frame) =>
        clashes(
          [...frame.querySelectorAll("th, td")].filter(
            (cell) => visible(cell) && getComputedStyle(cell).position !== "sticky",
          ),
        ),
      ),
    ],
    charts,
    sideways: Math.max(0, document.documentElement.scrollWidth - innerWidth),
  }
}
