import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult, BreakEven } from "../../../src/perf/bench/bench-result.ts"
import { count, significant } from "../../../src/words/number.ts"
import { loadWords } from "./level-words.ts"

/** What the stated traffic costs in a month at each level; nothing without one. */
export function billSentences({ levels, monthlyUsd, queriesPerMonth }: BenchResult): readonly string[] {
  if (queriesPerMonth === null || monthlyUsd === null) return []
  const sentences: string[] = []
  const unknown = new Map<string, string[]>()
  for (const [i, level] of levels.entries()) {
    const bill = monthlyUsd[i]
    if (bill?.status === "known")
      sentences.push(`${nameOf(level)}: ${count(queriesPerMonth)} queries a month cost $${significant(bill.value)}.`)
    else {
      const reason = bill?.reason ?? "not computed"
      unknown.set(reason, [...(unknown.get(reason) ?? []), nameOf(level)])
    }
  }
  return [
    ...sentences,
    ...[...unknown].map(([reason, names]) => `${names.join(", ")}: the monthly bill is unknown: ${reason}.`),
  ]
}

/** Where hardware becomes cheaper than an API that was measured beside it. */
export function breakEvenSentences({ breakEvens }: BenchResult): readonly string[] {
  return breakEvens.map(breakEvenSentence)
}

function breakEvenSentence({ machine, api, queriesPerMonth }: BreakEven): string {
  if (queriesPerMonth.status === "unknown")
    return `${nameOf(machine)} against ${nameOf(api)}: break-even: ${queriesPerMonth.reason}.`
  return `${nameOf(machine)} is cheaper than ${nameOf(api)} from ${count(Math.ceil(queriesPerMonth.value))} queries a month on.`
}

function nameOf(level: BenchLevel): string {
  return `${level.variant} (${loadWords(level)})`
}
