import type { KnownFigure } from "../../src/core/report/figure.ts"
import type { SlicesData, SlicesOfAxis } from "../../src/core/report/section-slices.ts"
import { count } from "../../src/words/number.ts"
import { figureTitle } from "./slices.ts"
import { cellOf, type Table } from "./table.ts"

/** A figure against the length of the context, a line a variant. */
export interface ContextCurve {
  readonly title: string
  readonly unit: string | null
  readonly lines: readonly {
    readonly variant: string
    /** By length, shortest first. */
    readonly points: readonly { readonly tokens: number; readonly figure: KnownFigure }[]
  }[]
}

/** The slices whose names are the lengths that were asked, as `needles` states them; null where there are not two. */
export function contextAxis({ axes }: SlicesData): SlicesOfAxis | null {
  const axis = axes.find((entry) => entry.axis.replace(/^metadata\./, "") === "contextTokens")
  return axis && axis.slices.filter(({ slice }) => tokensOf(slice) !== null).length > 1 ? axis : null
}

/** Quality, time to first token and cost against the length of the context; what is known of no variant at two lengths is left out. */
export function contextCurves(data: SlicesData): readonly ContextCurve[] {
  const axis = contextAxis(data)
  if (!axis) return []
  const variants = [...new Set(axis.slices.flatMap(({ levels }) => levels.map(({ variant }) => variant)))]
  return data.figures.flatMap((shown, index) => {
    if (shown.name === "e2eMs") return []
    const lines = variants.map((variant) => ({
      variant,
      points: axis.slices
        .flatMap(({ slice, levels }) => {
          const tokens = tokensOf(slice)
          const figure = levels.find((level) => level.variant === variant)?.figures[index]
          return tokens !== null && figure?.status === "known" ? [{ tokens, figure }] : []
        })
        .sort((a, b) => a.tokens - b.tokens),
    }))
    const drawn = lines.filter(({ points }) => points.length > 1)
    return drawn.length === 0 ? [] : [{ title: figureTitle(shown), unit: shown.unit, lines: drawn }]
  })
}

/** What the curves are drawn from: a row a length and variant, shortest first; null where there is no curve. */
export function contextTable(data: SlicesData): Table | null {
  const slices = contextAxis(data)?.slices.flatMap((slice) => {
    const tokens = tokensOf(slice.slice)
    return tokens === null ? [] : [{ ...slice, tokens }]
  })
  if (!slices) return null
  return {
    keys: 2,
    columns: [
      { title: "tokens" },
      { title: "variant", isText: true },
      ...data.figures.map((figure) => ({ title: figureTitle(figure) })),
    ],
    rows: slices
      .sort((a, b) => a.tokens - b.tokens)
      .flatMap(({ tokens, levels }) =>
        levels.map(({ variant, figures }) => [
          { text: count(tokens) },
          { text: variant },
          ...figures.map((figure, index) => cellOf(figure, data.figures[index]?.unit ?? null)),
        ]),
      ),
  }
}

/** Slices of a number of few values are named by the number. */
function tokensOf(slice: string): number | null {
  const tokens = Number(slice)
  return slice.trim() !== "" && Number.isFinite(tokens) && tokens > 0 ? tokens : null
}
