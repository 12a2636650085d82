import type { RunReport } from "../../src/core/report/report.ts"
import { quantity } from "../../src/words/quantity.ts"
import { plainText } from "../../src/words/text.ts"
import { isLogarithmic, type ShownAxis, shownAxis } from "../view-model/axes.ts"

/**
 * The frontier as a Mermaid quadrant chart, which GitHub draws: right is better on the first axis beside quality, up is
 * better quality. Empty with fewer than two points. Mermaid has no error bars; the table beside it has the intervals.
 */
export function mermaidFrontier(report: RunReport): string {
  const { frontier } = report
  if (!frontier || frontier.points.length < 2 || frontier.axes.length < 2) return ""
  const [up, across] = frontier.axes as [(typeof frontier.axes)[number], (typeof frontier.axes)[number]]
  const ys = frontier.points.map((point) => point.values[0] as number)
  const xs = frontier.points.map((point) => point.values[1] as number)
  const [shown, vertical] = [shownAxis(report, across), shownAxis(report, up)]
  const x = unitScale(xs, across.goal === "minimize", shown)
  const y = unitScale(ys, up.goal === "minimize", vertical)
  const worst = across.goal === "minimize" ? Math.max(...xs) : Math.min(...xs)
  const best = across.goal === "minimize" ? Math.min(...xs) : Math.max(...xs)
  const points = frontier.points.map((point, index) => {
    const style = point.onFrontier ? "" : " color: #999999"
    return `  ${label(point.variant)}: [${x(xs[index] as number)}, ${y(ys[index] as number)}]${style}`
  })
  const amount = (value: number) => quantity(value * shown.factor, shown.unit)
  return [
    "```mermaid",
    "quadrantChart",
    `  x-axis ${label(`${shown.title} ${amount(worst)}`)} --> ${label(amount(best))}`,
    `  y-axis ${label(`lower ${vertical.title}`)} --> ${label(`higher ${vertical.title}`)}`,
    ...points,
    "```",
  ].join("\n")
}

/** Words that Mermaid cannot read as anything else: letters, digits and a few harmless signs, in quotes. */
function label(text: string): string {
  return `"${plainText(text, 40).replace(/[^\p{L}\p{N} ._+$/-]/gu, "_")}"`
}

/** Maps values to 0.05..0.95, logarithmically where the axis is; `flip` puts the smallest at the far end. */
function unitScale(values: readonly number[], flip: boolean, axis: ShownAxis): (value: number) => string {
  const low = Math.min(...values)
  const high = Math.max(...values)
  const scale = isLogarithmic(values, axis) ? Math.log : (value: number) => value
  return (value) => {
    const share = high === low ? 0.5 : (scale(value) - scale(low)) / (scale(high) - scale(low))
    return (0.05 + 0.9 * (flip ? 1 - share : share)).toFixed(3)
  }
}
