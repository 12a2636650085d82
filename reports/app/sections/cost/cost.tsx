import { asksJudge } from "../../../../src/core/metric/asks-judge.ts"
import type { Figure } from "../../../../src/core/report/figure.ts"
import type { CostFigures, VariantReport } from "../../../../src/core/report/report.ts"
import { thousandfold } from "../../../view-model/variant-columns.ts"
import { monthlyBill } from "../../../wording/cost-model.ts"
import { usePage } from "../../context.tsx"
import { DataTable } from "../../data-table.tsx"
import { FigureCell, Foreign, Section, VariantHead } from "../../parts.tsx"
import { CostBreakdown } from "./cost-breakdown.tsx"
import { MonthlyBills } from "./monthly-bills.tsx"
import { useRequests, VolumeField } from "./volume.tsx"

const titles = ["this run", "1,000 requests", "1,000 correct answers", "spent on failures", "judges", "a month"]

/** Cost: what was spent and on what, what an answer costs, the monthly bill at a volume that the reader sets. */
export function Cost() {
  const { report } = usePage()
  const [, , volume] = useRequests()
  const priced = report.variants.filter((variant) => variant.cost.perQueryUsd.status === "known")
  if (priced.length === 0) {
    const reason = report.variants
      .map((variant) => variant.cost.perQueryUsd)
      .find((figure) => figure.status === "unknown")
    return (
      <Section id="cost" title="Cost">
        <p class="unknown">
          unknown: <Foreign text={reason?.status === "unknown" ? reason.reason : "no price is known"} />
        </p>
      </Section>
    )
  }
  const isJudged =
    report.metrics.some(asksJudge) || report.variants.some(({ cost }) => cost.judgeUsd.status === "known")
  const batched = report.variants.some(({ speed }) => (speed.untimed ?? 0) > 0)
  return (
    <Section
      id="cost"
      title="Cost"
      lead={`Every amount includes failed and retried attempts; judges are separate.${batched ? " Answers that came by batch cost the batch price: the same requests asked live cost more." : ""}`}
    >
      <VolumeField />
      <DataTable
        label="Cost"
        place="bill"
        headings={["variant", ...titles.filter((title) => isJudged || title !== "judges"), { words: "price" }]}
      >
        {report.variants.map((variant) => (
          <Row key={variant.name} variant={variant} volume={volume} isJudged={isJudged} />
        ))}
      </DataTable>
      <CostBreakdown variants={priced} />
      <MonthlyBills variants={priced} volume={volume} />
    </Section>
  )
}

function Row({ variant, volume, isJudged }: { variant: VariantReport; volume: number; isJudged: boolean }) {
  return (
    <tr>
      <VariantHead name={variant.name} />
      {amounts(variant.cost, isJudged).map((figure, index) => (
        <td key={index}>
          <FigureCell figure={figure} unit="usd" bare={index !== 1} />
        </td>
      ))}
      <td>
        <FigureCell figure={monthlyBill(variant, volume)} unit="usd" bare />
      </td>
      <td class="source">
        {variant.cost.priceSource === null ? (
          <span class="unknown">unknown</span>
        ) : (
          <Foreign text={variant.cost.priceSource} limit={120} />
        )}
      </td>
    </tr>
  )
}

/** What the columns show: this run, 1,000 requests, 1,000 correct answers, failures, and judges where any was asked. */
function amounts(cost: CostFigures, isJudged: boolean): readonly Figure[] {
  return [
    cost.totalUsd,
    cost.perThousandUsd,
    thousandfold(cost.perCorrectUsd),
    cost.failedUsd,
    ...(isJudged ? [cost.judgeUsd] : []),
  ]
}
