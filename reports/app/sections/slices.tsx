import type { SectionOfKind, TableData } from "../../../src/core/report/report-sections.ts"
import type { SlicesData } from "../../../src/core/report/section-slices.ts"
import { contextAxis, contextCurves } from "../../wording/context-curve.ts"
import { slicings } from "../../wording/placed-sections.ts"
import { axisTable, levelsTable, movedSlices, movedTable } from "../../wording/slice-tables.ts"
import { tellingComparison } from "../../wording/telling.ts"
import { ContextChart } from "../charts/context-chart.tsx"
import { InlineMark } from "../charts/mark.tsx"
import { usePage } from "../context.tsx"
import { Foreign, Said, Section } from "../parts.tsx"
import { Explained, Heading } from "../words.tsx"
import { FigureTable } from "./figure-table.tsx"
import { Sentences } from "./trust/sentences.tsx"

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
        <article key={index} class="trust" data-kind={section.kind}>
          <h3>
            <Explained word={section.kind === "slices" ? "slices" : "what broke"} place="section">
              <Foreign text={section.title} limit={120} />
            </Explained>
          </h3>
          {section.kind === "slices" && <Unmoved data={section.data} />}
          <Sentences sentences={section.sentences} />
          <Tables section={section} />
        </article>
      ))}
    </Section>
  )
}

/** Says of the answer's own candidate that none of its slices moved: those of other candidates follow. */
function Unmoved({ data }: { data: SlicesData }) {
  const { report } = usePage()
  const telling = tellingComparison(report)
  if (telling === null || telling.baseline !== data.baseline) return null
  const moved = movedSlices(data)
  if (moved.length === 0 || moved.some(({ change }) => change.candidate === telling.candidate)) return null
  return (
    <p>
      <Said text={`No slice of ${telling.candidate} is shown to be better or worse than with ${telling.baseline}.`} />
    </p>
  )
}

function Tables({ section }: { section: SectionOfKind<"slices"> | SectionOfKind<"what_broke"> }) {
  return section.kind === "slices" ? (
    <SliceTables title={section.title} data={section.data} />
  ) : (
    <BrokenList data={section.data} />
  )
}

/** What broke, a line each: its kind, what it is, the evidence, and samples to look at. */
export function BrokenList({ data }: { data: TableData }) {
  const { positions } = usePage()
  const text = (row: TableData["rows"][number], place: number) => (typeof row[place] === "string" ? row[place] : "")
  const variants = [...new Set(data.rows.map((row) => text(row, 0)))]
  return variants.map((variant) => (
    <div key={variant}>
      <p>
        {positions.has(variant) && <InlineMark variant={variant} />} <Foreign text={variant} limit={60} />
      </p>
      <ul>
        {data.rows
          .filter((row) => text(row, 0) === variant)
          .map((row, index) => (
            <li key={index}>
              <Foreign text={text(row, 1)} limit={60} />: <b>{<Foreign text={text(row, 2)} limit={200} />}</b>,{" "}
              <Said text={text(row, 3)} limit={200} />
              {text(row, 4) !== "" && (
                <>
                  {" "}
                  <span class="note">
                    for example <Foreign text={text(row, 4)} limit={120} />
                  </span>
                </>
              )}
            </li>
          ))}
      </ul>
    </div>
  ))
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

/** What moved, then every slice of every axis. */
export function SliceTables({ title, data }: { title: string; data: SlicesData }) {
  const moved = movedTable(data)
  return (
    <>
      {moved && <FigureTable title={`${title}: what moved`} table={moved} place="slices" own="slice" />}
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
