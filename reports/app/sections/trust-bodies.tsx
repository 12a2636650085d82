import type { CalibrationData, ContextWindowData, RobustnessData } from "../../../src/core/report/report-sections.ts"
import {
  contextWindowTable,
  dropsTable,
  groupTable,
  recalibrationTable,
  worstCaseTable,
} from "../../view-model/section-tables.ts"
import { DropsChart } from "../charts/drops-chart.tsx"
import { Reliability } from "../charts/reliability.tsx"
import { WindowStrips } from "../charts/window-strips.tsx"
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

/** How full each variant's context window was: the picture, then every number. */
export function ContextWindow({ title, data }: { title: string; data: ContextWindowData }) {
  return (
    <>
      <WindowStrips data={data} />
      <FigureTable title={title} table={contextWindowTable(data)} />
    </>
  )
}
