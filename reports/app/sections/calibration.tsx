import type { CalibrationData } from "../../../src/core/report/report-sections.ts"
import { groupTable, recalibrationTable } from "../../view-model/section-tables.ts"
import { Reliability } from "../charts/reliability.tsx"
import { FigureTable } from "./figure-table.tsx"

/** Reliability diagrams, the effect of recalibration, and the groups. */
export function Calibration({ title, data }: { title: string; data: CalibrationData }) {
  const [recalibrations, groups] = [recalibrationTable(data), groupTable(data)]
  return (
    <>
      <Reliability data={data} />
      {recalibrations.rows.length > 0 && (
        <details>
          <summary>Recalibration: negative log-likelihood on held-out answers</summary>
          <FigureTable title={`${title}: recalibration`} table={recalibrations} />
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
