import type { Evaluation } from "../core/run/evaluation.ts"
import { levelText } from "../words/percent.ts"

export function guaranteeOf({ alpha }: Evaluation, looks: readonly number[]): string {
  const times = looks.length === 1 ? "one look was planned" : `${looks.length} looks were planned beforehand`
  return `With probability at least ${levelText(alpha)} no candidate is called as good that is not: ${times}, and together they spend the error rate once.`
}
