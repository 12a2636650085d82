import { type BillForecast, billTotal, type VariantBill } from "../../analyse/summary/bill.ts"
import { percentChange } from "../../words/percent.ts"
import { usd } from "../../words/quantity.ts"

/**
 * What a run was charged, beside what was forecast for it, as one line; empty where nothing was paid.
 *
 * @param priceCommand gives the run prices that were stated after it
 */
export function billLine(bill: readonly VariantBill[], forecast: BillForecast | null, priceCommand: string): string {
  const paid = billTotal(bill)
  if (paid === null)
    return forecast
      ? `the bill is not known, because a price is not (state it in the config, then: ${priceCommand}); forecast ${usd(forecast.usd)}`
      : ""
  if (paid === 0 && !forecast) return ""
  const others = bill.reduce((sum, { othersUsd }) => sum + (othersUsd ?? 0), 0)
  const part = others === 0 ? "" : `, ${usd(others)} of it for what metrics and simulated users asked`
  return `paid ${usd(paid)}${part}${forecast ? `; ${forecastText(paid, forecast)}` : ""}`
}

function forecastText(paid: number, { run, usd: forecast }: BillForecast): string {
  const share = forecast === 0 ? null : paid / forecast - 1
  const off = share === null ? "" : ` (${percentChange(share)})`
  return `forecast from run ${run}: ${usd(forecast)}${off}`
}
