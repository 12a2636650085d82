/** A word of a page that is marked as explained, and what the page says of it. */
export interface PageHeading {
  readonly text: string
  /** Id of its explanation. */
  readonly word: string
  /** What it says on hover, where that stands in the file. */
  readonly title: string | null
  /** The explanation; null where the file has none of that id. */
  readonly said: string | null
}

/** Runs in the page: every word that is marked as explained. */
export function pageHeadings(): PageHeading[] {
  return [...document.querySelectorAll<HTMLElement>("main [data-word]")].map((marked) => {
    const word = marked.dataset.word ?? ""
    return {
      text: marked.textContent?.trim() ?? "",
      word,
      title: marked.getAttribute("title") ?? marked.querySelector("title")?.textContent ?? null,
      said: document.getElementById(word)?.querySelector("dd")?.textContent ?? null,
    }
  })
}
