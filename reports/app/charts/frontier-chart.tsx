import { percent } from "../../../src/words/percent.ts"
import { quantity } from "../../../src/words/quantity.ts"
import { plainText } from "../../../src/words/text.ts"
import { type Limits, type ShownPoint, stepLine } from "../../view-model/frontier.ts"
import type { VariantColumn } from "../../view-model/variant-columns.ts"
import { colourClass, usePage } from "../context.tsx"
import type { FrontierDraws } from "../sections/frontier/frontier-draws.ts"
import { AxisX, AxisY, Chart, type Plot } from "./frame.tsx"
import { leaderOf, placeLabels, variantLabels } from "./labels.ts"
import { LimitHandle, Shade } from "./limit-lines.tsx"
import { clamp, linePath, Mark, round } from "./mark.tsx"
import { type AxisScale, axisScale } from "./scale.ts"
import { ZoomPane } from "./zoom-pane.tsx"
import type { ZoomPart } from "./zoom-part.ts"

/** A router's curve on the shown axes. */
export type RouterLine = readonly { readonly x: number; readonly y: number }[]

/** The scatter of the frontier: whiskers, labels at the points, the step line and its band, limits, cascades, a part of it. */
export function FrontierChart(props: {
  x: VariantColumn
  y: VariantColumn
  points: readonly ShownPoint[]
  limits: Limits
  draws: FrontierDraws | null
  routers: readonly RouterLine[]
  /** The part of the whole that is shown; null: all of it. */
  part: ZoomPart | null
  onZoom: (part: ZoomPart) => void
  onLimit: (axis: "x" | "y", value: number | null) => void
}) {
  const { x, y, points, limits, draws, routers, part, onZoom, onLimit } = props
  const label = `Frontier of ${y.title} against ${x.title}: ${points
    .map(
      (point) =>
        `${plainText(point.variant, 60)} at ${quantity(point.y, y.unit)} and ${quantity(point.x, x.unit)}${point.onFrontier ? ", on the frontier" : ""}`,
    )
    .join("; ")}`
  const short = variantLabels(points, 28)
  const names = points.map((point, i) => {
    const share = draws?.membership.get(point.variant)
    return `${short[i]}${share === undefined ? "" : ` ${percent(Math.round(share * 100) / 100)}`}`
  })
  return (
    <Chart name="frontier" interactive label={label} height={420} margin={{ left: 60, right: 30, top: 22 }}>
      {(plot) => {
        const { sx, sy } = scalesOf(props, { x: [0, plot.width], y: [plot.height, 0] }, part)
        const isInside = (point: ShownPoint) => inside(sx(point.x), plot.width) && inside(sy(point.y), plot.height)
        const seen = points.flatMap((point, index) => (isInside(point) ? [{ point, text: names[index] ?? "" }] : []))
        const texts = seen.map(({ point, text }) => ({ x: sx(point.x), y: sy(point.y), text, bold: point.onFrontier }))
        const labels = placeLabels(texts, { ...plot, lines: drawnLines(points, sx, sy) })
        const clip = part ? "url(#frontier-part)" : undefined
        return (
          <>
            <Shade axis="x" scale={sx} limit={limits.x} goal={x.goal} plot={plot} />
            <Shade axis="y" scale={sy} limit={limits.y} goal={y.goal} plot={plot} />
            <AxisX scale={sx} plot={plot} title={x.title} />
            <AxisY scale={sy} plot={plot} title={y.title} />
            <ZoomPane plot={plot} part={part} onZoom={onZoom} />
            {part && (
              <clipPath id="frontier-part">
                <rect width={plot.width} height={plot.height} />
              </clipPath>
            )}
            <g clip-path={clip}>
              {draws && <path class="band" d={bandPath(draws, sx, sy, plot)} />}
              {routers.map((line, index) => {
                const [only] = line
                return only && line.length === 1 ? (
                  <circle key={index} class="router" cx={round(sx(only.x))} cy={round(sy(only.y))} r={6} />
                ) : (
                  <path key={index} class="router" d={path(line, sx, sy)} />
                )
              })}
              <path class="step" d={path(stepLine(points), sx, sy)} />
              {points.map((point) => (
                <Whiskers key={point.variant} point={point} sx={sx} sy={sy} />
              ))}
            </g>
            {seen.map(({ point, text }, index) => {
              const spot = labels[index]
              const leader = spot ? leaderOf(texts[index] as (typeof texts)[number], spot) : null
              return (
                <g key={point.variant} class={point.onFrontier ? "point" : "point quiet"}>
                  {leader && (
                    <path class="leader" d={`M${leader.from.map(round).join(" ")}L${leader.to.map(round).join(" ")}`} />
                  )}
                  <Mark variant={point.variant} x={sx(point.x)} y={sy(point.y)} hollow={!point.onFrontier} size={7} />
                  {spot && (
                    <text class="label" x={round(spot.x)} y={round(spot.y)} dy="0.35em" text-anchor={spot.anchor}>
                      {text}
                    </text>
                  )}
                  <title>{`${plainText(point.variant)}: ${quantity(point.y, y.unit)}, ${quantity(point.x, x.unit)}`}</title>
                </g>
              )
            })}
            <LimitHandle axis="x" column={x} scale={sx} limit={limits.x} plot={plot} onLimit={onLimit} />
            <LimitHandle axis="y" column={y} scale={sy} limit={limits.y} plot={plot} onLimit={onLimit} />
          </>
        )
      }}
    </Chart>
  )
}

