import { type ComponentChildren, createContext } from "preact"
import { useContext } from "preact/hooks"
import type { FindWord, PageWord } from "../page/words.ts"
import { unfold } from "./unfold.ts"

const context = createContext<FindWord>(() => undefined)

/** Hands all parts of a page the way to its explanations. */
export const WordsProvider = context.Provider

/** Where the page explains a word; `place` is where the same word means something else: a kind of section, `bench`. */
export function useWord(name: string, place?: string): PageWord | undefined {
  return useContext(context)(name, place)
}

/** A word that is explained at the end of the page: a link to there; as it is where the page does not explain it. */
export function Explained(props: {
  word: string
  place?: string | undefined
  /** What it is, where it is a name of the run's own, which nothing explains. */
  otherwise?: string | undefined
  children: ComponentChildren
}) {
  const find = useContext(context)
  const entry = find(props.word, props.place) ?? (props.otherwise === undefined ? undefined : find(props.otherwise))
  if (entry === undefined) return <>{props.children}</>
  return (
    <a class="explained" href={`#${entry.anchor}`} data-word={entry.anchor} title={entry.text}>
      {props.children}
    </a>
  )
}

/** The same inside of a button or another link, where no link can be: the explanation is what it says on hover. */
export function Hinted(props: { word: string; place?: string | undefined; children: ComponentChildren }) {
  const entry = useWord(props.word, props.place)
  if (entry === undefined) return <>{props.children}</>
  return (
    <span class="term" data-word={entry.anchor} title={entry.text}>
      {props.children}
    </span>
  )
}

/** A heading of our own words, which are explained. */
export function Heading(props: { title: string; place?: string | undefined }) {
  return (
    <Explained word={props.title} place={props.place}>
      {props.title}
    </Explained>
  )
}

/** The head of a column by our own words. */
export function ColumnHead({ class: look, ...heading }: { title: string; place?: string; class?: string | undefined }) {
  return (
    <th scope="col" class={look}>
      <Heading {...heading} />
    </th>
  )
}

/** The heading of a part of a section. */
export function PartHeading(props: { title: string; place?: string }) {
  return (
    <h3>
      <Heading {...props} />
    </h3>
  )
}

/** What the pointer rests on is explained there, and a click on it leads to its explanation; the page's address keeps the view. */
export function startWords(): void {
  const marked = (event: Event) =>
    event.target instanceof Element ? event.target.closest<HTMLElement | SVGElement>("[data-word]") : null
  const hint = (event: Event) => {
    const element = marked(event)
    const words = document.querySelector(`#${CSS.escape(element?.dataset.word ?? "-")} dd`)?.textContent
    if (!element || !words || element.hasAttribute("title")) return
    if (!(element instanceof SVGElement)) element.title = words
    else if (!element.querySelector("title")) {
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title")
      title.textContent = words
      element.append(title)
    }
  }
  document.addEventListener("mouseover", hint)
  document.addEventListener("focusin", hint)
  document.addEventListener("click", (event) => {
    const element = marked(event)
    const target = element?.closest("button") ? null : document.getElementById(element?.dataset.word ?? "")
    if (!target) return
    // The address holds the view: it stays as it is.
    event.preventDefault()
    unfold(target)
    target.tabIndex = -1
    target.focus({ preventScroll: true })
    target.scrollIntoView({ block: "center" })
  })
}
