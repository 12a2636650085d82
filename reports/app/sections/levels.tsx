import type { LevelsData } from "../../../src/core/report/report-sections.ts"
import { sweptLevels } from "../../wording/placed-sections.ts"
import { levelColumns, levelStanding, standingTitle } from "../../wording/swept-levels.ts"
import { LevelsChart } from "../charts/levels-chart.tsx"
import { usePage } from "../context.tsx"
import { FigureCell, Foreign, Section, TableFrame } from "../parts.tsx"
import { ColumnHead, Explained } from "../words.tsx"
import { Sentences } from "./trust/sentences.tsx"

/** Each axis of a sweep: its knee in words, the curve, and a row per level. */
export function Levels() {
  const sections = sweptLevels(usePage().report)
  if (sections.length === 0) return null
  return (
    <Section
      id="levels"
      title="Levels"
      lead="One setting turned step by step: what each step gives in quality, and what it takes in time and money."
    >
      {sections.map(({ title, sentences, data }, index) => (
        <article key={index} class="trust" data-kind="levels">
          <h3>
            <Explained word="levels" place="section">
              <Foreign text={title} limit={120} />
            </Explained>
          </h3>
          <Sentences sentences={sentences} />
          <LevelsChart data={data} />
          {data.knee && (
            <p class="note">
              The ring is the knee. The dashed line is the figure of the best level less the margin; the lines through
              the points are the intervals of each level alone.
            </p>
          )}
          <LevelsTable title={title} data={data} />
        </article>
      ))}
    </Section>
  )
}

/** A row per level, the knee in bold. */
export function LevelsTable({ title, data }: { title: string; data: LevelsData }) {
  const { report } = usePage()
  const columns = levelColumns(data, report)
  return (
    <TableFrame label={title}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <Explained word={data.axis} place="levels">
                <Foreign text={data.axis} limit={40} />
              </Explained>
            </th>
            {columns.map((column) => (
              <ColumnHead key={column.title} title={column.title} place="levels" class="number" />
            ))}
            {data.knee && <ColumnHead title={standingTitle} class="number" />}
          </tr>
        </thead>
        <tbody>
          {data.levels.map((level) => (
            <tr key={level.variant}>
              <th scope="row">
                <Foreign text={level.level} limit={60} />
              </th>
              {columns.map((column) => (
                <td key={column.title} class="number">
                  <FigureCell
                    figure={column.figure(level)}
                    unit={column.unit}
                    strong={level.variant === data.knee?.variant}
                  />
                </td>
              ))}
              {data.knee && <td class="number">{levelStanding(data, level)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
