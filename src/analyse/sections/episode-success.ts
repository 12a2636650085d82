import type { MetricRow } from "../../core/metric/metric.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import type { ReportSection } from "../../core/report/report-sections.ts"
import { tableData } from "../../core/report/table-data.ts"
import { toJson } from "../../core/report/to-json.ts"
import { meanFigure } from "../../stats/intervals/mean-interval.ts"
import { passAtKEstimate, passHatKEstimate } from "../../stats/pass-at-k-estimate.ts"
import { episodeSuccess } from "../../wording/sections/episode-success.ts"
import type { EpisodesOfVariant } from "../../wording/sections/episodes.ts"
import { spacedName } from "../../words/names.ts"
import { counted } from "../../words/number.ts"

/** Tries of one task that are told apart, at most. */
const maxTries = 8

/**
 * Success by the number of answers that an episode took, and, where tasks were done several times, of any and of all of k tries with what k
 * tries cost. Nothing without episodes or without a metric that says which are solved.
 *
 * @param solved name of that metric
 */
export function episodeSuccessSections(
  variants: readonly EpisodesOfVariant[],
  solved: string | null,
  alpha: number,
): readonly ReportSection[] {
  const withEpisodes = variants.filter(({ episodes }) => episodes)
  if (withEpisodes.length === 0 || solved === null) return []
  return [bySteps(withEpisodes, solved), byTries(withEpisodes, solved, alpha)].filter((section) => section !== null)
}

function bySteps(variants: readonly EpisodesOfVariant[], solved: string): ReportSection | null {
  const rows = variants.flatMap(({ report, episodes }) =>
    (episodes?.bySteps ?? []).map(({ from, to, ...facts }) => {
      const steps = from === to ? String(from) : to === null ? `${from} and more` : `${from} to ${to}`
      return { variant: report.name, steps, ...facts }
    }),
  )
  // Where all take one answer there is nothing to compare.
  if (new Set(rows.map(({ steps }) => steps)).size < 2) return null
  return {
    kind: "table",
    topic: "episode-steps",
    title: episodeSuccess.byStepsTitle,
    sentences: [episodeSuccess.bySteps(bySolved(solved))],
    data: toJson(
      tableData(rows, [
        ["variant", ({ variant }) => variant],
        ["answers", ({ steps }) => steps],
        ["episodes", ({ episodes }) => episodes],
        ["solved", ({ solved: share }) => share, "share"],
      ]),
    ),
  }
}

function byTries(variants: readonly EpisodesOfVariant[], solved: string, alpha: number): ReportSection | null {
  const rows = variants.flatMap(({ report, scored }) => {
    const tasks = triesOf(scored.rows.get(solved) ?? [])
    const max = Math.min(maxTries, Math.max(0, ...tasks.map(({ tries }) => tries)))
    return max < 2 ? [] : Array.from({ length: max }, (_, i) => ({ report, tasks, k: i + 1 }))
  })
  if (rows.length === 0) return null
  return {
    kind: "table",
    topic: "episode-tries",
    title: episodeSuccess.byTriesTitle,
    sentences: [episodeSuccess.byTries(bySolved(solved))],
    data: toJson(
      tableData(rows, [
        ["variant", ({ report }) => report.name],
        ["k", ({ k }) => k],
        ["pass@k", ({ tasks, k }) => shareOf(tasks, k, passAtKEstimate, alpha), "share"],
        ["pass^k", ({ tasks, k }) => shareOf(tasks, k, passHatKEstimate, alpha), "share"],
        ["k tries", ({ report, k }) => costOf(report.cost.perQueryUsd, k), "usd"],
      ]),
    ),
  }
}

/** A task with its tries that have a verdict. */
interface Task {
  readonly cluster: string
  tries: number
  solved: number
}

function triesOf(rows: readonly MetricRow[]): readonly Task[] {
  const tasks = new Map<string, Task>()
  for (const { sampleId, value, cluster } of rows) {
    if (value === null) continue
    const task = tasks.get(sampleId) ?? { cluster: cluster ?? sampleId, tries: 0, solved: 0 }
    task.tries++
    // A task that is solved in part is not solved.
    if (value >= 1) task.solved++
    tasks.set(sampleId, task)
  }
  return [...tasks.values()]
}

function shareOf(tasks: readonly Task[], k: number, estimate: typeof passAtKEstimate, alpha: number): Figure {
  const tried = tasks.filter(({ tries }) => tries >= k)
  if (tried.length === 0) return unknown(episodeSuccess.neverTried(counted(k, "time")))
  const values = tried.map(({ tries, solved }) => estimate(tries, solved, k))
  const keys = tried.map(({ cluster }) => cluster)
  const figure = meanFigure(values, keys, [0, 1], alpha)
  return { ...figure, method: `mean over tasks; ${figure.method}` }
}

function costOf(once: Figure, k: number): Figure {
  if (once.status === "unknown") return once
  const times = (bound: number | null | undefined) => (bound == null ? null : bound * k)
  return { ...once, value: once.value * k, low: times(once.low), high: times(once.high) }
}

/** Which metric says it, where its name does not. */
function bySolved(metric: string): string {
  return spacedName(metric) === "solved" ? "" : `, by ${spacedName(metric)}`
}
