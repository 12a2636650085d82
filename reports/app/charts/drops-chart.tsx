import type { RobustnessData } from "../../../src/core/report/report-sections.ts"
import { metricCalled, metricDifference, readableName } from "../../../src/words/metric.ts"
import { plainText } from "../../../src/words/text.ts"
import { colourClass, usePage } from "../context.tsx"
import { Foreign } from "../parts.tsx"
import { AxisX, Chart } from "./frame.tsx"
import { InlineMark, Mark, round } from "./mark.tsx"
import { axisScale } from "./scale.ts"

const laneHeight = 15

/**
 * What each perturbation takes from a metric: a row per perturbation, the most harmful first, a mark with its interval per
 * variant. Left of zero the metric fell.
 */
export function DropsChart({ data }: { data: RobustnessData }) {
  const page = usePage()
  const variants = [...new Set(data.rows.map((row) => row.variant))]
  const rows = data.rows.flatMap(({ variant, perturbation, drop }) =>
    drop.status === "known" ? [{ variant, perturbation, drop }] : [],
  )
  const mean = (perturbation: string) => {
    const own = rows.filter((row) => row.perturbation === perturbation)
    return own.reduce((sum, row) => sum + row.drop.value, 0) / own.length
  }
  const perturbations = [...new Set(rows.map((row) => row.perturbation))].sort((a, b) => mean(a) - mean(b))
  if (perturbations.length === 0) return null
  const unit = data.unit ?? "score"
  const words = (value: number) => metricDifference(value, { unit, range: [0, 1] })
  const rowHeight = 10 + laneHeight * variants.length
  const ends = rows.flatMap(({ drop }) => [drop.low ?? drop.value, drop.high ?? drop.value])
  const label = rows
    .map(
      ({ variant, perturbation, drop }) =>
        `${readableName(perturbation)}, ${plainText(variant, 60)}: ${words(drop.value)}`,
    )
    .join("; ")
  return (
    <>
      <p class="key">
        {variants.map((variant) => (
          <span key={variant}>
            <InlineMark variant={variant} /> <Foreign text={variant} limit={60} />{" "}
          </span>
        ))}
      </p>
      <Chart
        name="robustness"
        label={`Change of ${metricCalled(page.report.metrics, data.metric)} under each perturbation: ${label}`}
        height={perturbations.length * rowHeight + 66}
        margin={{ left: 8, right: 16, top: 14, bottom: 44 }}
      >
        {(plot) => {
          const names = Math.min(210, plot.width * 0.36)
          const scale = axisScale([...ends, 0], { range: [names, plot.width], unit, logarithmic: false })
          const zero = round(scale(0))
          return (
            <>
              <AxisX scale={scale} plot={plot} title={`change of ${metricCalled(page.report.metrics, data.metric)}`} />
              <line class="zero" x1={zero} x2={zero} y1={0} y2={plot.height} />
              {perturbations.map((perturbation, index) => (
                <g key={perturbation} transform={`translate(0 ${index * rowHeight})`}>
                  <text x={0} y={rowHeight / 2} dy="0.35em">
                    {readableName(perturbation, Math.floor(names / 7))}
                  </text>
                  {rows
                    .filter((row) => row.perturbation === perturbation)
                    .map(({ variant, drop }) => {
                      const y = 5 + laneHeight * (variants.indexOf(variant) + 0.5)
                      return (
                        <g key={variant}>
                          {typeof drop.low === "number" && typeof drop.high === "number" && (
                            <g class={`whisker ${colourClass(page, variant)}`}>
                              <line x1={round(scale(drop.low))} x2={round(scale(drop.high))} y1={y} y2={y} />
                            </g>
                          )}
                          <Mark variant={variant} x={scale(drop.value)} y={y} size={4.5} />
                          <title>{`${readableName(perturbation)}, ${plainText(variant, 60)}: ${words(drop.value)} (n = ${drop.n})`}</title>
                        </g>
                      )
                    })}
                </g>
              ))}
            </>
          )
        }}
      </Chart>
    </>
  )
}
