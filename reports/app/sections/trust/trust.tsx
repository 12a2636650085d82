import type { JsonValue } from "../../../../src/core/json.ts"
import type { LoadData, ReportSection } from "../../../../src/core/report/report-sections.ts"
import { otherSections } from "../../../wording/placed-sections.ts"
import { LinesChart } from "../../charts/lines-chart.tsx"
import { usePage } from "../../context.tsx"
import { Foreign, Section } from "../../parts.tsx"
import { Calibration } from "../calibration.tsx"
import { Confusion } from "../confusion.tsx"
import { ContextWindow } from "../context-window.tsx"
import { FigureTable } from "../figure-table.tsx"
import { LevelsTable } from "../levels.tsx"
import { QuantizationTable } from "../quantization.tsx"
import { Robustness } from "../robustness.tsx"
import { fairnessTable, judgeTable } from "../section-tables.ts"
import { BrokenList, SliceTables } from "../slices.tsx"
import { Sentences } from "./sentences.tsx"

/** What makes the figures trustworthy or not: calibration, divergence, judges, robustness, fairness, load, context window. */
export function Trust() {
  const { report } = usePage()
  const sections = otherSections(report)
  if (sections.length === 0) return null
  return (
    <Section id="trust" title="Trust">
      {sections.map((section, index) => (
        <article key={index} class="trust" data-kind={section.kind}>
          <h3>
            <Foreign text={section.title} limit={120} />
          </h3>
          <Sentences sentences={section.sentences} />
          <Body section={section} />
        </article>
      ))}
    </Section>
  )
}

/** Draws a section's data by its kind alone; data of a kind that a later version made is shown as JSON. */
function Body({ section }: { section: ReportSection }) {
  const { title } = section
  switch (section.kind) {
    case "calibration":
      return <Calibration title={title} data={section.data} />
    case "judge_card":
      return <FigureTable title={title} table={judgeTable(section.data)} />
    case "confusion":
      return <Confusion title={title} data={section.data} />
    case "robustness":
      return <Robustness title={title} data={section.data} />
    case "fairness":
      return <FigureTable title={title} table={fairnessTable(section.data)} />
    case "load":
      return <Load data={section.data} />
    case "context_window":
      return <ContextWindow title={title} data={section.data} />
    case "levels":
      return <LevelsTable title={section.title} data={section.data} />
    case "quantization":
      return <QuantizationTable title={title} data={section.data} />
    case "slices":
      return <SliceTables title={title} data={section.data} />
    case "what_broke":
      return <BrokenList data={section.data} />
    case "divergence":
    case "hallucination":
    case "bias":
    case "citations":
    case "early_stopping":
    case "perplexity":
    case "safety":
    case "tokens":
    case "unread_answers":
    case "win_rate":
    case "table":
      return <FigureTable title={title} table={section.data} />
    case "json":
      return <JsonData data={section.data} />
    default:
      return <JsonData data={(section satisfies never as { readonly data: JsonValue }).data} />
  }
}

function JsonData({ data }: { data: JsonValue }) {
  if (data === null) return null
  return (
    <details>
      <summary>Data</summary>
      <pre>
        <Foreign text={JSON.stringify(data, null, 2)} limit={20_000} />
      </pre>
    </details>
  )
}

function Load({ data }: { data: LoadData }) {
  const title = data.axis === "concurrency" ? "requests in flight" : "requests per second offered"
  const lines = data.variants.map((variant) => ({
    variant: variant.variant,
    points: variant.points.map((point) => ({ x: point.load, y: point.requestsPerSecond })),
  }))
  const remarks = data.variants.flatMap((variant) => {
    const point = variant.points.find((one) => one.load === variant.saturation)
    return point ? [{ x: point.load, y: point.requestsPerSecond, text: `saturated at ${point.load}` }] : []
  })
  return (
    <LinesChart
      name="load"
      label={`Throughput against ${title}`}
      lines={lines}
      x={{ title, unit: null }}
      y={{ title: "answers per second", unit: null, zero: true }}
      remarks={remarks}
    />
  )
}
