import { plural } from "../../format/number.ts"
import { type LimitLine, limitLines } from "../../wording/limits.ts"
import { InlineMark } from "../charts/mark.tsx"
import { usePage } from "../context.tsx"
import { Foreign } from "../parts.tsx"

const shownAtOnce = 12

/** One line per limit that a variant breaks or may break; nothing where all are kept. */
export function Limits(props: { of?: string | null }) {
  const { report } = usePage()
  const lines = limitLines(report).filter(({ variant }) => props.of === undefined || variant === props.of)
  if (lines.length === 0) return null
  const [first, rest] = [lines.slice(0, shownAtOnce), lines.slice(shownAtOnce)]
  return (
    <>
      <List lines={first} />
      {rest.length > 0 && (
        <details>
          <summary>{plural(rest.length, "more limit")}</summary>
          <List lines={rest} />
        </details>
      )}
    </>
  )
}

function List({ lines }: { lines: readonly LimitLine[] }) {
  return (
    <ul class="limits" aria-label="Limits that are not kept">
      {lines.map(({ variant, text, finding }) => (
        <li key={variant + finding.limit} class={finding.state === "violated" ? "bad" : ""}>
          <InlineMark variant={variant} /> <Foreign text={variant} limit={60} />: <Foreign text={text} limit={400} />
        </li>
      ))}
    </ul>
  )
}
