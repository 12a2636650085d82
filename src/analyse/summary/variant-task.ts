import type { Price } from "../../core/cost.ts"
import type { Figure } from "../../core/report/figure.ts"
import type { EnergyFactors } from "../../core/run/energy-factors.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { VariantState } from "../../core/run/run-record.ts"
import type { Variant } from "../../core/variant.ts"
import { findContextWindow, listPrice } from "../../cost/price-book.ts"
import type { ContextWindow } from "../../perf/context-use.ts"
import { logprobRemarks } from "../../run/logprob-remarks.ts"
import { methods } from "../../wording/methods.ts"

/** What of a variant is to be measured, and by what: plain values, so that any thread can be told. */
export interface VariantTask {
  readonly runId: string
  readonly variant: string
  /** Names of the metrics. */
  readonly metrics: readonly string[]
  /** The metric whose value says how right an answer is, 0..1; null: none does. */
  readonly correctBy: string | null
  readonly planned: number
  readonly alpha: number
  /** See `Evaluation.timeLimitMs`. */
  readonly timeLimitMs?: number
  readonly parameters: Variant["parameters"]
  readonly price: Price | null
  /** Prices of the providers that the variant asks in turn, by their labels; absent where it asks one, or has a price of its own. */
  readonly memberPrices?: ReadonlyMap<string, Price | null>
  readonly judgeUsd: Figure
  readonly energy?: EnergyFactors
  readonly state: VariantState | null
  readonly contextWindow: ContextWindow | null
  /** What is said of how it was asked. */
  readonly remarks: readonly string[]
  /** When the run began, ISO 8601: how old its price was then. */
  readonly startedAt: string
}

/** What a {@link VariantTask} is made of besides its variant. */
export interface TaskOptions extends Pick<VariantTask, "runId" | "planned" | "judgeUsd" | "startedAt" | "state"> {
  readonly evaluation: Evaluation
}

/** The task of a variant. */
export function variantTask(variant: Variant, { evaluation, ...options }: TaskOptions): VariantTask {
  const primary = evaluation.metrics.find(({ name }) => name === evaluation.primary[0])
  const isShare = primary?.direction === "higher" && primary.range[0] === 0 && primary.range[1] === 1
  return {
    ...options,
    variant: variant.name,
    metrics: evaluation.metrics.map(({ name }) => name),
    correctBy: isShare ? primary.name : null,
    alpha: evaluation.alpha,
    ...(evaluation.timeLimitMs !== undefined && { timeLimitMs: evaluation.timeLimitMs }),
    parameters: variant.parameters,
    price: variant.price,
    ...memberPrices(variant),
    ...(evaluation.energy && { energy: evaluation.energy }),
    contextWindow: contextWindowOf(variant, options.state),
    remarks: logprobRemarks(variant),
  }
}

/** As its server stated it while it ran, else the price book's. */
function contextWindowOf({ provider }: Variant, state: VariantState | null): ContextWindow | null {
  const tokens = state?.resources?.contextTokens
  if (tokens) return { tokens, source: methods.asServerStates }
  return findContextWindow(provider.endpoint, provider.model) ?? findContextWindow(provider.kind, provider.model)
}

/** The prices of the providers that a variant asks in turn; none where it asks one, or has a price of its own. */
function memberPrices({ price, provider }: Variant): Pick<VariantTask, "memberPrices"> {
  const members = price === null ? (provider.traits?.members ?? []) : []
  return members.length === 0
    ? {}
    : { memberPrices: new Map(members.map((member) => [member.label, listPrice(member)])) }
}
