import { openScoring } from "../../bench/scoring.ts"
import { benchSamples, endpointTarget, type PlannedTarget, variantTarget } from "../../bench/targets.ts"
import { defaults } from "../../config/defaults.ts"
import { loadConfig } from "../../config/load.ts"
import { knownVariant } from "../../config/overrides.ts"
import { systemClock } from "../../core/clock.ts"
import type { Price } from "../../core/cost.ts"
import { UsageError } from "../../core/errors.ts"
import type { CaptureSettings, OpenContext, Provider, Timeouts } from "../../core/provider.ts"
import type { Budget, Evaluation } from "../../core/run/evaluation.ts"
import { type BudgetTracker, createBudget } from "../../cost/budget.ts"
import { listPrice } from "../../cost/price-book.ts"
import { transformers } from "../../encoders/embedder/transformers.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import { openai } from "../../providers/openai.ts"
import { pricesToPay } from "../../run/prices-to-pay.ts"
import type { Args, CommandIo } from "../command.ts"
import { loadOptions } from "../load-options.ts"
import { parsePrice } from "./option-values.ts"
import { promptCacheUses } from "./prompt-cache.ts"
import type { BenchSettings } from "./settings.ts"

/** What a bench will measure. */
export interface PlannedTargets {
  readonly targets: readonly PlannedTarget[]
  /** Of a config. */
  readonly evaluation?: Evaluation
  readonly timeouts: Timeouts
  /** What variants and judges may spend together; null when there is no limit. */
  readonly budget: BudgetTracker | null
  /** Releases what scoring opened. */
  close(): Promise<void>
}

type LoadSettings = Pick<BenchSettings, "seed" | "lengths" | "prompts" | "extraBody" | "capture" | "score" | "budget">

/** The endpoint of `--url` and `--model`, or the variants of a config. */
export async function planTargets(args: Args, io: CommandIo, load: LoadSettings): Promise<PlannedTargets> {
  const context = openContext(io, load.capture)
  if (typeof args.url === "string") return planUrl(args, context, load)
  return planConfig(args, io, context, load)
}

/** What every session of a bench is opened with. */
export function openContext(io: CommandIo, capture: CaptureSettings): OpenContext {
  return {
    capture,
    clock: systemClock,
    signal: io.signal,
    environment: io.environment,
    cacheDirectory: userCacheDirectory(io.environment),
    progress: (message) => io.err(`${message}\n`),
  }
}

function planUrl(args: Args, context: OpenContext, load: LoadSettings): PlannedTargets {
  if (typeof args.model !== "string") throw new UsageError("--url needs --model", { hint: "name the model to ask for" })
  const name = args.model
  const provider = openai({
    model: name,
    baseUrl: String(args.url),
    extraBody: load.extraBody,
    ...(typeof args.metricsUrl === "string" && { metricsUrl: webAddress(args.metricsUrl) }),
    apiKeyVariable: typeof args.keyVariable === "string" ? args.keyVariable : null,
  })
  const price = priceOf(args, provider)
  const prompts = { ...load.prompts, seed: load.seed, trace: load.lengths, parameters: {} }
  // Whoever names a seed wants these very prompts.
  const endpoint = { name, provider, price, prompts, repeatable: args.seed !== undefined }
  const uses = promptCacheUses(args)
  const endpoints = uses.map((use) => ({
    ...endpoint,
    name: `${name}, cache ${use}`,
    prompts: { ...prompts, ownStart: use === "miss" },
    askedCache: { use, of: name },
  }))
  return {
    targets: (endpoints.length > 0 ? endpoints : [endpoint]).map((target) => endpointTarget(target, context)),
    timeouts: defaults.timeouts,
    budget: limit(load.budget, new Map([[`variant ${name}`, price]])),
    close: async () => {},
  }
}

function webAddress(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? "")) return text
  throw new UsageError("--metrics-url must be a web address", { where: text.slice(0, 80) })
}

async function planConfig(
  args: Args,
  io: CommandIo,
  context: OpenContext,
  load: LoadSettings,
): Promise<PlannedTargets> {
  const { evaluation } = await loadConfig(args.config as string | undefined, {
    ...loadOptions(io),
    signal: io.signal,
    measuresCapacity: true,
  })
  if (evaluation.alpha !== defaults.alpha)
    io.err(
      `evalkit: a load test states its intervals at 95 %: alpha ${evaluation.alpha} of the config is for runs and comparisons\n`,
    )
  const chosen = args.variant as readonly string[] | undefined
  const names = evaluation.variants.map(({ name }) => name)
  for (const name of chosen ?? []) knownVariant("--variant", name, names)
  const variants = evaluation.variants.filter(({ name }) => !chosen || chosen.includes(name))
  const { dataset } = evaluation
  if (!dataset || variants.length === 0)
    throw new UsageError("a bench needs a data set and a variant", { hint: "or give --url and --model" })
  const samples = await benchSamples(dataset, io.signal)
  const metrics = load.score ? evaluation.metrics : []
  const budget = limit(load.budget, pricesToPay({ variants, metrics }))
  const { clock, signal, environment, cacheDirectory } = context
  const scoring =
    metrics.length === 0
      ? null
      : openScoring(evaluation, {
          clock,
          signal,
          environment,
          cacheDirectory,
          ...(budget && { budget }),
          defaultEmbedder: transformers({ cacheDirectory }),
        })
  return {
    targets: variants.map((variant) => variantTarget(variant, samples, context, scoring)),
    evaluation,
    timeouts: evaluation.timeouts,
    budget,
    close: async () => scoring?.close(),
  }
}

function limit(budget: Budget | null, prices: ReadonlyMap<string, Price | null>): BudgetTracker | null {
  const startMs = systemClock.now()
  return budget && createBudget(budget, { prices, elapsedMs: () => systemClock.now() - startMs })
}

/** `--price`, else the price book's. */
function priceOf(args: Args, provider: Provider): Price | null {
  return args.price === undefined ? listPrice(provider) : parsePrice(String(args.price))
}
