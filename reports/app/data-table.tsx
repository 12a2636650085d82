import { type ComponentChildren, isValidElement, type VNode } from "preact"
import { TableFrame } from "./parts.tsx"
import { Heading as Title } from "./words.tsx"

/** The head of a column of numbers, or of words, which stand on the left; an element where it is explained in another way. */
export type Heading = string | { readonly words: string } | VNode

/** A table with one line of headings that scrolls sideways where it must; its children are the rows. */
export function DataTable(props: {
  label: string
  headings: readonly Heading[]
  /** Where the words of its headings mean something else than elsewhere. */
  place?: string
  class?: string
  children: ComponentChildren
}) {
  const place = props.place === undefined ? {} : { place: props.place }
  return (
    <TableFrame label={props.label}>
      <table class={props.class}>
        <thead>
          <tr>
            {props.headings.map((heading, i) => {
              const isText = typeof heading === "object" && "words" in heading
              return (
                <th key={i} scope="col" class={isText ? "texts" : undefined}>
                  {isValidElement(heading) ? heading : <Title title={isText ? heading.words : heading} {...place} />}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </TableFrame>
  )
}
