import type { SectionOfKind } from "../../../src/core/report/report-sections.ts"
import type { SlicesData } from "../../../src/core/report/section-slices.ts"
import { slicings } from "../../wording/placed-sections.ts"
import { axisTable, movedTable } from "../../wording/slice-tables.ts"
import { usePage } from "../context.tsx"
import { Foreign, Section } from "../parts.tsx"
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
            <Foreign text={section.title} limit={120} />
          </h3>
          <Sentences sentences={section.sentences} />
          <Tables section={section} />
        </article>
      ))}
    </Section>
  )
}

function Tables({ section }: { section: SectionOfKind<"slices"> | SectionOfKind<"what_broke"> }) {
  return section.kind === "slices" ? (
    <SliceTables title={section.title} data={section.data} />
  ) : (
    <FigureTable title={section.title} table={section.data} />
  )
}

/** What moved, then every slice of every axis. */
export function SliceTables({ title, data }: { title: string; data: SlicesData }) {
  const moved = movedTable(data)
  return (
    <>
      {moved && <FigureTable title={`${title}: what moved`} table={moved} />}
      {data.axes.map((axis, index) => (
        <details key={index}>
          <summary>
            Every slice along <Foreign text={axis.title} limit={60} />
          </summary>
          <FigureTable title={`${title}: ${axis.title}`} table={axisTable(data, axis)} />
        </details>
      ))}
    </>
  )
}
