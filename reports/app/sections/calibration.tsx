import type { CalibrationData } from "../../../src/core/report/report-sections.ts"
import { Reliability } from "../charts/reliability.tsx"
import { FigureTable } from "./figure-table.tsx"
import { groupTable, recalibrationTable } from "./trust/trust-tables.ts"

/** Reliability diagrams, what mending the confidences would bring, and the groups. */
export function Calibration({ title, data }: { title: string; data: CalibrationData }) {
  const [mended, groups] = [recalibrationTable(data), groupTable(data)]
  return (
    <>
      <Reliability data={data} />
      {mended.rows.length > 0 && (
        <details>
          <summary>Would recalibration help? Negative log-likelihood on held-out answers</summary>
          <FigureTable title={`${title}: recalibration`} table={mended} />
        </details>
      )}
      {groups.rows.length > 0 && (
        <details>
          <summary>By group</summary>
          <FigureTable title={`${title}: by group`} table={groups} />
        </details>
      )}
    </>
  )
}
