import type { ComponentChildren } from "preact"
import { TableFrame } from "./parts.tsx"

/** The head of a column of numbers, or of words, which stand on the left. */
export type Heading = string | { readonly words: string }

/** A table with one line of headings that scrolls sideways where it must; its children are the rows. */
export function DataTable(props: {
  label: string
  headings: readonly Heading[]
  class?: string
  children: ComponentChildren
}) {
  return (
    <TableFrame label={props.label}>
      <table class={props.class}>
        <thead>
          <tr>
            {props.headings.map((heading, i) =>
              typeof heading === "string" ? (
                <th key={i} scope="col">
                  {heading}
                </th>
              ) : (
                <th key={i} scope="col" class="texts">
                  {heading.words}
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
