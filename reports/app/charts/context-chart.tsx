import { quantity } from "../../../src/words/quantity.ts"
import { plainText } from "../../../src/words/text.ts"
import type { ContextCurve } from "../../view-model/context-curve.ts"
import { colourClass, usePage } from "../context.tsx"
import { AxisX, AxisY, Chart, type Plot } from "./frame.tsx"
import { textWidth, variantLabels } from "./labels.ts"
import { spread } from "./lines-chart.tsx"
import { linePath, round, Whisker } from "./mark.tsx"
import { type AxisScale, axisScale, doublingScale, ticksWithRoom } from "./scale.ts"

/** One figure against the tokens of the context, with its interval at each length: each doubling is as wide as the next. */
export function ContextChart({ curve }: { curve: ContextCurve }) {
  const names = variantLabels(curve.lines, 18)
  const right = Math.min(140, Math.max(...names.map((name) => textWidth(name))) + 16)
  return (
    <Chart name="context" label={labelOf(curve)} height={260} margin={{ left: 60, right, top: 22, bottom: 46 }}>
      {(plot) => {
        const [sx, sy] = scalesOf(curve, plot)
        const places = spread(
          curve.lines.map(({ points }) => sy(points.at(-1)?.figure.value ?? 0)),
          14,
          plot.height,
        )
        return (
          <>
            <AxisX scale={sx} plot={plot} title="tokens of the context" ticks={ticksWithRoom(sx)} />
            <AxisY scale={sy} plot={plot} title={curve.title} />
            {curve.lines.map((line, index) => (
              <Line
                key={line.variant}
                {...{ line, plot, sx, sy }}
                unit={curve.unit}
                name={names[index] ?? ""}
                nameAt={places[index] ?? 0}
              />
            ))}
          </>
        )
      }}
    </Chart>
  )
}

function Line(props: {
  line: ContextCurve["lines"][number]
  unit: string | null
  plot: Plot
  sx: AxisScale
  sy: AxisScale
  name: string
  nameAt: number
}) {
  const { line, unit, plot, sx, sy, name, nameAt } = props
  const page = usePage()
  const colour = colourClass(page, line.variant)
  const path = linePath(line.points.map(({ tokens, figure }) => [sx(tokens), sy(figure.value)]))
  return (
    <g class={colour}>
      <path class={`line ${colour} d${(page.positions.get(line.variant) ?? 0) % 6}`} d={path} />
      {line.points.map(({ tokens, figure }) => (
        <g key={tokens}>
          <Whisker x={sx(tokens)} low={figure.low} high={figure.high} at={sy} class={colour} />
          <circle class="dot" cx={round(sx(tokens))} cy={round(sy(figure.value))} r={3.6}>
            <title>{`${name}: ${quantity(figure.value, unit)} at ${quantity(tokens, null)} tokens`}</title>
          </circle>
        </g>
      ))}
      <text class="label" x={plot.width + 10} y={round(nameAt)} dy="0.35em">
        {name}
      </text>
    </g>
  )
}

function scalesOf({ lines, unit }: ContextCurve, plot: Plot): [AxisScale, AxisScale] {
  const points = lines.flatMap((line) => line.points)
  const ends = points.flatMap(({ figure: { value, low, high } }) => [value, low ?? value, high ?? value])
  return [
    doublingScale(
      points.map(({ tokens }) => tokens),
      [0, plot.width],
    ),
    axisScale(ends, { range: [plot.height, 0], unit, zero: true }),
  ]
}

/** The whole curve in words, for those who do not see it. */
function labelOf({ title, unit, lines }: ContextCurve): string {
  const words = lines.map(
    ({ variant, points }) =>
      `${plainText(variant, 40)}: ${points.map(({ tokens, figure }) => `${quantity(figure.value, unit)} at ${quantity(tokens, null)}`).join(", ")}`,
  )
  return `${title} against the tokens of the context. ${words.join("; ")}`
}
