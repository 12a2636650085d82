import { levelTable } from "../../view-model/levels.ts"
import { sweptLevels } from "../../view-model/sections.ts"
import { LevelsChart } from "../charts/levels-chart.tsx"
import { usePage } from "../context.tsx"
import { Section } from "../parts.tsx"
import { TableView } from "./figure-table.tsx"
import { SectionPart, Sentences } from "./section-part.tsx"

/** Each axis of a sweep: its knee in words, the curve, and a row per level, the knee in bold. */
export function Levels() {
  const { report } = usePage()
  const sections = sweptLevels(report)
  if (sections.length === 0) return null
  return (
    <Section
      id="levels"
      title="Levels"
      lead="One setting turned step by step: what each step gives in quality, and what it takes in time and money."
    >
      {sections.map(({ title, sentences, data }, index) => (
        <SectionPart key={index} kind="levels" word="levels" title={title}>
          <Sentences sentences={sentences} />
          <LevelsChart data={data} />
          {data.knee && (
            <p class="note">
              The ring is the knee. The dashed line is the figure of the best level less the margin; the lines through
              the points are the intervals of each level alone.
            </p>
          )}
          <TableView title={title} table={levelTable(data, report)} place="levels" />
        </SectionPart>
      ))}
    </Section>
  )
}
