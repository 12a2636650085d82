import type { RunReport } from "../../src/core/report/report.ts"
import { count } from "../../src/words/number.ts"
import { quantity } from "../../src/words/quantity.ts"
import { plainText } from "../../src/words/text.ts"
import { monthlyBill } from "../wording/cost-model.ts"
import { paragraph, type TerminalOptions, terminalScreen } from "./style.ts"

/** What each variant costs a month at a volume of requests; where that is unknown, why. */
export function monthlyLines(report: RunReport, requests: number, options: TerminalOptions): string {
  const screen = terminalScreen(options)
  const lines = report.variants.map((variant) => {
    const bill = monthlyBill(variant, requests)
    return `${plainText(variant.name, 60)}: ${bill.status === "known" ? quantity(bill.value, "usd") : `unknown: ${plainText(bill.reason, 200)}`}`
  })
  const title = ` ${screen.bold(screen.text(`${count(requests)} requests a month cost`))}`
  const bills = lines.flatMap((line) => paragraph(screen, line, { margin: 4, first: "   " }))
  return `${[title, ...bills].join("\n")}\n`
}
