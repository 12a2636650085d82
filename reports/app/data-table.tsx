import type { ComponentChildren } from "preact"
import { TableFrame } from "./parts.tsx"
import { Heading as Title } from "./words.tsx"

/** The head of a column of numbers, or of words, which stand on the left. */
export type Heading = string | { readonly words: string }

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
            {props.headings.map((heading, i) =>
              typeof heading === "string" ? (
                <th key={i} scope="col">
                  <Title title={heading} {...place} />
                </th>
              ) : (
                <th key={i} scope="col" class="texts">
                  <Title title={heading.words} {...place} />
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </TableFrame>
  )
}
