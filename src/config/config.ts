import type { CriticalSamples } from "../../datasets/mark-critical.ts"
import type { Price } from "../core/cost.ts"
import type { Dataset } from "../core/dataset.ts"
import type { EpisodeDesign } from "../core/episode/design.ts"
import type { JsonObject } from "../core/json.ts"
import type { ToolDefinition } from "../core/message.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import type { PairMetric } from "../core/metric/pair-metric.ts"
import type { GenerationParameters, Provider, Timeouts } from "../core/provider.ts"
import type { ReportRenderer } from "../core/report/report-renderer.ts"
import type { EnergyFactors } from "../core/run/energy-factors.ts"
import type { Budget, GateRule, HardBreak, RetryPolicy } from "../core/run/evaluation.ts"
import type { StoreSource } from "../core/run/store-source.ts"
import type { Prompt, SweepPlace, VariantLimits } from "../core/variant.ts"

/** One thing that is compared, as a config writes it. @public */
export interface VariantConfig {
  /** Unique; letters, digits, `.`, `_`, `-`. Default: the provider's label, with other characters replaced by `-`. */
  readonly name?: string
  /** Where its answers come from: `openai({...})`, `local({...})`, `command({...})`, `recorded({...})`. */
  readonly provider: Provider
  /** A template such as `"Translate: {{input}}"`, or `prompt(...)`. Default: the sample's input as it is. */
  readonly prompt?: Prompt | string
  /** Sampling parameters; what is absent is left to the endpoint. Default: `{}`. */
  readonly parameters?: GenerationParameters
  /**
   * What its tokens or its hardware cost; `null` means unknown, and it stays unknown in every figure.
   * Default: the provider's own price, else the price book's for exactly this service and model, else `null`.
   */
  readonly price?: Price | null
  /** Requests and tokens per minute, requests in flight. Default: none beyond the config's `concurrency`. */
  readonly limits?: VariantLimits
  /** Tools offered to the model, and not called: those that are called stand in `episode`. Default: none. */
  readonly tools?: readonly ToolDefinition[]
  /** How it goes through conversations and loops over tools: `episode({ tools, maxSteps })`. Default: turns of a conversation, no tools. */
  readonly episode?: EpisodeDesign
  /** Where it stands in a sweep; `sweep(…)` sets it. Default: in none. */
  readonly sweep?: SweepPlace
}

/**
 * What `eval.config.ts` exports. Only `metrics` is needed for `evalkit score`; `evalkit run` needs `dataset` and `variants`.
 * @public
 */
