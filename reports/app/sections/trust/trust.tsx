import type { JsonValue } from "../../../../src/core/json.ts"
import type { LoadData, ReportSection } from "../../../../src/core/report/report-sections.ts"
import { levelTable } from "../../../view-model/levels.ts"
import { quantizationTable } from "../../../view-model/quantization.ts"
import { fairnessTable, judgeTable } from "../../../view-model/section-tables.ts"
import { otherSections } from "../../../view-model/sections.ts"
import { questions } from "../../../wording/questions.ts"
import { LinesChart } from "../../charts/lines-chart.tsx"
import { usePage } from "../../context.tsx"
import { Folded, Foreign, Said, Section } from "../../parts.tsx"
import { BrokenList } from "../broken-list.tsx"
import { Confusion } from "../confusion.tsx"
import { FigureTable, TableView } from "../figure-table.tsx"
import { SectionPart, Sentences } from "../section-part.tsx"
import { SliceTables } from "../slices.tsx"
import { Calibration, ContextWindow, Robustness } from "../trust-bodies.tsx"

/**
 * What makes the figures trustworthy or not: a question and its answer in a sentence each. Those with a doubt come first and
 * are open; the others fold to their line.
 */
export function Trust() {
  const { report } = usePage()
  const sections = otherSections(report)
  if (sections.length === 0) return null
  const ordered = [...sections].sort((a, b) => Number(a.caution === undefined) - Number(b.caution === undefined))
  return (
    <Section
      id="trust"
      title="Trust"
      lead="What makes these figures believable or not, a question at a time; what casts doubt comes first."
    >
      {ordered.map((section, index) => (
        <Question key={index} section={section} />
      ))}
    </Section>
  )
}

function Question({ section }: { section: ReportSection }) {
  const { kind, title, sentences, caution } = section
  const [first, ...rest] = sentences
  const question = questions[kind]
  return (
    <SectionPart kind={kind} word={title} title={question ?? title}>
      {first !== undefined && (
        <p>
          <Said text={first} limit={1000} />
        </p>
      )}
      <details open={caution !== undefined}>
        <summary>
          <Foreign text={question === undefined ? "The figures" : title} limit={120} />
        </summary>
        <Sentences sentences={rest} />
        <Body section={section} />
      </details>
    </SectionPart>
  )
}

/** Draws a section's data by its kind alone; data of a kind that a later version made is shown as JSON. */
function Body({ section }: { section: ReportSection }) {
  const { title } = section
  switch (section.kind) {
    case "calibration":
      return <Calibration title={title} data={section.data} />
    case "judge_card":
      return <FigureTable title={title} table={judgeTable(section.data)} place="judge_card" />
    case "confusion":
      return <Confusion title={title} data={section.data} />
    case "robustness":
      return <Robustness title={title} data={section.data} />
    case "fairness":
      return <FigureTable title={title} table={fairnessTable(section.data)} own="group" />
    case "load":
      return <Load data={section.data} />
    case "context_window":
      return <ContextWindow title={title} data={section.data} />
    case "levels":
      return <TableView title={title} table={levelTable(section.data, usePage().report)} place="levels" />
    case "quantization":
      return <TableView title={title} table={quantizationTable(section.data)} place="quantization" />
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
      return <FigureTable title={title} table={section.data} place={section.kind} />
    case "json":
      return <JsonData data={section.data} />
    default:
      return <JsonData data={(section satisfies never as { readonly data: JsonValue }).data} />
  }
}

function JsonData({ data }: { data: JsonValue }) {
  return data === null ? null : <Folded title="Data" text={JSON.stringify(data, null, 2)} isCode />
}

function Load({ data }: { data: LoadData }) {
  const title = data.axis === "concurrency" ? "requests in flight" : "requests per second offered"
  const lines = data.variants.map((variant) => ({
    variant: variant.variant,
    points: variant.points.map((point) => ({ x: point.load, y: point.requestsPerSecond })),
  }))
  const remarks = data.variants.flatMap((variant) => {
    const point = variant.points.find((entry) => entry.load === variant.saturation)
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
