/** Where a page explains a word. */
export interface PageWord {
  /** Id of the explanation at the page's end. */
  readonly anchor: string
  /** What it says, for pages whose tooltips stand in their markup because they run no script. */
  readonly text?: string
}

/** Finds where a page explains a word; `place` is where it means something else than in other places: a kind of section, `bench`. */
export type FindWord = (name: string, place?: string) => PageWord | undefined

/** The key under which a page's facts hold the anchor of a word. */
export function wordKey(name: string, place?: string): string {
  return place === undefined ? name : `${place}: ${name}`
}

/** The words of a page by the anchors in its facts. */
export function wordsOf(anchors: Readonly<Record<string, string>> = {}): FindWord {
  return (name, place) => {
    const key = [wordKey(name, place), name].find((entry) => Object.hasOwn(anchors, entry))
    return key === undefined ? undefined : { anchor: anchors[key] as string }
  }
}