export interface EvaluationConfig {
  /** Name of the evaluation, in reports and lists. Default: the name of the config's folder. */
  readonly name?: string
  /** The samples: `dataset("questions.jsonl", {...})`, a path or URL alone, or rows. Default: none. */
  readonly dataset?: Dataset | string | readonly JsonObject[]
  /** What is compared, at least one for a run. Default: none. */
  readonly variants?: readonly VariantConfig[]
  /** Metric values such as `exactMatch()`; their names must differ. Default: none. */
  readonly metrics?: readonly AnyMetric[]
  /** How a variant's answers differ from the baseline's, token by token. Default: `[divergence()]`. */
  readonly pairMetrics?: readonly PairMetric[]
  /** Metrics that decide, in order; the first is the quality axis. Default: the first metric. */
  readonly primary?: string | readonly string[]
  /** The variant that the others are compared with. Default: the first variant. */
  readonly baseline?: string
  /**
   * Largest loss of a primary metric that still counts as "not worse", in the metric's own unit. Default: 2 % of the metric's
   * range (2 points of a rate, 2 of BLEU), and where it has no two ends 2 % of the baseline's own figure (of a perplexity).
   */
  readonly margin?: number
  /**
   * What an answer that failed (error, refusal, token limit spent on reasoning) or has no score counts as where the other
   * side has a score: `"worst"`, the worst value of the metric's range, or `"drop"`, which leaves the pair out. Default: `"worst"`.
   */
  readonly missing?: "worst" | "drop"
  /** Smallest saving of cost, time or size that is worth a swap, as a share of the baseline's. Default: 0.05. */
  readonly smallestGain?: number
  /**
   * Longest that a caller may wait for the end of an answer, retries included, in milliseconds: `availability` counts an answer that
   * came later as missing. Default: no limit.
   */
  readonly timeLimitMs?: number
  /**
   * Ids of earlier runs in the same store that asked more of the same items: how hard they found them narrows the paired
   * differences, by as much as it explains. Default: none, since a verdict should not depend on what else lies in a store.
   */
  readonly difficultyFrom?: readonly string[]
  /**
   * Samples that must not break, besides those whose row says `critical: true`: a function that is true of them, or fields with their
   * values, `{ topic: ["refunds", "safety"] }`. None may go from right to wrong between the baseline and a candidate. Default: none.
   */
  readonly critical?: CriticalSamples
  /**
   * Checks that cap the verdict before any average: names of metrics, `["jsonMatch"]`, or with limits and a number that may break,
   * `{ metric: "words", max: 200, allowed: 2 }`. A sample whose answer breaks one with a candidate and not with the baseline forbids the
   * swap; without `min` and `max` an answer keeps a check by the metric's best value alone. Default: none.
   */
  readonly breaks?: readonly (string | HardBreak)[]
  /**
   * By what the report cuts the samples into slices, to show which of them moved: `promptLength` and `answerLength` (the baseline's)
   * in quartiles, `script` (Latin, Cyrillic, Han …), `group`, `difficulty` (what other variants scored in earlier runs of the store,
   * or in those of `difficultyFrom`), and fields of the samples by their names (`metadata.difficulty` for a field with one of these
   * names). `[]`: no slices. Default: `promptLength`, `group`, and the first eight fields that have 2 to 20 values.
   */
  readonly slices?: readonly string[]
  /**
   * What a kilowatt-hour costs and emits where the models run, and where the numbers are from:
   * `{ usdPerKwh: 0.31, gramsCo2PerKwh: 380, source: "bill of March 2026; grid operator, 2025" }`. Measured energy then becomes
   * electricity cost and grams of CO2 equivalent. Default: none, and those figures are unknown.
   */
  readonly energy?: EnergyFactors
  /** Two-sided error rate of intervals and tests, 0 < alpha < 1. Default: 0.05. */
  readonly alpha?: number
  /** Answers per sample and variant. Default: 1. */
  readonly repeats?: number
  /** Seed of everything random: order, bootstrap, samples. Default: 1. */
  readonly seed?: number
  /** Requests in flight over all variants, at most; the adaptive limit moves below it. Default: 8. */
  readonly concurrency?: number
  /** Milliseconds before a request is abandoned. Default: connect 10,000, first token 60,000, gap 30,000, total 300,000. */
  readonly timeouts?: Partial<Timeouts>
  /**
   * How failed attempts are tried again: a policy, a number of retries, or `false` for none.
   * Default: `{ retries: 3, baseDelayMs: 500, maxDelayMs: 60_000 }`.
   */
  readonly retry?: Partial<RetryPolicy> | number | false
  /**
   * What a run may use before it stops: an object, or texts such as `"5usd"`, `"2M tokens"`, `"500 requests"`,
   * `"30min"`, joined by commas. Default: no limit.
   */
  readonly budget?: Budget | string
  /**
   * Ask through the services' batch interfaces, at their lower price and within hours: `true`, or with the share of the samples that is
   * asked live for their latency (the same samples of every variant; default 0) and the longest wait between two looks at a batch
   * (default 60 seconds). Variants whose provider has no such interface, and judges, are asked live. Default: false.
   */
  readonly batch?: boolean | { readonly liveShare?: number; readonly pollSeconds?: number }
  /** Answer identical requests from the store; such answers never enter a latency figure. Default: false. */
  readonly cache?: boolean
  /**
   * Axes of the frontier: `quality`, a metric's name, `ttftMs`, `e2eMs`, `e2eMs.p95` (of episodes: of the whole episode), `tpotMs`, `costUsd`,
   * `perCorrectUsd` (dollars per correct answer, or per solved task), `memoryBytes` … Default: `["quality", "e2eMs", "costUsd"]`.
   */
  readonly axes?: readonly string[]
  /** What a variant must meet to be chosen: `"p95 TTFT < 800 ms"`, `"cost < 2 USD per 1,000"`. Default: none. */
  readonly constraints?: readonly string[]
  /** Rules that decide the exit code of `evalkit run`, over a metric's name or a report's figure. Default: none. */
  readonly gate?: readonly GateRule[]
  /**
   * What `evalkit run` writes beside the store, as `reports/RUN.EXTENSION`: `renderers.html()`, `renderers.junit()` …, or an object
   * of your own with `{ name, extension, binary, render }`. `evalkit report --format` knows them by their names.
   * Default: `[renderers.html()]`.
   */
  readonly reports?: readonly ReportRenderer[]
  /** Where runs are kept: `postgres(url)`, the store of a team. Default: EVALKIT_STORE where it is set, else a file in `directory`. */
  readonly store?: StoreSource
  /** Folder of the store and the reports; relative to the config. Default: `.evalkit`. */
  readonly directory?: string
}

/** Makes a config when it is loaded. @public */
export type ConfigFunction = () => EvaluationConfig | Promise<EvaluationConfig>

/**
 * Gives a config its type, so that an editor completes and documents every field. Does nothing else: the values are
 * checked when the file is loaded.
 *
 * @example
 * export default defineConfig({
 *   dataset: dataset("questions.jsonl"),
 *   variants: [variant({ name: "f16", provider: local("model.gguf") })],
 *   metrics: [exactMatch()],
 * })
 * @public
 */
export function defineConfig(config: EvaluationConfig): EvaluationConfig
export function defineConfig(config: ConfigFunction): ConfigFunction
export function defineConfig(config: EvaluationConfig | ConfigFunction): EvaluationConfig | ConfigFunction {
  return config
}

/** Gives one variant its type; a plain object does as well. @public */
export function variant(config: VariantConfig): VariantConfig {
  return config
}
