import type { SlicesData } from "../../../src/core/report/section-slices.ts"
import { metricTitle } from "../../../src/words/metric.ts"
import { decidingComparison } from "../../view-model/comparisons.ts"
import { contextAxis, contextCurves } from "../../view-model/context-curve.ts"
import { slicings } from "../../view-model/sections.ts"
import { axisTable, levelsTable, movedSlices, movedTable } from "../../view-model/slices.ts"
import { withoutClass } from "../../wording/failure-reasons.ts"
import { ContextChart } from "../charts/context-chart.tsx"
import { ForestPlot, type ForestRow } from "../charts/forest-plot.tsx"
import { usePage } from "../context.tsx"
import { Foreign, Said, Section } from "../parts.tsx"
import { Heading } from "../words.tsx"
import { BrokenList } from "./broken-list.tsx"
import { FigureTable } from "./figure-table.tsx"
import { SectionPart, Sentences } from "./section-part.tsx"

/** Which parts of the samples moved, and what broke. */
export function Slices() {
  const sections = slicings(usePage().report)
  if (sections.length === 0) return null
  return (
    <Section
      id="slices"
      title="Slices"
      lead="Where the swap helps and where it harms: the samples cut by their length, their fields, their difficulty."
    >
      {sections.map((section, index) => (
        <SectionPart
          key={index}
          kind={section.kind}
          word={section.kind === "slices" ? "slices" : "what broke"}
          title={section.title}
        >
          {section.kind === "slices" && (
            <>
              <Unmoved data={section.data} />
              <SliceForest data={section.data} />
            </>
          )}
          <Sentences sentences={section.kind === "slices" ? section.sentences : section.sentences.map(withoutClass)} />
          {section.kind === "slices" ? (
            <SliceTables title={section.title} data={section.data} />
          ) : (
            <BrokenList data={section.data} />
          )}
        </SectionPart>
      ))}
    </Section>
  )
}

/** Says of the answer's own candidate that none of its slices moved: those of other candidates follow. */
function Unmoved({ data }: { data: SlicesData }) {
  const { report } = usePage()
  const deciding = decidingComparison(report)
  if (deciding === null || deciding.baseline !== data.baseline) return null
  const moved = movedSlices(data)
  if (moved.length === 0 || moved.some(({ change }) => change.candidate === deciding.candidate)) return null
  return (
    <p>
      <Said text={`No slice of ${deciding.candidate} is shown to be better or worse than with ${deciding.baseline}.`} />
    </p>
  )
}

/** The context-length curve: quality, time to first token and cost against the length of the prompt, and the same as a table. */
function ContextCurves({ title, data }: { title: string; data: SlicesData }) {
  const axis = contextAxis(data)
  const curves = contextCurves(data)
  if (!axis || curves.length === 0) return null
  return (
    <div>
      <h4>
        <Heading title="By the length of the context" />
      </h4>
      <div class="columns">
        {curves.map((curve) => (
          <ContextChart key={curve.title} curve={curve} />
        ))}
      </div>
      <p class="note">The lines through the points are the intervals of each length alone.</p>
      <details>
        <summary>The same as a table</summary>
        <FigureTable
          title={`${title}: by the length of the context`}
          table={levelsTable(data, axis)}
          place="slices"
          own="slice"
        />
      </details>
    </div>
  )
}

/** Slices that the picture has room for. */
const maxDrawn = 16

/** What the answer's candidate does to each slice by the first metric, the largest losses first, all samples above them. */
function SliceForest({ data }: { data: SlicesData }) {
  const { report } = usePage()
  const deciding = decidingComparison(report)
  const all = deciding?.metrics.find(({ metric }) => metric === data.figures[0]?.name)
  const metric = report.metrics.find(({ name }) => name === all?.metric)
  if (!deciding || !all || !metric || deciding.baseline !== data.baseline) return null
  const single = data.axes.flatMap(({ title, slices }) =>
    slices.flatMap(({ slice, changes }) => changes.map((change) => ({ slice: `${title}: ${slice}`, change }))),
  )
  const sign = metric.direction === "higher" ? 1 : -1
  const rows = [...(data.shared ?? []), ...single].flatMap(({ slice, change }): readonly ForestRow[] => {
    const { candidate, figure, difference, moved } = change
    if (candidate !== deciding.candidate || figure !== metric.name || difference.status === "unknown") return []
    const { value, low = null, high = null } = difference
    const verdict = moved === null ? "inconclusive" : moved === "worse" ? "inferior" : "better"
    const facts = { metric: slice, direction: metric.direction, primary: moved !== null, margin: 0, verdict } as const
    return [{ ...facts, difference: value, low, high, lowBound: null, highBound: null, sentence: slice }]
  })
  if (rows.length < 2) return null
  const drawn = rows.toSorted((a, b) => sign * ((a.difference ?? 0) - (b.difference ?? 0))).slice(0, maxDrawn)
  const whole = { ...all, metric: "all samples", primary: false, lowBound: null, highBound: null }
  const named = [whole, ...drawn].map((row) => ({ ...metric, name: row.metric, title: row.metric }))
  const bold = drawn.some(({ primary }) => primary) ? "; bold: moved beyond chance" : ""
  return (
    <>
      <ForestPlot findings={[whole, ...drawn]} metrics={named} />
      <p class="note">
        <Said text={`${metricTitle(metric)} of ${deciding.candidate}, the largest losses first${bold}`} />
      </p>
    </>
  )
}

/** What moved, then every slice of every axis. */
export function SliceTables({ title, data }: { title: string; data: SlicesData }) {
  const asked = decidingComparison(usePage().report)?.candidate
  const moved = movedTable(data)
  const table = moved && <FigureTable title={`${title}: what moved`} table={moved} place="slices" own="slice" />
  // What the answer is about is read at once; other candidates are a click away.
  const isOfAnswer = moved?.rows.some(([candidate]) => candidate === asked) ?? false
  return (
    <>
      {moved &&
        (isOfAnswer ? (
          table
        ) : (
          <details>
            <summary>What moved with other candidates</summary>
            {table}
          </details>
        ))}
      <ContextCurves title={title} data={data} />
      {data.axes.map((axis, index) => (
        <details key={index}>
          <summary>
            Every slice along <Foreign text={axis.title} limit={60} />
          </summary>
          <FigureTable title={`${title}: ${axis.title}`} table={axisTable(data, axis)} place="slices" own="slice" />
        </details>
      ))}
    </>
  )
}
