import type { Figure } from "../../src/core/report/figure.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import type { LevelsData } from "../../src/core/report/report-sections.ts"
import { metricTitle, metricUnit } from "../../src/words/metric.ts"
import { roundPercent } from "../../src/words/percent.ts"
import type { Unit } from "../../src/words/quantity.ts"

/** A column of the table of levels. */
export interface LevelColumn {
  readonly title: string
  readonly unit: Unit | null
  readonly explanation: string
  figure(level: LevelsData["levels"][number]): Figure
}

/** The columns that every output shows, in their order; those of which nothing is known are left out. */
export function levelColumns(data: LevelsData, { metrics }: Pick<RunReport, "metrics">): readonly LevelColumn[] {
  const quality = data.metrics.map(({ name }, place): LevelColumn => {
    const metric = metrics.find((one) => one.name === name)
    return {
      title: metricTitle(metric ?? { name }, 24),
      unit: metric ? metricUnit(metric) : null,
      explanation: "over the samples, with its interval",
      figure: ({ quality: figures }) => figures[place] ?? { status: "unknown", reason: "it was not measured" },
    }
  })
  const columns: readonly LevelColumn[] = [
    ...quality,
    {
      title: "first answer token",
      unit: "ms",
      explanation: "median time to the first token that is not thinking",
      figure: ({ firstAnswerMs }) => firstAnswerMs,
    },
    { title: "end to end", unit: "ms", explanation: "median time of an answer", figure: ({ e2eMs }) => e2eMs },
    {
      title: "tokens",
      unit: null,
      explanation: "tokens per answer as the provider counts them, hidden thinking included",
      figure: ({ tokensPerAnswer }) => tokensPerAnswer,
    },
    { title: "cost", unit: "usd", explanation: "US dollars per query", figure: ({ costUsd }) => costUsd },
  ]
  return columns.filter(({ figure }, i) => i === 0 || data.levels.some((level) => figure(level).status === "known"))
}

/** What stands behind a level: the knee, the best, and how often the rule chooses it. */
export function levelStanding({ knee }: LevelsData, { variant, share }: LevelsData["levels"][number]): string {
  const marks = [
    ...(knee?.variant === variant ? ["knee"] : []),
    ...(knee?.best === variant && knee.variant !== variant ? ["looks best"] : []),
    ...(share === null ? [] : [roundPercent(share)]),
  ]
  return marks.join(", ")
}

/** Title of the column of {@link levelStanding}. */
export const standingTitle = "knee in draws"
