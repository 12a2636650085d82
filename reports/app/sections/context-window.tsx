import type { ContextWindowData } from "../../../src/core/report/report-sections.ts"
import { contextWindowTable } from "../../view-model/section-tables.ts"
import { WindowStrips } from "../charts/window-strips.tsx"
import { FigureTable } from "./figure-table.tsx"

/** How full each variant's context window was: the picture, then every number. */
export function ContextWindow({ title, data }: { title: string; data: ContextWindowData }) {
  return (
    <>
      <WindowStrips data={data} />
      <FigureTable title={title} table={contextWindowTable(data)} />
    </>
  )
}
