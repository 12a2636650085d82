import type { MetricComparison } from "../../../src/core/report/comparison.ts"
import { metricDifference, metricTitle, metricUnit, type ReportMetric } from "../../../src/words/metric.ts"
import { plainText } from "../../../src/words/text.ts"
import { decidingBound } from "../../wording/deciding-bound.ts"
import { Chart } from "./frame.tsx"
import { textWidth } from "./labels.ts"
import { round } from "./mark.tsx"

const rowHeight = 34

/** What a row of the plot shows of a metric, or of a slice. */
export type ForestRow = Pick<
  MetricComparison,
  | "metric"
  | "direction"
  | "primary"
  | "difference"
  | "low"
  | "high"
  | "lowBound"
  | "highBound"
  | "margin"
  | "verdict"
  | "sentence"
>

/**
 * Differences per metric on one zero line. Rates share one scale in points; any other metric is scaled to its own
 * interval. The band around zero is the margin that still counts as "not worse".
 */
export function ForestPlot(props: { findings: readonly ForestRow[]; metrics: readonly ReportMetric[] }) {
  const rows = props.findings.flatMap((finding) => {
    const metric = props.metrics.find((entry) => entry.name === finding.metric)
    return metric && finding.difference !== null ? [{ finding, metric, difference: finding.difference }] : []
  })
  if (rows.length === 0) return null
  const reach = (finding: ForestRow) =>
    Math.max(
      ...[finding.difference, finding.low, finding.high, decidingBound(finding), finding.margin].map((value) =>
        Math.abs(value ?? 0),
      ),
      1e-12,
    )
  const shared = Math.max(
    ...rows.filter(({ metric }) => metricUnit(metric) === "share").map(({ finding }) => reach(finding)),
    1e-12,
  )
  const label = rows
    .map(({ metric, difference }) => `${metricTitle(metric)}: ${metricDifference(difference, metric)}`)
    .join("; ")
  return (
    <Chart
      name="forest"
      label={`Differences, candidate minus baseline: ${label}`}
      height={rows.length * rowHeight + 46}
      margin={{ left: 8, right: 8, top: 24, bottom: 22 }}
    >
      {(plot) => {
        const names = Math.min(190, plot.width * 0.3)
        const isWide = plot.width > 620
        const values = rows.map(({ finding, metric, difference }) => {
          const value = metricDifference(difference, metric)
          return isWide ? `${value} (${interval(finding, metric)})` : value
        })
        const texts = Math.min(Math.max(...values.map((value) => textWidth(value))) + 8, plot.width * 0.45)
        const half = (plot.width - names - texts) / 2
        const zero = names + half
        return (
          <>
            <text class="axis-word" x={zero - 8} y={-12} text-anchor="end">
              {"\u2190 worse"}
            </text>
            <text class="axis-word" x={zero + 8} y={-12}>
              {"better \u2192"}
            </text>
            {rows.map(({ finding, metric, difference }, index) => {
              const scale = metricUnit(metric) === "share" ? shared : reach(finding)
              const sign = finding.direction === "higher" ? 1 : -1
              const at = (value: number) => round(zero + ((sign * value) / scale) * half * 0.94)
              const margin = Math.abs(at(finding.margin) - zero)
              const bound = decidingBound(finding)
              return (
                <g
                  key={finding.metric}
                  class={`forest ${finding.verdict}`}
                  transform={`translate(0 ${index * rowHeight + rowHeight / 2})`}
                >
                  <rect
                    class="margin"
                    x={zero - margin}
                    width={margin * 2}
                    y={-rowHeight / 2 + 4}
                    height={rowHeight - 8}
                  />
                  <line class="zero" x1={zero} x2={zero} y1={-rowHeight / 2} y2={rowHeight / 2} />
                  <Name name={metricTitle(metric)} width={names} primary={finding.primary} />
                  {finding.low !== null && finding.high !== null && (
                    <line class="interval" x1={at(finding.low)} x2={at(finding.high)} y1={0} y2={0} />
                  )}
                  {bound !== null && <line class="interval" x1={at(bound)} x2={at(bound)} y1={-6} y2={6} />}
                  <rect class="estimate" x={at(difference) - 4} y={-4} width={8} height={8} />
                  <text x={plot.width} dy="0.35em" text-anchor="end">
                    {values[index]}
                  </text>
                  <title>{plainText(finding.sentence, 600)}</title>
                </g>
              )
            })}
          </>
        )
      }}
    </Chart>
  )
}

/** A metric's name in one line, or two where it needs them; cut where they do not suffice. */
function Name({ name, width, primary }: { name: string; width: number; primary: boolean }) {
  const room = Math.floor(width / (primary ? 7.6 : 7))
  const cut = (text: string) => plainText(text, room)
  const space = name.length <= room ? -1 : name.lastIndexOf(" ", room)
  const lines = space <= 0 ? [name] : [name.slice(0, space), name.slice(space + 1)]
  return (
    <text class={primary ? "primary" : undefined} x={0} dy={lines.length === 1 ? "0.35em" : "-0.2em"}>
      {lines.map((line, i) => (
        <tspan key={i} x={0} dy={i === 0 ? undefined : "1.1em"}>
          {cut(line)}
        </tspan>
      ))}
    </text>
  )
}

function interval({ low, high }: ForestRow, metric: ReportMetric): string {
  if (low === null || high === null) return "no interval"
  const bare = (value: number) => metricDifference(value, metric).replace(/ .*/, "")
  return `${bare(low)} to ${bare(high)}`
}
