import type { VariantReport } from "../../../../src/core/report/report.ts"
import { count } from "../../../../src/words/number.ts"
import { percent } from "../../../../src/words/percent.ts"
import { type CostPart, costParts } from "../../../wording/cost-model.ts"
import { DataTable } from "../../data-table.tsx"
import { FigureCell, figureStory, VariantHead } from "../../parts.tsx"
import { PartHeading } from "../../words.tsx"

/** What each variant's bill is made of: dollars, their share of the total, and the tokens behind them. */
export function CostBreakdown({ variants }: { variants: readonly VariantReport[] }) {
  const bills = variants.map((variant) => ({ variant, parts: costParts(variant) }))
  const shown = (bills[0]?.parts ?? []).filter((_, index) => bills.some(({ parts }) => hasAmount(parts[index])))
  return (
    <>
      <PartHeading title="Cost of this run by component" />
      <DataTable label="Cost by part" place="bill" headings={["variant", ...shown.map(({ title }) => title)]}>
        {bills.map(({ variant, parts }) => (
          <tr key={variant.name}>
            <VariantHead name={variant.name} />
            {shown.map(({ id }) => {
              const part = parts.find((costPart) => costPart.id === id)
              return <td key={id}>{part && <Part part={part} variant={variant} />}</td>
            })}
          </tr>
        ))}
      </DataTable>
    </>
  )
}

function Part({ part, variant }: { part: CostPart; variant: VariantReport }) {
  const total = variant.cost.totalUsd
  const share =
    part.id !== "judges" && part.usd?.status === "known" && total.status === "known" && total.value > 0
      ? percent(Math.round((part.usd.value / total.value) * 100) / 100)
      : null
  return (
    <>
      {part.usd === null ? (
        <span class="unknown">{part.id === "hardware" ? "none" : "not billed"}</span>
      ) : (
        <FigureCell figure={part.usd} unit="usd" bare />
      )}
      {share !== null && <small> {share}</small>}
      {part.tokens?.status === "known" && (
        <small class="model" title={figureStory(part.tokens, "count")}>
          {count(part.tokens.value)} tokens
        </small>
      )}
    </>
  )
}

/** Whether a part tells anything: an amount that is not nothing, or tokens. */
function hasAmount(part: CostPart | undefined): boolean {
  if (part?.tokens?.status === "known" && part.tokens.value > 0) return true
  return part?.usd?.status === "known" && (part.usd.value > 0 || part.id === "judges")
}
