import type { Figure } from "../../../../src/core/report/figure.ts"
import type { CostFigures, VariantReport } from "../../../../src/core/report/report.ts"
import { count } from "../../../../src/words/number.ts"
import { monthlyBill } from "../../../wording/cost-model.ts"
import { asksJudge } from "../../../wording/whole-failure.ts"
import { usePage } from "../../context.tsx"
import { FigureCell, Foreign, Section, TableFrame, VariantHead } from "../../parts.tsx"
import { useHashState } from "../../state.ts"
import { ColumnHead } from "../../words.tsx"
import { CostBreakdown } from "./cost-breakdown.tsx"
import { MonthlyBills } from "./monthly-bills.tsx"

const initialRequests = "1000000"
const mostRequests = 1e12

const titles = [
  "this run",
  "1,000 requests",
  "1,000 correct answers",
  "spent on failures",
  "judges",
  "a month",
  "price",
] as const

/** Cost: what was spent and on what, what an answer costs, the monthly bill at a volume that the reader sets. */
export function Cost() {
  const { report } = usePage()
  const [requests, setRequests] = useHashState("requests", initialRequests)
  const volume = Math.max(0, Math.min(mostRequests, Number(requests) || 0))
  const isMeant = requests.trim() !== "" && Number(requests) === volume
  const priced = report.variants.filter((variant) => variant.cost.perQueryUsd.status === "known")
  if (priced.length === 0) {
    const reason = report.variants.map((variant) => variant.cost.perQueryUsd).find((one) => one.status === "unknown")
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
      <div class="controls">
        <label class="choice">
          <span>requests a month</span>
          <input
            type="number"
            min="0"
            step="1000"
            value={requests}
            onInput={(event) => setRequests(event.currentTarget.value)}
          />
        </label>
        <span class="note" role="status">
          {isMeant
            ? ""
            : `The bills are those of ${count(volume)} requests: type a number from 0 to ${count(mostRequests)}.`}
        </span>
      </div>
      <TableFrame label="Cost">
        <table>
          <thead>
            <tr>
              <ColumnHead title="variant" />
              {titles
                .filter((title) => isJudged || title !== "judges")
                .map((title) => (
                  <ColumnHead key={title} title={title} place="bill" class={title === "price" ? "source" : undefined} />
                ))}
            </tr>
          </thead>
          <tbody>
            {report.variants.map((variant) => (
              <Row key={variant.name} variant={variant} volume={volume} isJudged={isJudged} />
            ))}
          </tbody>
        </table>
      </TableFrame>
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
  const { perCorrectUsd: each } = cost
  const thousand = (value: number | null | undefined) => (value == null ? null : value * 1000)
  const correct: Figure =
    each.status === "unknown"
      ? each
      : { ...each, value: each.value * 1000, low: thousand(each.low), high: thousand(each.high) }
  return [cost.totalUsd, cost.perThousandUsd, correct, cost.failedUsd, ...(isJudged ? [cost.judgeUsd] : [])]
}
