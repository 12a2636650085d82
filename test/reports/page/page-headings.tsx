/** A heading of a page, and where it is explained. */
export interface PageHeading {
  readonly text: string
  /** What it is where it is a name of the run's own, such as a variant; null elsewhere. */
  readonly own: string | null
  /** Id of its explanation; null where it has none. */
  readonly word: string | null
  /** What it says on hover, where that stands in the file. */
  readonly title: string | null
  /** The explanation; null where the file has none of that id. */
  readonly said: string | null
}

/** Runs in the page: every heading of sections, tables, charts and figures, and the names that are the run's own. */
export function pageHeadings(): { headings: PageHeading[]; names: string[] } {
  const places = [
    ...[
      "h2",
      "h3",
      "h4",
      "thead th",
      "[role=columnheader]",
      "svg text.title",
      ".number dt",
      ".verdict",
      ".curves-title",
    ],
    ...["table.quantization tbody th"],
  ]
  const words = (element: Element) => element.textContent?.trim() ?? ""
  const all = [...document.querySelectorAll(`main :is(${places.join()})`)].filter(
    // A sample's own pane is named by the sample.
    (one) => words(one) !== "" && one.closest(".pane") === null,
  )
  const headings = all.map((one) => {
    const marked = one.closest<HTMLElement>("[data-word]") ?? one.querySelector<HTMLElement>("[data-word]")
    const word = marked?.dataset.word ?? null
    return {
      text: words(one),
      own: (one as HTMLElement).dataset.own ?? null,
      word,
      title: marked?.getAttribute("title") ?? marked?.querySelector("title")?.textContent ?? null,
      said: word === null ? null : (document.getElementById(word)?.querySelector("dd")?.textContent ?? null),
    }
  })
  const named = document.querySelectorAll("#variants tbody th bdi:first-of-type, table.confusion tbody th bdi")
  return { headings, names: [...named].map(words) }
}