/** What decides how the axes are laid out. */
interface Drawn {
  readonly x: VariantColumn
  readonly y: VariantColumn
  readonly points: readonly ShownPoint[]
  readonly routers: readonly RouterLine[]
}

function scalesOf(
  { x, y, points, routers }: Drawn,
  ranges: { readonly x: readonly [number, number]; readonly y: readonly [number, number] },
  part: ZoomPart | null,
): { sx: AxisScale; sy: AxisScale } {
  const lines = routers.flat()
  const axis = (values: readonly number[], column: VariantColumn, along: "x" | "y") =>
    axisScale(values, {
      range: ranges[along],
      unit: column.unit,
      ...(column.isBounded && { logarithmic: false }),
      // One far off to the right would crowd all others at the left edge; the same upwards is what is looked for.
      ...(along === "x" && { crowded: points.map((point) => point.x) }),
      ...(part && { part: part[along] }),
    })
  return {
    sx: axis(
      [...points.flatMap(({ x, xInterval }) => [x, ...(xInterval ?? [])]), ...lines.map((line) => line.x)],
      x,
      "x",
    ),
    sy: axis(
      [...points.flatMap(({ y, yInterval }) => [y, ...(yInterval ?? [])]), ...lines.map((line) => line.y)],
      y,
      "y",
    ),
  }
}

/** The part of the plot that holds the frontier, with some room around it: what a reader looks at closer first. */
export function closeUp(drawn: Drawn): ZoomPart {
  const { sx, sy } = scalesOf(drawn, { x: [0, 1], y: [0, 1] }, null)
  const members = drawn.points.filter((point) => point.onFrontier)
  const around = (shares: readonly number[]): [number, number] => {
    const [low, high] = shares.length > 0 ? [Math.min(...shares), Math.max(...shares)] : [0, 1]
    const room = Math.max(0.08, 0.15 - (high - low) / 2)
    return [Math.max(0, low - room), Math.min(1, high + room)]
  }
  return { x: around(members.map((point) => sx(point.x))), y: around(members.map((point) => sy(point.y))) }
}

/** Whiskers and the steps of the frontier: what labels should not lie on. */
function drawnLines(points: readonly ShownPoint[], sx: AxisScale, sy: AxisScale) {
  const at = (x: number, y: number) => ({ x: sx(x), y: sy(y) })
  const whiskers = points.flatMap(({ x, y, xInterval, yInterval }) => [
    ...(xInterval ? [[at(xInterval[0], y), at(xInterval[1], y)] as const] : []),
    ...(yInterval ? [[at(x, yInterval[0]), at(x, yInterval[1])] as const] : []),
  ])
  const corners = stepLine(points).map(({ x, y }) => at(x, y))
  return [
    ...whiskers,
    ...corners.slice(1).map((corner, i) => [corners[i] as (typeof corners)[number], corner] as const),
  ]
}

function Whiskers({ point, sx, sy }: { point: ShownPoint; sx: AxisScale; sy: AxisScale }) {
  const page = usePage()
  const [x, y] = [sx(point.x), sy(point.y)]
  return (
    <g class={`whisker ${colourClass(page, point.variant)} ${point.onFrontier ? "" : "quiet"}`}>
      {point.yInterval && (
        <line x1={round(x)} x2={round(x)} y1={round(sy(point.yInterval[0]))} y2={round(sy(point.yInterval[1]))} />
      )}
      {point.xInterval && (
        <line x1={round(sx(point.xInterval[0]))} x2={round(sx(point.xInterval[1]))} y1={round(y)} y2={round(y)} />
      )}
    </g>
  )
}

/** The band as an area: the upper edge from left to right, the lower one back. */
function bandPath(draws: FrontierDraws, sx: AxisScale, sy: AxisScale, plot: Plot): string {
  const edge = Array.from({ length: Math.floor(plot.width / 4) + 1 }, (_, step) => step * 4).flatMap((at) => {
    const band = draws.band(sx.invert(at))
    if (!band) return []
    const low = band.low === null ? plot.height : clamp(sy(band.low), 0, plot.height)
    const high = band.high === null ? 0 : clamp(sy(band.high), 0, plot.height)
    return [{ at, low, high }]
  })
  if (edge.length < 2) return ""
  const upper = edge.map(({ at, high }) => `${at} ${round(high)}`)
  const lower = edge.toReversed().map(({ at, low }) => `${at} ${round(low)}`)
  return `M${[...upper, ...lower].join("L")}Z`
}

function path(points: readonly { readonly x: number; readonly y: number }[], sx: AxisScale, sy: AxisScale): string {
  return linePath(points.map(({ x, y }) => [sx(x), sy(y)]))
}

/** Whether a place lies on an axis, or so near its end that its mark is seen. */
function inside(at: number, length: number): boolean {
  return at >= -4 && at <= length + 4
}
