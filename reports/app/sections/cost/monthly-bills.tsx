import { figureValue } from "../../../../src/core/report/figure.ts"
import type { VariantReport } from "../../../../src/core/report/report.ts"
import { count } from "../../../../src/words/number.ts"
import { usd } from "../../../../src/words/quantity.ts"
import { plainText } from "../../../../src/words/text.ts"
import { type BreakEven, breakEvens, monthlyBill } from "../../../wording/cost-model.ts"
import { LinesChart, type Remark } from "../../charts/lines-chart.tsx"
import { staircase } from "../../charts/staircase.ts"
import { usePage } from "../../context.tsx"
import { Said } from "../../parts.tsx"
import { PartHeading } from "../../words.tsx"

/** Volumes per decade at which the bills are drawn. */
const steps = 12

/** Monthly cost against the volume, with the volumes from which own hardware is cheaper. */
export function MonthlyBills({ variants, volume }: { variants: readonly VariantReport[]; volume: number }) {
  const { report } = usePage()
  const centre = Math.max(volume, 1000)
  const volumes = Array.from({ length: 4 * steps + 1 }, (_, index) => centre * 10 ** (index / steps - 2))
  const lines = variants.map((variant) => ({
    variant: variant.name,
    points: staircase(volumes, (x) => figureValue(monthlyBill(variant, x))).filter(({ y }) => y > 0),
  }))
  const range = { low: volumes[0] as number, high: volumes.at(-1) as number }
  const pairs = breakEvens(report.variants)
  const remarks = new Map(pairs.flatMap((pair) => remark(pair, variants, range)).map((entry) => [entry.x, entry]))
  return (
    <>
      <PartHeading title="Monthly cost" />
      <LinesChart
        name="monthly"
        label={`Monthly cost against requests a month, by variant: ${pairs.map(sentence).join(" ")}`}
        lines={lines}
        x={{ title: "requests a month", unit: "count" }}
        y={{ title: "dollars a month", unit: "usd" }}
        remarks={[...remarks.values()].slice(0, 3)}
        keyed
      />
      {pairs.length === 0 ? (
        <p class="note">
          No break-even point: it needs a variant on hardware and a variant on an API that is paid by the token, both
          with a known price.
        </p>
      ) : (
        <ul class="note">
          {pairs.map((pair) => (
            <li key={`${pair.hardware} ${pair.api}`}>
              <Said text={sentence(pair)} limit={400} />
            </li>
          ))}
        </ul>
      )}
      <p class="note">
        Hardware is paid in whole units at its stated utilisation, busy or not: its bill rises in steps.
      </p>
    </>
  )
}

function sentence({ hardware, api, requests }: BreakEven): string {
  const names = `${plainText(hardware, 60)} on its hardware and ${plainText(api, 60)}`
  if (requests.status === "unknown") return `Break-even of ${names}: ${requests.reason}.`
  return `From ${count(Math.ceil(requests.value))} requests a month on, ${plainText(hardware, 60)} on its hardware is cheaper than ${plainText(api, 60)}.`
}

function remark(
  { api, requests }: BreakEven,
  variants: readonly VariantReport[],
  range: { readonly low: number; readonly high: number },
): Remark[] {
  const variant = variants.find((variantReport) => variantReport.name === api)
  const x = figureValue(requests)
  if (!variant || x === null || x < range.low || x > range.high) return []
  const y = figureValue(monthlyBill(variant, x))
  return y === null ? [] : [{ x, y, text: `hardware = ${plainText(api, 16)} at ${count(x)}, ${usd(y)}` }]
}
