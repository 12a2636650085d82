import type { GateResult } from "../../src/core/report/decision.ts"
import type { RunDifference } from "../../src/core/report/frozen-plan.ts"
import type { Receipt, ReceiptCandidate, ReceiptDifference } from "../../src/core/report/receipt.ts"
import { dayWords } from "../../src/words/day.ts"
import { counted } from "../../src/words/number.ts"
import { changeWords } from "./frozen-plan.ts"
import { candidateWords, keyName, receiptDifferenceWords } from "./receipt.ts"

const dayMs = 86_400_000

/** What is asked of a receipt, and what was found. */
export interface ReceiptGate {
  readonly candidates: readonly ReceiptCandidate[]
  /** How data set and variants differ from those of now. */
  readonly changes: readonly RunDifference[]
  readonly signature: readonly ReceiptDifference[]
  /** Milliseconds since 1970. */
  readonly now: number
  /** Most age of the run, in milliseconds; null: any. */
  readonly maxAgeMs: number | null
}

/** The rules of a gate on a receipt, each with how it ended. The age is that of the run, whenever the receipt was written. */
export function receiptRules(receipt: Receipt, gate: ReceiptGate): readonly GateResult[] {
  const { baseline, run, signature } = receipt
  const variant = gate.candidates.map(({ candidate }) => candidate).join(", ")
  const rule = (rule: string, isKept: boolean, message: string): GateResult => ({
    rule,
    figure: "receipt",
    variant,
    message: isKept ? message : `stale: ${message}`,
    status: isKept ? "passed" : "failed",
  })
  const ended = run.finishedAt ?? run.startedAt
  const ageMs = gate.now - Date.parse(ended)
  const age = `its run ended on ${dayWords(ended)}, ${counted(Math.floor(ageMs / dayMs), "day")} ago`
  const signed = signature === null ? "not signed" : `signed by ${keyName(signature.publicKey)}`
  return [
    ...gate.candidates.map(
      (receiptCandidate): GateResult => ({
        rule: "receipt of a swap",
        figure: "receipt",
        variant: receiptCandidate.candidate,
        status: statusOf(receiptCandidate),
        message: candidateWords(receiptCandidate, baseline),
      }),
    ),
    ...(gate.maxAgeMs === null
      ? []
      : [rule(`younger than ${counted(gate.maxAgeMs / dayMs, "day")}`, ageMs >= 0 && ageMs < gate.maxAgeMs, age)]),
    rule(
      "data set, prompts and models as now",
      gate.changes.length === 0,
      gate.changes.length === 0 ? "unchanged" : gate.changes.map(changeWords).join("; "),
    ),
    {
      rule: "signature",
      figure: "receipt",
      variant,
      status: gate.signature.length === 0 ? "passed" : "failed",
      message: gate.signature.length === 0 ? signed : gate.signature.map(receiptDifferenceWords).join("; "),
    },
  ]
}

function statusOf({ verdict }: ReceiptCandidate): GateResult["status"] {
  if (verdict === "swap") return "passed"
  return verdict === "inconclusive" ? "inconclusive" : "failed"
}
