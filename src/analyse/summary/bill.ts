import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { Variant } from "../../core/variant.ts"
import { costOfGeneration } from "../../cost/cost-of-usage.ts"
import { isHardwarePrice } from "../../cost/hardware.ts"
import { repriced } from "../../cost/price-answer.ts"

type BillStore = Pick<RunStore, "generations" | "attempts" | "modelCalls">

/** What was paid for one variant, in US dollars; null where a price is not known. */
export interface VariantBill {
  readonly variant: string
  /** Answers that were asked for in the run. */
  readonly answers: number
  /** Those answers with their failed attempts, and attempts of calls that have no answer. */
  readonly answersUsd: number | null
  /** What metrics, simulated users and summaries asked on behalf of them. */
  readonly othersUsd: number | null
}

/**
 * What a run was charged by the token, variant by variant, at the prices that the variants have. Answers of a cache or a record cost
 * nothing; hardware that is paid by the hour is not on the bill.
 */
export function runBill(store: BillStore, record: Pick<RunRecord, "id">, variants: readonly Variant[]): VariantBill[] {
  const add = (sum: number | null, usd: number | null) => (sum === null || usd === null ? null : sum + usd)
  const others = new Map<string, number | null>()
  for (const { variant, costUsd } of store.modelCalls(record.id))
    others.set(variant, add(others.get(variant) ?? (others.has(variant) ? null : 0), costUsd))
  const attempts = [...store.attempts(record.id)]
  return variants.map((variant) => {
    const { name, price } = variant
    let [answers, answersUsd]: [number, number | null] = [0, 0]
    for (const generation of store.generations(record.id, name)) {
      if (generation.source !== "measured" && generation.source !== "batch") continue
      answers++
      if (isHardwarePrice(price)) continue
      const { cost } = repriced(generation, variant)
      answersUsd = add(answersUsd, cost.status === "known" ? cost.usd : null)
    }
    for (const { variant: of, attempt } of isHardwarePrice(price) ? [] : attempts) {
      if (of !== name) continue
      const cost = costOfGeneration({ ...attempt, retries: [] }, price)
      answersUsd = add(answersUsd, cost.status === "known" ? cost.usd : null)
    }
    const othersUsd = others.has(name) ? (others.get(name) ?? null) : 0
    return { variant: name, answers, answersUsd, othersUsd }
  })
}

/** The sum of a bill; null where a part of it is not known. */
export function billTotal(bill: readonly VariantBill[]): number | null {
  return bill.reduce<number | null>(
    (sum, { answersUsd, othersUsd }) =>
      sum === null || answersUsd === null || othersUsd === null ? null : sum + answersUsd + othersUsd,
    0,
  )
}

/** What a run will about cost, and the run that says so. */
export interface BillForecast {
  readonly run: string
  readonly usd: number
}

/**
 * What a run will about cost: what an answer of each variant cost in the newest run of the same name that asked them all, with its retries,
 * failures and judges, at the prices of now.
 *
 * @param answers answers of each variant that are to be asked for
 * @returns null without such a run, or where its costs are not known
 */
export function forecastBill(
  store: BillStore & Pick<RunStore, "runs">,
  { name, variants }: Pick<Evaluation, "name" | "variants">,
  answers: number,
): BillForecast | null {
  const asked = variants.filter(({ provider }) => !provider.traits?.isRecord)
  if (asked.length === 0) return null
  const earlier = store
    .runs()
    .find((run) => run.name === name && asked.every((own) => run.variants.some((variant) => variant.name === own.name)))
  if (!earlier) return null
  let usd = 0
  for (const bill of runBill(store, earlier, variants)) {
    const isRecord = !asked.some((own) => own.name === bill.variant)
    const total = billTotal([bill])
    const of = isRecord ? recordAnswers(store, earlier.id, bill.variant) : bill.answers
    if (total === null || (of === 0 && !isRecord)) return null
    usd += of === 0 ? 0 : (total / of) * answers
  }
  return { run: earlier.id, usd }
}

/** Answers of a record, whose judging is paid for. */
function recordAnswers(store: BillStore, run: string, variant: string): number {
  let count = 0
  for (const _ of store.generations(run, variant)) count++
  return count
}
