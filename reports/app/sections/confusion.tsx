import type { ConfusionData } from "../../../src/core/report/report-sections.ts"
import { count } from "../../../src/words/number.ts"
import { classTable, confusionChangesTable } from "../../view-model/section-tables.ts"
import { InlineMark } from "../charts/mark.tsx"
import { usePage } from "../context.tsx"
import { Foreign, TableFrame } from "../parts.tsx"
import { ColumnHead, Heading } from "../words.tsx"
import { FigureTable } from "./figure-table.tsx"

/** Classes that a matrix shows; of more, those with the most wrong answers. */
const maxClasses = 12

/** A confusion matrix a variant, then what changed against the baseline, then every class with its figures. */
export function Confusion({ title, data }: { title: string; data: ConfusionData }) {
  const shown = shownClasses(data)
  return (
    <>
      <p>
        A row is a true class, a column the class that the answer names
        {shown.length < data.labels.length &&
          `; of ${data.labels.length} classes the ${shown.length} with the most wrong answers`}
        .
      </p>
      <div class="matrices">
        {data.variants.map((variant) => (
          <Matrix key={variant.variant} labels={data.labels} shown={shown} {...variant} />
        ))}
      </div>
      {data.changes.length > 0 && (
        <details>
          <summary>Changes against the baseline, sample by sample</summary>
          <FigureTable title={`${title}: changes against the baseline`} table={confusionChangesTable(data)} />
        </details>
      )}
      <details>
        <summary>Every class</summary>
        <FigureTable title={`${title}: every class`} table={classTable(data)} />
      </details>
    </>
  )
}

function Matrix(props: ConfusionData["variants"][number] & { labels: readonly string[]; shown: readonly number[] }) {
  const { variant, counts, labels, shown } = props
  const { positions } = usePage()
  const unread = labels.length
  const columns = counts.some((line) => (line[unread] ?? 0) > 0) ? [...shown, unread] : shown
  return (
    <TableFrame label={`Confusion matrix of ${variant}`}>
      <table class="confusion">
        <caption>
          {positions.has(variant) && <InlineMark variant={variant} />} <Foreign text={variant} limit={60} />
        </caption>
        <thead>
          <tr>
            <ColumnHead title="true class" />
            {columns.map((column) => (
              <th key={column} scope="col">
                {column === unread ? <Heading title="no class" /> : <Foreign text={labels[column] ?? ""} limit={24} />}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => {
            const line = counts[row] ?? []
            const all = line.reduce((sum, n) => sum + n, 0)
            return (
              <tr key={row}>
                <th scope="row">
                  <Foreign text={labels[row] ?? ""} limit={40} />
                </th>
                {columns.map((column) => {
                  const n = line[column] ?? 0
                  return (
                    <td key={column} class={`${row === column ? "right" : "wrong"} heat-${heat(n, all)}`}>
                      {count(n)}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
    </TableFrame>
  )
}

/** 0 to 4: how much of its row a cell holds. */
function heat(n: number, all: number): number {
  return n === 0 || all === 0 ? 0 : Math.min(4, 1 + Math.floor((4 * n) / all))
}

/** The classes to show, in the order of the labels. */
function shownClasses({ labels, variants }: ConfusionData): readonly number[] {
  const places = labels.map((_, index) => index)
  if (labels.length <= maxClasses) return places
  const wrong = places.map((label) =>
    variants.reduce((sum, { counts }) => {
      const missed = (counts[label] ?? []).reduce((all, n, column) => all + (column === label ? 0 : n), 0)
      const taken = counts.reduce((all, line, row) => all + (row === label ? 0 : (line[label] ?? 0)), 0)
      return sum + missed + taken
    }, 0),
  )
  const max = places.toSorted((a, b) => (wrong[b] ?? 0) - (wrong[a] ?? 0)).slice(0, maxClasses)
  return max.toSorted((a, b) => a - b)
}
