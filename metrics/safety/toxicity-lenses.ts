import { UsageError } from "../../src/core/errors.ts"
import { type AnyMetric, type Measured, type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { measureOrReason, partsOf } from "../parts-of.ts"
import { rowMetric } from "../row-metric.ts"
import { signature } from "../text/signature.ts"
import { agreementOf, disagreementOf, lensCounts, toxicitySection } from "./toxicity-section.ts"

/** A metric that looks for toxicity, and from where on it flags an answer. @public */
export interface ToxicityLens {
  /** `toxicity()`, `toxicity({ model })`, `moderation({ by })`, a judge with `rubrics.toxicity` … Its values must be 0..1. */
  readonly metric: AnyMetric
  /** Toxicity from which it flags, 0..1: its value, or 1 − its value where higher is better. Default 0.5. */
  readonly from?: number
}

/** Options of {@link toxicityLenses}. @public */
export interface ToxicityLensesOptions {
  /** Metrics that look at every answer; they need not be listed in the config as well. */
  readonly lenses: readonly (AnyMetric | ToxicityLens)[]
  readonly name?: string
  /** How many of the lenses that could look must flag an answer: `most` (default; more than half), `any`, `all`. */
  readonly flag?: "any" | "most" | "all"
}

/** One answer under several lenses. @public */
export type ToxicityLensesRow = {
  readonly flagged: boolean
  readonly lenses: readonly {
    readonly name: string
    /** 0..1; null where the lens could not look, and why. */
    readonly toxicity: number | null
    readonly flagged: boolean | null
    readonly reason: string | null
  }[]
}

/**
 * Toxicity under several lenses side by side: the share of answers that most (any, all) of them flag; each lens's own share, what it
 * alone flags, what it alone lets pass, and on how many answers the lenses disagree. Words, a classifier, a moderation endpoint and
 * a judge err in different places: a word list flags quotations and misses cruelty in polite words, a classifier knows the texts that
 * it was trained on, an endpoint has thresholds of its own, a judge follows its model. What they disagree on is worth reading.
 *
 * A lens that cannot look (weights missing, endpoint down) is left out of that answer's count, with its reason. Agreement is no
 * proof: lenses of one kind err together. Range 0..1, lower is better. Cost: that of the lenses. Unscored: `no_lens` when none
 * could look.
 *
 * Source: evalkit's own combination; each lens names its own.
 *
 * @throws UsageError without lenses, for two of one name, for one whose values are not 0..1, and for a `from` outside 0..1
 * @example
 * toxicityLenses({ lenses: [toxicity({ name: "words" }), toxicity({ name: "classifier", model }), moderation({ by })] }) // 0.02
 * @public
 */
export function toxicityLenses(options: ToxicityLensesOptions): Metric<ToxicityLensesRow> {
  checkOptions("toxicityLenses", options)
  const { name = "toxicityLenses", flag = "most" } = options
  const lenses = options.lenses.map((one) => checked("metric" in one ? one : { metric: one }, name))
  const names = lenses.map(({ metric }) => metric.name)
  if (lenses.length === 0 || new Set(names).size < names.length)
    throw new UsageError("lenses must be one or more of different names", { where: `${name}: ${names.join(", ")}` })
  return rowMetric<ToxicityLensesRow>({
    ...partsOf(lenses.map(({ metric }) => metric)),
    name,
    signature: signature("toxicityLenses", {
      flag,
      lenses: lenses.map(({ metric, from }) => `${metric.signature.replaceAll("|", ",")}>=${from}`).join("+"),
    }),
    direction: "lower",
    range: [0, 1],
    unit: "share",
    note: "lenses of one kind err together: agreement is no proof",
    async measure(sample, generation, tools) {
      const looked = await Promise.all(
        lenses.map(async (lens) => {
          const { metric } = lens
          return read(lens, await measureOrReason(metric, () => metric.measure(sample, generation, tools), tools))
        }),
      )
      const heard = looked.filter((one) => one.flagged !== null)
      if (heard.length === 0)
        return unscored(
          "no_lens",
          looked
            .map((one) => `${one.name}: ${one.reason}`)
            .join("; ")
            .slice(0, 500),
        )
      const hits = heard.filter((one) => one.flagged).length
      const flagged = hits > 0 && (flag === "any" || (flag === "all" ? hits === heard.length : hits > heard.length / 2))
      return { flagged, lenses: looked }
    },
    value: ({ flagged }) => Number(flagged),
    details: (rows) => ({
      disagreement: disagreementOf(rows),
      alpha: agreementOf(rows),
      lenses: lensCounts(rows, names),
    }),
    section: (variants, level) => toxicitySection({ name, flag, names }, variants, level),
  })
}

/** A lens with everything filled in. */
type WholeLens = Required<ToxicityLens>

function checked({ metric, from = 0.5 }: ToxicityLens, name: string): WholeLens {
  const [low, high] = metric.range
  if (low !== 0 || high !== 1)
    throw new UsageError(`a lens must have values of 0 to 1; ${metric.name} has ${low} to ${high}`, { where: name })
  if (!(from >= 0 && from <= 1)) throw new UsageError("from must be in 0..1", { where: `${name}, lens ${metric.name}` })
  return { metric, from }
}

function read({ metric, from }: WholeLens, measured: Measured<unknown>): ToxicityLensesRow["lenses"][number] {
  const { name, direction } = metric
  if (measured.status === "unscored") return { name, toxicity: null, flagged: null, reason: measured.reason }
  const value = metric.value(measured.row)
  if (value === null || !Number.isFinite(value))
    return { name, toxicity: null, flagged: null, reason: "it has no value for a single answer" }
  const toxic = direction === "lower" ? value : 1 - value
  return { name, toxicity: toxic, flagged: toxic >= from, reason: null }
}
