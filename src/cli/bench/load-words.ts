import { count, significant } from "../../../reports/format/number.ts"
import type { BenchLevel } from "../../engine/bench/measure-level.ts"

/** `closed loop, 8 in flight` or `poisson, seed 1, 20 requests a second`. */
export function loadWords({ plan, offeredRate }: Pick<BenchLevel, "plan" | "offeredRate">): string {
  if (plan.kind === "closed") return `${count(plan.concurrency)} in flight`
  return `${offeredRate === null ? "" : `${significant(offeredRate)} requests a second, `}${plan.description}`
}
