import type { RunReport } from "../../src/core/report/report.ts"
import type { AdvisedCommand } from "./advised-command.ts"
import type { Advice } from "./whole-failure.ts"

/** How a stored run gets the prices that a limit or a rule of its costs lacks; null where it lacks none. */
export function priceAdvice({ run, variants, gate }: RunReport): Required<Advice> | null {
  const rules = gate.filter(({ status, figure }) => status === "inconclusive" && figure === "costUsd")
  const unpriced = variants.filter(({ name, cost, limits = [] }) => {
    const isAsked =
      rules.some(({ variant }) => variant === name) ||
      limits.some(({ figure, state }) => figure === "costUsd" && state === "unknown")
    return isAsked && cost.priceSource === null && cost.totalUsd.status === "unknown"
  })
  if (unpriced.length === 0) return null
  const command: AdvisedCommand = { name: "price", words: [run.id] }
  return {
    words: `No price is known of ${unpriced.map(({ name }) => name).join(", ")}: state it in the config, then:`,
    command,
  }
}
