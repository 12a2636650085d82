import type { SlicesData } from "../../../src/core/report/section-slices.ts"
import { tellingComparison } from "../../view-model/comparisons.ts"
import { contextAxis, contextCurves } from "../../view-model/context-curve.ts"
import { slicings } from "../../view-model/sections.ts"
import { axisTable, levelsTable, movedSlices, movedTable } from "../../view-model/slices.ts"
import { withoutClass } from "../../wording/failure-reasons.ts"
import { ContextChart } from "../charts/context-chart.tsx"
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
          {section.kind === "slices" && <Unmoved data={section.data} />}
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
  const asked = tellingComparison(usePage().report)?.candidate
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
