import { type Figure, unknown } from "../../src/core/report/figure.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import type { LevelsData } from "../../src/core/report/report-sections.ts"
import { metricTitle, metricUnit } from "../../src/words/metric.ts"
import { roundPercent } from "../../src/words/percent.ts"
import type { Unit } from "../../src/words/quantity.ts"
import { cellOf, type Table } from "./table.ts"

type Level = LevelsData["levels"][number]

/** A figure of every level. */
interface LevelColumn {
  readonly title: string
  readonly unit: Unit | null
  figure(level: Level): Figure
}

/** The columns of figures, in their order; those of which nothing is known are left out. */
export function levelColumns(data: LevelsData, { metrics }: Pick<RunReport, "metrics">): readonly LevelColumn[] {
  const quality = data.metrics.map(({ name }, index): LevelColumn => {
    const metric = metrics.find((entry) => entry.name === name)
    return {
      title: metricTitle(metric ?? { name }, 24),
      unit: metric ? metricUnit(metric) : null,
      figure: ({ quality: figures }) => figures[index] ?? unknown("it was not measured"),
    }
  })
  const columns: readonly LevelColumn[] = [
    ...quality,
    { title: "first answer token", unit: "ms", figure: ({ firstAnswerMs }) => firstAnswerMs },
    { title: "end to end", unit: "ms", figure: ({ e2eMs }) => e2eMs },
    { title: "tokens", unit: null, figure: ({ tokensPerAnswer }) => tokensPerAnswer },
    { title: "cost", unit: "usd", figure: ({ costUsd }) => costUsd },
  ]
  return columns.filter(({ figure }, i) => i === 0 || data.levels.some((level) => figure(level).status === "known"))
}

/** A row per level of a sweep, its knee strong; where one was looked for, how often the rule chooses each level stands last. */
export function levelTable(data: LevelsData, report: Pick<RunReport, "metrics">): Table {
  const columns = levelColumns(data, report)
  const standing = data.knee === null ? [] : [{ title: "knee in draws" }]
  return {
    columns: [{ title: data.axis }, ...columns.map(({ title }) => ({ title })), ...standing],
    rows: data.levels.map((level) => [
      { text: level.level },
      ...columns.map(({ figure, unit }) => ({
        ...cellOf(figure(level), unit),
        isStrong: level.variant === data.knee?.variant,
      })),
      ...standing.map(() => ({ text: standingOf(data, level), kind: "number" as const })),
    ]),
  }
}

/** What stands behind a level: the knee, the best, and how often the rule chooses it. */
function standingOf({ knee }: LevelsData, { variant, share }: Level): string {
  const marks = [
    ...(knee?.variant === variant ? ["knee"] : []),
    ...(knee?.best === variant && knee.variant !== variant ? ["looks best"] : []),
    ...(share === null ? [] : [roundPercent(share)]),
  ]
  return marks.join(", ")
}
