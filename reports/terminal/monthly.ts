import type { RunReport } from "../../src/core/report/report.ts"
import { count } from "../../src/words/number.ts"
import { quantity } from "../../src/words/quantity.ts"
import { plainText } from "../../src/words/text.ts"
import { monthlyBill } from "../wording/cost-model.ts"
import { type TerminalOptions, terminalStyle, wrap } from "./style.ts"

/** What each variant costs a month at a volume of requests; where that is unknown, why. */
export function monthlyLines(report: RunReport, requests: number, options: TerminalOptions): string {
  const style = terminalStyle(options)
  const lines = report.variants.map((variant) => {
    const bill = monthlyBill(variant, requests)
    return `${plainText(variant.name, 60)}: ${bill.status === "known" ? quantity(bill.value, "usd") : `unknown: ${plainText(bill.reason, 200)}`}`
  })
  const title = ` ${style.bold(style.text(`${count(requests)} requests a month cost`))}`
  const wrapped = lines.flatMap((line) => wrap(style.text(line), options.columns - 4, options.unicode))
  return `${[title, ...wrapped.map((line) => `   ${line}`)].join("\n")}\n`
}
