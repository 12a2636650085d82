import { canaryDataset } from "../../datasets/part/canary.ts"
import { limitDataset } from "../../datasets/part/limit.ts"
import { nearest } from "../core/did-you-mean.ts"
import { UsageError } from "../core/errors.ts"
import type { Budget, Evaluation } from "../core/run/evaluation.ts"
import { parseBudget } from "./budget.ts"
import { type MarginFacts, marginFaults } from "./check-ranges.ts"
import { defaults } from "./defaults.ts"

/** What the command line may change of an evaluation. @experimental */
export interface Overrides {
  /** Only the first n samples. */
  readonly limit?: number
  /** Only a seeded share of the samples, 0 < share < 1. */
  readonly canary?: number
  /** Only these variants, by name. */
  readonly variants?: readonly string[]
  readonly baseline?: string
  /** Only the baseline, and the same once more under another name: the difference of the two is noise. */
  readonly aa?: boolean
  readonly seed?: number
  readonly repeats?: number
  readonly budget?: Budget | string
  readonly concurrency?: number
  readonly cache?: boolean
  /** Ask by batch; false: live. */
  readonly batch?: boolean
  /** Share of the samples that a run by batch asks live, 0 ≤ share < 1. */
  readonly liveShare?: number
  /** Retries per request; 0 for none. */
  readonly retries?: number
  readonly margin?: number
  readonly alpha?: number
  /** Absolute folder of the store. */
  readonly directory?: string
}

/** The samples that are asked: of a canary's share the first n. */
function datasetOf({ dataset, seed }: Evaluation, { limit, canary, ...overrides }: Overrides): Evaluation["dataset"] {
  if (!dataset) return dataset
  const shared = canary === undefined ? dataset : canaryDataset(dataset, canary, overrides.seed ?? seed)
  return limit === undefined ? shared : limitDataset(shared, limit)
}

/**
 * The evaluation with the command line's options in place of the config's. What is absent stays as it was. A baseline
 * that `variants` leaves out is replaced by the first variant that remains.
 *
 * @throws UsageError for an unknown variant or baseline, or a number out of range; it names the option.
 * @example applyOverrides(evaluation, { limit: 20, variants: ["q8"] })
 * @experimental
 */
export function applyOverrides(evaluation: Evaluation, overrides: Overrides): Evaluation {
  const { limit, repeats, concurrency, retries, alpha, margin } = overrides
  wholeNumber("--limit", limit, 1)
  wholeNumber("--repeats", repeats, 1)
  wholeNumber("--concurrency", concurrency, 1)
  wholeNumber("--retries", retries, 0)
  wholeNumber("--seed", overrides.seed, Number.MIN_SAFE_INTEGER)
  if (alpha !== undefined && !(alpha > 0 && alpha < 1)) throw outOfRange("--alpha", "a number between 0 and 1", alpha)
  if (margin !== undefined && !(margin >= 0)) throw outOfRange("--margin", "a number at least 0", margin)
  if (margin !== undefined) refuseWideMargin({ ...evaluation, margin, marginKind: "unit" })
  const { batch, liveShare } = overrides
  if (liveShare !== undefined && !(liveShare >= 0 && liveShare < 1))
    throw outOfRange("--live-share", "a number from 0 up to, but not including, 1", liveShare)
  if (liveShare !== undefined && !(batch ?? evaluation.batch))
    throw new UsageError("--live-share needs --batch", { hint: "add --batch, or leave --live-share out" })
  const names = evaluation.variants.map((variant) => variant.name)
  for (const name of overrides.variants ?? []) knownVariant("--variant", name, names)
  const variants = overrides.variants
    ? evaluation.variants.filter((variant) => overrides.variants?.includes(variant.name))
    : evaluation.variants
  const kept = variants.map((variant) => variant.name)
  if (overrides.baseline !== undefined) knownVariant("--baseline", overrides.baseline, kept)
  const baseline = overrides.baseline ?? evaluation.baseline
  if (overrides.aa) return withItself(applyOverrides(evaluation, { ...overrides, aa: false }), evaluation.variants)
  const { budget } = overrides
  const { batch: before, ...rest } = evaluation
  const asked = batch === false ? undefined : (before ?? (batch ? defaults.batch : undefined))
  return {
    ...rest,
    ...(asked && { batch: { ...asked, liveShare: liveShare ?? asked.liveShare } }),
    variants,
    dataset: datasetOf(evaluation, overrides),
    baseline: baseline !== null && kept.includes(baseline) ? baseline : (kept[0] ?? null),
    seed: overrides.seed ?? evaluation.seed,
    repeats: repeats ?? evaluation.repeats,
    concurrency: concurrency ?? evaluation.concurrency,
    retry: { ...evaluation.retry, retries: retries ?? evaluation.retry.retries },
    budget: typeof budget === "string" ? parseBudget(budget, "--budget") : (budget ?? evaluation.budget),
    cache: overrides.cache ?? evaluation.cache,
    alpha: alpha ?? evaluation.alpha,
    margin: margin ?? evaluation.margin,
    marginKind: margin === undefined ? evaluation.marginKind : "unit",
    directory: overrides.directory ?? evaluation.directory,
  }
}

/** The baseline against itself, asked twice: no answer may come from the cache. Its rules are of other variants, and are left out. */
function withItself(
  { variants, baseline, pairMetrics, ...evaluation }: Evaluation,
  all: Evaluation["variants"],
): Evaluation {
  const own = variants.find(({ name }) => name === baseline)
  if (!own) throw new UsageError("--aa needs a variant", { hint: "the config has none" })
  if (own.provider.traits?.isRecord)
    throw new UsageError("--aa cannot measure noise of recorded answers", {
      where: `variant ${own.name}`,
      hint: "a record gives the same answers and times again; choose a variant that is asked with --variant",
    })
  // Metrics of pairs ask for log-probabilities: only where they do so in a run of all variants, or it would be another baseline.
  const isFamily = all.filter(({ provider }) => provider.model === own.provider.model).length > 1
  return {
    ...evaluation,
    pairMetrics: isFamily ? pairMetrics : [],
    variants: [own, { ...own, name: `${own.name} again` }],
    baseline,
    cache: false,
    gate: [],
  }
}

/** @throws {UsageError} for a `--margin` that makes every loss "not worse" */
export function refuseWideMargin(facts: MarginFacts): void {
  const [fault] = marginFaults("--margin", facts)
  if (fault !== undefined) throw new UsageError(fault, { code: "option_invalid" })
}

function wholeNumber(option: string, value: number | undefined, min: number): void {
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= min))
    throw outOfRange(
      option,
      min === Number.MIN_SAFE_INTEGER ? "a whole number" : `a whole number at least ${min}`,
      value,
    )
}

function outOfRange(option: string, expected: string, got: number): UsageError {
  return new UsageError(`${option} expects ${expected}, got ${got}`, { code: "option_invalid" })
}

/** @throws {UsageError} unless a variant of the config has the name */
export function knownVariant(option: string, name: string, names: readonly string[]): void {
  if (names.includes(name)) return
  const meant = nearest(name, names)
  throw new UsageError(`there is no variant "${name}"`, {
    code: "variant_unknown",
    where: option,
    hint: meant ? `did you mean "${meant}"?` : `the config has: ${names.join(", ") || "none"}`,
  })
}
