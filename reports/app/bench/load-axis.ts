import type { Figure } from "../../../src/core/report/figure.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import { count, significant } from "../../../src/words/number.ts"
import type { Curve, CurvePoint } from "../charts/curves.ts"

/** Levels of one variant in ascending order of their load, with the colour that the variant has on the whole page. */
export interface VariantLevels {
  readonly variant: string
  readonly color: number
  readonly levels: readonly BenchLevel[]
}

/** The levels by variant; a load that was measured several times (a search) keeps its last. */
export function byVariant(levels: readonly BenchLevel[]): readonly VariantLevels[] {
  const names = [...new Set(levels.map(({ variant }) => variant))]
  return names.map((variant, color) => {
    const byLoad = new Map(levels.filter((level) => level.variant === variant).map((level) => [loadOf(level), level]))
    const sorted = [...byLoad.values()].sort((a, b) => loadOf(a) - loadOf(b))
    return { variant, color, levels: sorted }
  })
}

/** Requests in flight of a closed loop, requests a second of an open one. */
export function loadOf({ plan, offeredRate }: BenchLevel): number {
  return plan.kind === "closed" ? plan.concurrency : (offeredRate ?? 0)
}

/** `8` or `2.5/s`. */
export function loadLabel(level: BenchLevel): string {
  return level.plan.kind === "closed" ? count(level.plan.concurrency) : `${significant(loadOf(level))}/s`
}

/** What the load axis counts. */
export function loadAxis(levels: readonly BenchLevel[]): string {
  return levels[0]?.plan.kind === "open" ? "requests a second, offered" : "requests in flight"
}

/** One figure of each level as a line over the load. */
export function overLoad(
  { levels, color }: VariantLevels,
  name: string,
  pick: (level: BenchLevel) => Figure,
  options: { readonly scale?: number; readonly dashed?: boolean; readonly interval?: boolean } = {},
): Curve {
  const { scale = 1, dashed = false, interval = true } = options
  const points = levels.flatMap((level): CurvePoint[] => {
    const figure = pick(level)
    const x = loadOf(level)
    if (figure.status === "unknown" || x <= 0) return []
    const times = (bound: number | null | undefined) => (bound == null ? null : bound * scale)
    const bounds = interval ? { low: times(figure.low), high: times(figure.high) } : {}
    return [{ x, y: figure.value * scale, ...bounds }]
  })
  return { name, color, dashed, points }
}
