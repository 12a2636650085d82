import type { ContextWindowData } from "../../../src/core/report/report-sections.ts"
import { percent } from "../../../src/words/percent.ts"
import { plainText } from "../../../src/words/text.ts"
import { colourClass, usePage } from "../context.tsx"
import { AxisX, Chart } from "./frame.tsx"
import { variantLabels } from "./labels.ts"
import { Mark, round } from "./mark.tsx"
import { axisScale } from "./scale.ts"

const laneHeight = 30
const stripHeight = 12

/**
 * A strip per variant, as long as its context window: filled as far as 95 % of the requests used it, a line to the largest
 * one, a mark at the median. Variants whose use is unknown have no strip.
 */
export function WindowStrips({ data }: { data: ContextWindowData }) {
  const page = usePage()
  const strips = data.variants.flatMap(({ variant, p50, p95, largest }) =>
    p50.status === "known" && p95.status === "known" && largest.status === "known"
      ? [{ variant, p50: 100 * p50.value, p95: 100 * p95.value, largest: 100 * largest.value }]
      : [],
  )
  if (strips.length === 0) return null
  const words = strips.map(
    ({ variant, p50, p95, largest }) =>
      `${plainText(variant, 60)}: median ${percent(p50 / 100)}, p95 ${percent(p95 / 100)}, largest ${percent(largest / 100)}`,
  )
  return (
    <>
      <Chart
        name="context-window"
        label={`Share of the context window that requests used: ${words.join("; ")}`}
        height={strips.length * laneHeight + 70}
        margin={{ left: 8, right: 16, top: 22, bottom: 44 }}
      >
        {(plot) => {
          const names = Math.min(210, plot.width * 0.36)
          const short = variantLabels(strips, Math.max(8, Math.floor(names / 7) - 1))
          const max = Math.max(100, ...strips.map(({ largest }) => largest))
          const scale = axisScale([0, max], { range: [names, plot.width], unit: "%", zero: true })
          const [start, full, tight] = [round(scale(0)), round(scale(100)), round(scale(90))]
          return (
            <>
              <AxisX scale={scale} plot={plot} title="context window used" />
              {strips.map(({ variant, p50, p95, largest }, index) => {
                const middle = (index + 0.5) * laneHeight
                const top = middle - stripHeight / 2
                return (
                  <g key={variant} class={`strip ${colourClass(page, variant)}`}>
                    <text x={0} y={middle} dy="0.35em">
                      {short[index]}
                    </text>
                    <rect class="room" x={start} y={top} width={full - start} height={stripHeight} />
                    <rect class="used" x={start} y={top} width={round(scale(p95)) - start} height={stripHeight} />
                    <line x1={start} x2={round(scale(largest))} y1={middle} y2={middle} />
                    <line x1={round(scale(largest))} x2={round(scale(largest))} y1={top} y2={top + stripHeight} />
                    <Mark variant={variant} x={scale(p50)} y={middle} size={4.5} />
                    <title>{words[index]}</title>
                  </g>
                )
              })}
              <line class="diagonal" x1={tight} x2={tight} y1={0} y2={plot.height} />
              <text x={tight} y={-6} text-anchor="middle">
                90 %
              </text>
            </>
          )
        }}
      </Chart>
      <p class="note">
        Mark: median request. Filled: up to the 95th percentile. Line: largest request. Grey strip: the whole window.
      </p>
    </>
  )
}
