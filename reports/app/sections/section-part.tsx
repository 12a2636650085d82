import type { ComponentChildren } from "preact"
import { counted } from "../../../src/words/number.ts"
import { Foreign, Said } from "../parts.tsx"
import { Explained } from "../words.tsx"

/** One section of the report in its place on the page; `word` is what the glossary calls its kind. */
export function SectionPart(props: { kind: string; word: string; title: string; children: ComponentChildren }) {
  return (
    <article class="trust" data-kind={props.kind}>
      <h3>
        <Explained word={props.word} place="section">
          <Foreign text={props.title} limit={120} />
        </Explained>
      </h3>
      {props.children}
    </article>
  )
}

/** Sentences that are read at once; more are folded. */
const mostSentences = 4

/** What a section says, the first sentences at once and the others folded. */
export function Sentences({ sentences }: { sentences: readonly string[] }) {
  const shown = sentences.length <= mostSentences + 1 ? sentences : sentences.slice(0, mostSentences)
  const rest = sentences.slice(shown.length)
  const paragraph = (sentence: string, index: number) => (
    <p key={index}>
      <Said text={sentence} limit={1000} />
    </p>
  )
  return (
    <>
      {shown.map(paragraph)}
      {rest.length > 0 && (
        <details>
          <summary>{counted(rest.length, "more finding")}</summary>
          {rest.map(paragraph)}
        </details>
      )}
    </>
  )
}
