import type { RouterCurve } from "../../src/core/report/frontier.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { type VariantColumn, variantColumns } from "./variant-columns.ts"

/** A variant on the two axes that are shown. */
export interface ShownPoint {
  readonly variant: string
  readonly x: number
  readonly y: number
  readonly xInterval: readonly [number, number] | null
  readonly yInterval: readonly [number, number] | null
  readonly onFrontier: boolean
  readonly excluded: boolean
}

/** Columns that can be an axis: at least two variants have a figure there, and not all the same. */
export function axisColumns(report: RunReport): VariantColumn[] {
  return variantColumns(report).filter((column) => {
    const values = report.variants.flatMap((variant) => {
      const figure = column.figure(variant)
      return figure.status === "known" ? [figure.value] : []
    })
    return values.length >= 2 && new Set(values).size >= 2
  })
}

/** Limits that a reader set; null where there is none. */
export interface Limits {
  readonly x: number | null
  readonly y: number | null
}

/**
 * The variants on two axes with the Pareto set at the point estimates, among those within the limits. Variants with an
 * unknown figure are in `missing` with their reason.
 */
export function shownPoints(
  report: RunReport,
  x: VariantColumn,
  y: VariantColumn,
  limits: Limits,
): { readonly points: readonly ShownPoint[]; readonly missing: readonly { variant: string; reason: string }[] } {
  const missing: { variant: string; reason: string }[] = []
  const raw = report.variants.flatMap((variant) => {
    const [fx, fy] = [x.figure(variant), y.figure(variant)]
    if (fx.status === "unknown" || fy.status === "unknown") {
      const unknown = fx.status === "unknown" ? fx : fy
      missing.push({ variant: variant.name, reason: unknown.status === "unknown" ? unknown.reason : "" })
      return []
    }
    const excluded = isOutside(fx.value, limits.x, x.goal) || isOutside(fy.value, limits.y, y.goal)
    return [
      { variant: variant.name, x: fx.value, y: fy.value, xInterval: interval(fx), yInterval: interval(fy), excluded },
    ]
  })
  const points = raw.map((point) => ({
    ...point,
    onFrontier: !point.excluded && !raw.some((other) => !other.excluded && dominates(other, point, x, y)),
  }))
  return { points, missing }
}

/** The corners of the step line through the Pareto set, from the cheapest end on. */
export function stepLine(points: readonly ShownPoint[]): { readonly x: number; readonly y: number }[] {
  const members = points.filter((point) => point.onFrontier).toSorted((a, b) => a.x - b.x || a.y - b.y)
  const corners: { x: number; y: number }[] = []
  for (const [index, point] of members.entries()) {
    const before = members[index - 1]
    if (before) corners.push({ x: point.x, y: before.y })
    corners.push({ x: point.x, y: point.y })
  }
  return corners
}

/** Curves that a chart can hold beside its points. */
const maxRouters = 5

/**
 * Curves of the cascades that help, on quality against cost of 1,000: a part of the questions is passed on to the second
 * model. One with an unknown cost is not drawn.
 */
export function routerLines(
  { routers }: Pick<RunReport, "routers">,
  x: VariantColumn,
  y: VariantColumn,
): { readonly x: number; readonly y: number }[][] {
  if (!y.primary || x.id !== "perThousandUsd") return []
  return routers
    .filter(isShown)
    .slice(0, maxRouters)
    .flatMap((router) => {
      const line = router.points.flatMap(({ costUsd, quality }) =>
        costUsd === null ? [] : [{ x: costUsd * 1000, y: quality }],
      )
      return line.length > 1 || router.kind === "best_of" ? [line] : []
    })
}

/** What is drawn and listed: cascades that help, and every best-of, which is one point. */
export function isShown(router: RouterCurve): boolean {
  return router.kind === "best_of" || isHelpful(router)
}

/** Whether a cascade's chosen threshold sends on some questions but not all. */
function isHelpful({ chosen }: RouterCurve): boolean {
  return chosen !== null && chosen.escalated > 0 && chosen.escalated < 1
}

function isOutside(value: number, limit: number | null, goal: "maximize" | "minimize"): boolean {
  if (limit === null) return false
  return goal === "maximize" ? value < limit : value > limit
}

function interval(figure: { low?: number | null; high?: number | null }): readonly [number, number] | null {
  return figure.low != null && figure.high != null ? [figure.low, figure.high] : null
}

function dominates(
  a: { readonly x: number; readonly y: number },
  b: { readonly x: number; readonly y: number },
  x: VariantColumn,
  y: VariantColumn,
): boolean {
  const dx = x.goal === "maximize" ? a.x - b.x : b.x - a.x
  const dy = y.goal === "maximize" ? a.y - b.y : b.y - a.y
  return dx >= 0 && dy >= 0 && (dx > 0 || dy > 0)
}
