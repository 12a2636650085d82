import type { RobustnessData } from "../../../src/core/report/report-sections.ts"
import { dropsTable, worstCaseTable } from "../../view-model/section-tables.ts"
import { DropsChart } from "../charts/drops-chart.tsx"
import { usePage } from "../context.tsx"
import { FigureTable } from "./figure-table.tsx"

/** What perturbations take: the picture, then per variant what is left in the worst case, then every number. */
export function Robustness({ title, data }: { title: string; data: RobustnessData }) {
  const { report } = usePage()
  return (
    <>
      <DropsChart data={data} />
      {data.summaries && <FigureTable title={`${title}: worst case`} table={worstCaseTable(data, report.metrics)} />}
      <details>
        <summary>All perturbations as a table</summary>
        <FigureTable title={title} table={dropsTable(data)} />
      </details>
    </>
  )
}
