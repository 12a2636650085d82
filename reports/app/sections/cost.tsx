import { type Figure, figureValue } from "../../../src/core/figure.ts"
import type { CostFigures, VariantReport } from "../../../src/core/report.ts"
import { usd } from "../../format/quantity.ts"
import { InlineMark } from "../charts/mark.tsx"
import { usePage } from "../context.tsx"
import { FigureCell, Foreign, Section, TableFrame } from "../parts.tsx"
import { useHashState } from "../state.ts"

const initialRequests = "1000000"

/** Cost: what was spent, what an answer costs, the monthly bill at a volume that the reader sets. */
export function Cost() {
  const { report } = usePage()
  const [requests, setRequests] = useHashState("requests", initialRequests)
  const volume = Math.max(0, Math.min(1e12, Number(requests) || 0))
  if (report.variants.every((variant) => variant.cost.perQueryUsd.status === "unknown")) {
    const reason = report.variants.map((variant) => variant.cost.perQueryUsd).find((one) => one.status === "unknown")
    return (
      <Section id="cost" title="Cost">
        <p class="unknown">
          unknown: <Foreign text={reason?.status === "unknown" ? reason.reason : "no price is known"} />
        </p>
      </Section>
    )
  }
  return (
    <Section id="cost" title="Cost" lead="Failed and retried attempts are inside every amount; judges are apart.">
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
      </div>
      <TableFrame label="Cost">
        <table>
          <thead>
            <tr>
              {[
                "variant",
                "this run",
                "1,000 requests",
                "1,000 correct answers",
                "failed attempts",
                "judges",
                "a month",
                "price",
              ].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {report.variants.map((variant) => (
              <tr key={variant.name}>
                <th scope="row">
                  <InlineMark variant={variant.name} /> <Foreign text={variant.name} limit={60} />
                </th>
                {amounts(variant.cost).map((figure, index) => (
                  <td key={index}>
                    <FigureCell figure={figure} unit="usd" bare={index !== 1} />
                  </td>
                ))}
                <td>
                  <Monthly variant={variant} volume={volume} />
                </td>
                <td class="source">
                  {variant.cost.priceSource === null ? (
                    <span class="unknown">unknown</span>
                  ) : (
                    <Foreign text={variant.cost.priceSource} limit={120} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </Section>
  )
}

/** What the columns show: this run, 1,000 requests, 1,000 correct answers, failed attempts, judges. */
function amounts(cost: CostFigures): readonly Figure[] {
  const { perCorrectUsd: each } = cost
  const thousand = (value: number | null | undefined) => (value == null ? null : value * 1000)
  const correct: Figure =
    each.status === "unknown"
      ? each
      : { ...each, value: each.value * 1000, low: thousand(each.low), high: thousand(each.high) }
  return [cost.totalUsd, cost.perThousandUsd, correct, cost.failedUsd, cost.judgeUsd]
}

function Monthly({ variant, volume }: { variant: VariantReport; volume: number }) {
  const each = figureValue(variant.cost.perQueryUsd)
  return each === null ? <span class="unknown">unknown</span> : <span>{usd(each * volume)}</span>
}
