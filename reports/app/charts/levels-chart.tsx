import { figureValue } from "../../../src/core/report/figure.ts"
import type { LevelsData } from "../../../src/core/report/report-sections.ts"
import { quantity } from "../../../src/words/quantity.ts"
import { plainText } from "../../../src/words/text.ts"
import { levelColumns } from "../../view-model/levels.ts"
import { usePage } from "../context.tsx"
import { AxisX, AxisY, Chart } from "./frame.tsx"
import { textWidth } from "./labels.ts"
import { linePath, round, Whisker } from "./mark.tsx"
import { axisScale } from "./scale.ts"

/** What lies across, by how a level is cheap. */
const across = {
  costUsd: { title: "cost per query", unit: "usd" },
  e2eMs: { title: "end to end, median", unit: "ms" },
  completionTokens: { title: "tokens per answer", unit: null },
} as const

/** Quality with its interval against cost or time, a point per level; the knee has a ring, the allowed loss is a dashed line. */
export function LevelsChart({ data }: { data: LevelsData }) {
  const page = usePage()
  const { knee, levels } = data
  const [column] = levelColumns(data, page.report)
  // A report may come from anyone: only the names that are known here are looked up.
  const by = knee && Object.hasOwn(across, knee.cheapBy) ? knee.cheapBy : "costUsd"
  const points = levels.flatMap((level) => {
    const quality = level.quality[0]
    const x = figureValue(by === "costUsd" ? level.costUsd : by === "e2eMs" ? level.e2eMs : level.tokensPerAnswer)
    return quality?.status === "known" && x !== null ? [{ level, quality, x, y: quality.value }] : []
  })
  if (points.length < 2 || !column) return null
  const { title, unit } = across[by]
  const best = points.find(({ level }) => level.variant === knee?.best)
  const direction = page.report.metrics.find(({ name }) => name === data.metrics[0]?.name)?.direction
  const allowed = best && knee ? best.y + (direction === "lower" ? knee.margin : -knee.margin) : null
  const ordered = points.toSorted((a, b) => a.x - b.x)
  const label = points
    .map(({ level, x, y }) => `${plainText(level.level, 40)}: ${quantity(y, column.unit)} at ${quantity(x, unit)}`)
    .join("; ")
  return (
    <Chart
      name="levels"
      label={`${column.title} against ${title}, by ${plainText(data.axis, 40)}: ${label}`}
      height={260}
      margin={{ left: 54, right: 24, top: 22, bottom: 46 }}
    >
      {(plot) => {
        const ends = points.flatMap(({ quality, y }) => [y, quality.low ?? y, quality.high ?? y])
        const sx = axisScale(
          points.map(({ x }) => x),
          { range: [0, plot.width], unit },
        )
        const sy = axisScale([...ends, ...(allowed === null ? [] : [allowed])], {
          range: [plot.height, 0],
          unit: column.unit,
          logarithmic: false,
        })
        const path = linePath(ordered.map(({ x, y }) => [sx(x), sy(y)]))
        return (
          <>
            <AxisX scale={sx} plot={plot} title={title} />
            <AxisY scale={sy} plot={plot} title={column.title} />
            {allowed !== null && (
              <line class="allowed" x1={0} x2={plot.width} y1={round(sy(allowed))} y2={round(sy(allowed))}>
                <title>{`the best level's ${column.title} less the margin: ${quantity(allowed, column.unit)}`}</title>
              </line>
            )}
            <g class="v1">
              <path class="line d0" d={path} />
              {points.map(({ level, quality, x, y }) => (
                <g key={level.variant}>
                  <Whisker x={sx(x)} low={quality.low} high={quality.high} at={sy} class="v1" />
                  {knee?.variant === level.variant && <circle class="ring" cx={round(sx(x))} cy={round(sy(y))} r={8} />}
                  <circle class="dot" cx={round(sx(x))} cy={round(sy(y))} r={3.6}>
                    <title>{`${plainText(level.level, 40)}: ${quantity(y, column.unit)} at ${quantity(x, unit)}`}</title>
                  </circle>
                  <Name text={plainText(level.level, 24)} x={sx(x)} y={sy(y)} width={plot.width} />
                </g>
              ))}
            </g>
          </>
        )
      }}
    </Chart>
  )
}

/** Below its point, where a curve that rises leaves room; towards the middle at the right edge. */
function Name({ text, x, y, width }: { text: string; x: number; y: number; width: number }) {
  const atEdge = x + 10 + textWidth(text) > width
  return (
    <text class="name" x={round(x + (atEdge ? -9 : 9))} y={round(y + 16)} text-anchor={atEdge ? "end" : "start"}>
      {text}
    </text>
  )
}
