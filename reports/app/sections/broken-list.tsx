import type { TableData } from "../../../src/core/report/report-sections.ts"
import { counted } from "../../../src/words/number.ts"
import { decidingComparison } from "../../view-model/comparisons.ts"
import { withoutClass } from "../../wording/failure-reasons.ts"
import { InlineMark } from "../charts/mark.tsx"
import { usePage } from "../context.tsx"
import { Foreign, Said } from "../parts.tsx"

/** What broke, a line each: its kind, what it is, the evidence, and samples to look at. */
export function BrokenList({ data }: { data: TableData }) {
  const { positions, report } = usePage()
  const asked = decidingComparison(report)?.candidate
  const text = (row: TableData["rows"][number], column: number) => (typeof row[column] === "string" ? row[column] : "")
  const variants = [...new Set(data.rows.map((row) => text(row, 0)))]
  return variants.map((variant) => {
    const rows = data.rows.filter((row) => text(row, 0) === variant)
    const name = (
      <>
        {positions.has(variant) && <InlineMark variant={variant} />} <Foreign text={variant} limit={60} />
      </>
    )
    const lines = (
      <ul>
        {rows.map((row, index) => (
          <li key={index}>
            <Foreign text={text(row, 1)} limit={60} />:{" "}
            <b>{<Foreign text={withoutClass(text(row, 2))} limit={200} />}</b>, <Said text={text(row, 3)} limit={200} />
            {text(row, 4) !== "" && (
              <>
                {" "}
                <span class="note">
                  for example <Foreign text={text(row, 4)} limit={120} />
                </span>
              </>
            )}
          </li>
        ))}
      </ul>
    )
    // What the answer is about is read at once; other candidates are a click away.
    if (variant === asked || variants.length === 1)
      return (
        <div key={variant}>
          <p>{name}</p>
          {lines}
        </div>
      )
    return (
      <details key={variant}>
        <summary>
          {name}: {counted(rows.length, "line")}
        </summary>
        {lines}
      </details>
    )
  })
}
