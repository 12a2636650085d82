import type { VariantReport } from "../../../../src/core/report/report.ts"
import { figureText } from "../../../../src/words/figure.ts"
import { plainText } from "../../../../src/words/text.ts"
import type { VariantColumn } from "../../../view-model/variant-columns.ts"
import { InlineMark } from "../../charts/mark.tsx"
import { colourClass, usePage } from "../../context.tsx"
import { FigureCell, Foreign } from "../../parts.tsx"
import { Explained } from "../../words.tsx"

/** The plain view: for each figure a bar per variant, the best first, with its interval; no axes to read. */
export function RankedBars({ columns }: { columns: readonly VariantColumn[] }) {
  return (
    <div class="ranked">
      {columns.map((column) => (
        <Ranking key={column.id} column={column} />
      ))}
    </div>
  )
}

function Ranking({ column }: { column: VariantColumn }) {
  const page = usePage()
  const ranked = rankedVariants(column, page.report.variants)
  const scale = barScale(column, page.report.variants)
  return (
    <section class="ranking" aria-label={plainText(column.title)}>
      <h3>
        <Explained word={column.id}>{column.title.replace(" p50/p99", ", median")}</Explained>
        <small>{column.goal === "maximize" ? " more is better" : " less is better"}</small>
      </h3>
      <ol>
        {ranked.map((variant) => {
          const figure = column.figure(variant)
          return (
            <li key={variant.name}>
              <span class="who">
                <InlineMark variant={variant.name} /> <Foreign text={variant.name} limit={60} />
              </span>
              <span class="what">
                <FigureCell figure={figure} unit={column.unit} />
              </span>
              {figure.status === "known" && (
                <svg
                  class={`bar ${colourClass(page, variant.name)}`}
                  viewBox="0 0 100 12"
                  preserveAspectRatio="none"
                  aria-hidden="true"
                >
                  <title>{figureText(figure, column.unit)}</title>
                  <rect y="2" width={scale(figure.value)} height="8" />
                  {figure.low != null && figure.high != null && (
                    <path
                      class="interval"
                      d={`M${scale(figure.low)} 3V9M${scale(figure.low)} 6H${scale(figure.high)}M${scale(figure.high)} 3V9`}
                    />
                  )}
                </svg>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/** Variants in the order of a figure, the best first; those without it last, in the order of the run. */
export function rankedVariants(column: VariantColumn, variants: readonly VariantReport[]): readonly VariantReport[] {
  const sign = column.goal === "maximize" ? -1 : 1
  const key = (variant: VariantReport) => {
    const figure = column.figure(variant)
    return figure.status === "known" ? sign * figure.value : Number.POSITIVE_INFINITY
  }
  const keys = new Map(variants.map((variant) => [variant, key(variant)]))
  return variants.toSorted((a, b) => {
    const [x, y] = [keys.get(a) as number, keys.get(b) as number]
    return x === y ? 0 : x - y
  })
}

/** From a value to per cent of the bar's room; all bars of a figure begin at zero and share one scale. */
function barScale(column: VariantColumn, variants: readonly VariantReport[]): (value: number) => number {
  const ends = variants.flatMap((variant) => {
    const figure = column.figure(variant)
    return figure.status === "known" ? [figure.value, figure.high ?? figure.value] : []
  })
  const max = Math.max(...ends, 0)
  return (value) => (max > 0 ? Math.round(Math.min(1, Math.max(0, value / max)) * 1000) / 10 : 0)
}
