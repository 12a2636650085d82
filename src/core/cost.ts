/**
 * Dollars per million tokens, by class. A rate that is left out is not stated: tokens of that class make the cost unknown, with
 * what the other classes cost as a lower bound; never 0.
 * @public
 */
export interface TokenRates {
  /** Text of the prompt, and of the results of built-in tools. */
  readonly inputPerMillion: number
  /** The answer; reasoning too, where it has no rate of its own. */
  readonly outputPerMillion: number
  /** Prompt tokens read from the provider's cache. `null`: the provider charges them like any other (then they cost the input rate). */
  readonly cachedInputPerMillion?: number | null
  /** Prompt tokens written into the cache for five minutes (Anthropic: 1.25 × input). */
  readonly cacheWrite5mPerMillion?: number
  /** Prompt tokens written into the cache for one hour (Anthropic: 2 × input). */
  readonly cacheWrite1hPerMillion?: number
  /** Prompt tokens written into the cache where no lifetime is said; default: the rate of five minutes, and the other way round. */
  readonly cacheWritePerMillion?: number
  readonly audioInputPerMillion?: number
  readonly cachedAudioInputPerMillion?: number
  readonly imageInputPerMillion?: number
  readonly cachedImageInputPerMillion?: number
  readonly videoInputPerMillion?: number
  readonly cachedVideoInputPerMillion?: number
  readonly audioOutputPerMillion?: number
  readonly imageOutputPerMillion?: number
  /** Only where reasoning has a rate of its own; else it costs what the answer costs. */
  readonly reasoningPerMillion?: number
}

/** Rates of long prompts. The whole call costs these, not only what is above the limit. @public */
export interface LongPromptRates extends TokenRates {
  /** Prompts of more tokens than this, cached ones counted. */
  readonly aboveTokens: number
}

/** Rates with those of long prompts. @public */
export interface TieredRates extends TokenRates {
  readonly longPrompts?: readonly LongPromptRates[]
}

/**
 * Price per token, in US dollars per million tokens, with everything else that the service bills. What is not stated is unknown,
 * never 0.
 * @public
 */
export interface TokenPrice extends TieredRates {
  readonly kind: "tokens"
  /** Share that batch requests save, 0..1. */
  readonly batchDiscount?: number
  /**
   * Service tiers by the name that the answer states (`flex`, `priority`, `batch`): a factor on all rates per token, or rates of
   * their own. Where batches are stated here, `batchDiscount` is not used.
   */
  readonly serviceTiers?: Readonly<Record<string, number | TieredRates>>
  /** Factors on all rates per token, by the region that the answer states. */
  readonly regions?: Readonly<Record<string, number>>
  /** Factors on all rates per token, by the speed that the answer states. */
  readonly speeds?: Readonly<Record<string, number>>
  /** US dollars for one of each thing that is billed by the piece: `webSearch`, `searchUnit` … (see `Usage.units`). */
  readonly unitFees?: Readonly<Record<string, number>>
  /** US dollars for each answered request, beside its tokens. */
  readonly perRequestUsd?: number
  /** Least that an answered request costs, in US dollars. */
  readonly minimumUsd?: number
  /** Where the price was read, and when (ISO date). */
  readonly source: string
  readonly date: string
}

/**
 * What hardware carries within its objectives, all instances together, as a load test finds it. Where neither is stated, the cost of a
 * query is that at the load of the run itself. `requestsPerSecond` counts where both are stated.
 *
 * @public
 */
export interface StatedCapacity {
  readonly requestsPerSecond?: number
  /** Output tokens. */
  readonly tokensPerSecond?: number
  /**
   * Instead of both: a file that `evalkit bench --json` printed with `--slo`, from the config's folder. Its largest load within the
   * objectives counts, with its interval. In a report: what the file says.
   */
  readonly capacity?: string | MeasuredCapacity
}

/** The largest load within objectives, as a load test measured it. @public */
export interface MeasuredCapacity {
  /** The file that says so, as the config names it. */
  readonly file: string
  readonly requestsPerSecond: number
  /** Interval at 95 %; a null bound was never seen. */
  readonly low: number | null
  readonly high: number | null
  /** `ttft<800ms`; at least one. */
  readonly objectives: readonly string[]
}

/** Hardware that is paid by the hour. @public */
export interface HourlyPrice extends StatedCapacity {
  readonly kind: "hourly"
  readonly usdPerHour: number
  readonly instances: number
  /** Share of the time that it is busy, 0..1; idle time is paid too. */
  readonly utilisation: number
  readonly source: string
  readonly date: string
}

/** Hardware that one owns: purchase price over its life, plus power. @public */
export interface OwnedPrice extends StatedCapacity {
  readonly kind: "owned"
  readonly purchaseUsd: number
  readonly lifeHours: number
  readonly watts: number
  readonly usdPerKwh: number
  readonly utilisation: number
  readonly source: string
  readonly date: string
}

/** Hardware that is there anyway: only its power while it works is counted. @public */
export interface ElectricityPrice extends StatedCapacity {
  readonly kind: "electricity"
  /** Drawn while it works. */
  readonly watts: number
  readonly usdPerKwh: number
  /** Share of the time that it works, 0..1, for bills by the month. Default 1. */
  readonly utilisation?: number
  readonly source: string
  readonly date: string
}

/** What is paid for time instead of tokens. @public */
export type HardwarePrice = HourlyPrice | OwnedPrice | ElectricityPrice

/** How a variant is paid for. @public */
export type Price = TokenPrice | HardwarePrice

/** An amount, or why it cannot be known. @public */
export type Cost =
  | {
      readonly status: "known"
      readonly usd: number
      /** Parts that add up to `usd`, by name: `input`, `cachedInput`, `output`, `hardware` … */
      readonly parts: Readonly<Record<string, number>>
    }
  | {
      readonly status: "unknown"
      readonly reason: string
      /** It cost at least so much: the classes that have a rate. Absent where not even that is known. */
      readonly atLeastUsd?: number
    }
