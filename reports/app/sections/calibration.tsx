import type { CalibrationData, TableData } from "../../../src/core/report-sections.ts"
import { Reliability } from "../charts/reliability.tsx"
import { FigureTable } from "./figure-table.tsx"

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

const methodNames = { temperature: "temperature scaling", platt: "Platt scaling", isotonic: "isotonic regression" }

/** A row per variant and way of mending, shown on the half of the answers that it was not fitted on. */
export function recalibrationTable({ variants }: CalibrationData): TableData {
  return {
    columns: [
      { title: "variant" },
      { title: "recalibration" },
      { title: "held-out answers" },
      { title: "loss as stated", unit: "nats" },
      { title: "loss after", unit: "nats" },
      { title: "change", unit: "nats" },
      { title: "calibration error as stated", unit: "share" },
      { title: "after", unit: "share" },
    ],
    rows: variants.flatMap(({ variant, recalibrations = [] }) =>
      recalibrations.map((one) => [
        variant,
        one.temperature === undefined
          ? methodNames[one.method]
          : `${methodNames[one.method]}, T = ${one.temperature.toFixed(2)}`,
        one.shownOn,
        one.lossBefore,
        one.lossAfter,
        one.change,
        one.errorBefore,
        one.errorAfter,
      ]),
    ),
  }
}

/** A row per variant and group. */
export function groupTable({ variants }: CalibrationData): TableData {
  return {
    columns: [
      { title: "variant" },
      { title: "group" },
      { title: "confidence", unit: "share" },
      { title: "right", unit: "share" },
      { title: "expected calibration error", unit: "share" },
    ],
    rows: variants.flatMap(({ variant, groups = [] }) =>
      groups.map((one) => [variant, one.group, one.confidence, one.accuracy, one.expectedCalibrationError]),
    ),
  }
}
