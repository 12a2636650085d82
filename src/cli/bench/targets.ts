import { randomUUID } from "node:crypto"
import { defaults } from "../../config/defaults.ts"
import { loadConfig } from "../../config/load.ts"
import { systemClock } from "../../core/clock.ts"
import type { Price } from "../../core/cost.ts"
import { UsageError } from "../../core/errors.ts"
import type { Budget } from "../../core/evaluation.ts"
import type { CaptureWish, OpenContext, Provider, Timeouts } from "../../core/provider.ts"
import type { Sample } from "../../core/sample.ts"
import type { Variant } from "../../core/variant.ts"
import { type BudgetTracker, createBudget } from "../../cost/budget.ts"
import { listPrice } from "../../cost/price-book.ts"
import type { BenchTarget } from "../../engine/bench/measure-level.ts"
import { syntheticRequests } from "../../engine/bench/prompts.ts"
import { requestFor } from "../../engine/run/generate/model-request.ts"
import { pricesToPay } from "../../engine/run/prices-to-pay.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import { openai } from "../../providers/openai.ts"
import type { CommandIo } from "../command.ts"
import { contextWindowOf } from "./context-window.ts"
import { openScoring, type Scoring } from "./scoring.ts"
import type { BenchSettings } from "./settings.ts"

/** A variant that will be measured; nothing is started before it is opened. */
export interface PlannedTarget {
  readonly name: string
  readonly price: Price | null
  /** Its server must run alone. */
  readonly exclusive: boolean
  open(): Promise<LevelTarget>
}

/** A variant under loads, one after the other. */
export interface LevelTarget extends BenchTarget {
  /** Requests of the n-th load, where each has its own; a config's loads all ask its data. */
  requestsOf?(load: number): BenchTarget["requestOf"]
}

/** What a bench will measure. */
export interface PlannedTargets {
  readonly targets: readonly PlannedTarget[]
  readonly timeouts: Timeouts
  /** What variants and judges may spend together; null when there is no limit. */
  readonly budget: BudgetTracker | null
  /** Releases what scoring opened. */
  close(): Promise<void>
}

type LoadSettings = Pick<BenchSettings, "seed" | "lengths" | "prompts" | "capture" | "score" | "budget">
type Args = Readonly<Record<string, unknown>>

/** The endpoint of `--url` and `--model`, or the variants of a config. */
export async function planTargets(args: Args, io: CommandIo, load: LoadSettings): Promise<PlannedTargets> {
  const context = openContext(io, load.capture)
  if (typeof args.url === "string") return planUrl(args, io, context, load)
  if (args.model !== undefined) throw new UsageError("--model needs --url", { hint: "or give a config" })
  return planConfig(args, io, context, load)
}

/** What every session of a bench is opened with. */
export function openContext(io: CommandIo, capture: CaptureWish): OpenContext {
  return {
    capture,
    clock: systemClock,
    signal: io.signal,
    environment: io.environment,
    cacheDirectory: userCacheDirectory(io.environment),
    progress: (message) => io.err(`${message}\n`),
  }
}

function planUrl(args: Args, io: CommandIo, context: OpenContext, load: LoadSettings): PlannedTargets {
  if (typeof args.model !== "string") throw new UsageError("--url needs --model", { hint: "name the model to ask for" })
  const provider = openai({
    model: args.model,
    baseUrl: String(args.url),
    apiKeyVariable: typeof args.keyVariable === "string" ? args.keyVariable : null,
  })
  const prompts = { ...load.prompts, seed: load.seed, trace: load.lengths, parameters: {} }
  // The server may still hold what another run has sent; whoever names a seed wants these very prompts.
  const run = args.seed === undefined ? `/${randomUUID()}` : ""
  const name = args.model
  const price = priceOf(args, provider)
  const open = async (): Promise<LevelTarget> => {
    const session = await provider.open(context)
    const requestsOf = (level: number) => syntheticRequests(prompts, "measured", `${run}/${level}`)
    return {
      name,
      price,
      session,
      contextWindow: await contextWindowOf(session, provider, io),
      requestOf: requestsOf(0),
      requestsOf,
      warmUpRequestOf: syntheticRequests(prompts, "warm-up", run),
    }
  }
  return {
    targets: [{ name, price, exclusive: false, open }],
    timeouts: defaults.timeouts,
    budget: limit(load.budget, new Map([[`variant ${name}`, price]])),
    close: async () => {},
  }
}

async function planConfig(
  args: Args,
  io: CommandIo,
  context: OpenContext,
  load: LoadSettings,
): Promise<PlannedTargets> {
  const { evaluation } = await loadConfig(args.config as string | undefined, { cwd: io.cwd })
  const wanted = args.variant as readonly string[] | undefined
  const variants = evaluation.variants.filter(({ name }) => !wanted || wanted.includes(name))
  const { dataset } = evaluation
  if (!dataset || variants.length === 0)
    throw new UsageError("a bench needs a data set and a variant", { hint: "or give --url and --model" })
  const samples = await firstSamples(dataset.samples(io.signal))
  const metrics = load.score ? evaluation.metrics : []
  const budget = limit(load.budget, pricesToPay({ variants, metrics }))
  const scoring = metrics.length > 0 ? openScoring(evaluation, io, budget) : null
  const targets = variants.map((variant) => ({
    name: variant.name,
    price: variant.price,
    exclusive: variant.provider.exclusive === true,
    open: () => openVariant(variant, samples, context, io, scoring),
  }))
  return { targets, timeouts: evaluation.timeouts, budget, close: async () => scoring?.close() }
}

function limit(budget: Budget | null, prices: ReadonlyMap<string, Price | null>): BudgetTracker | null {
  const startMs = systemClock.now()
  return budget && createBudget(budget, { prices, elapsedMs: () => systemClock.now() - startMs })
}

async function openVariant(
  variant: Variant,
  samples: readonly Sample[],
  context: OpenContext,
  io: CommandIo,
  scoring: Scoring | null,
): Promise<BenchTarget> {
  const session = await variant.provider.open(context)
  // The last sample warms up and is not measured, when there is another one.
  const measured = samples.length > 1 ? samples.slice(0, -1) : samples
  const sampleOf = (index: number) => measured[index % measured.length] as Sample
  return {
    name: variant.name,
    session,
    contextWindow: await contextWindowOf(session, variant.provider, io),
    price: variant.price,
    requestOf: (index) => requestFor(variant, sampleOf(index), 0),
    warmUpRequestOf: () => requestFor(variant, samples.at(-1) as Sample, 0),
    ...(scoring ? scoring.of(variant, sampleOf) : {}),
  }
}

/** A bench repeats its prompts anyway: more than these are not kept in memory. */
const mostSamples = 10_000

async function firstSamples(source: AsyncIterable<Sample>): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  for await (const sample of source) if (samples.push(sample) === mostSamples) break
  if (samples.length === 0) throw new UsageError("the data set has no samples", {})
  return samples
}

/** `--price 2.5/15` or `2.5/0.25/15` (input / cached input / output per million), else the price book's. */
function priceOf(args: Args, provider: Provider): Price | null {
  if (args.price === undefined) return listPrice(provider)
  const rates = String(args.price).split("/").map(Number)
  if (rates.length < 2 || rates.length > 3 || rates.some((rate) => !(rate >= 0)))
    throw new UsageError("--price cannot be read", {
      where: String(args.price),
      hint: "write it as 2.5/15 or 2.5/0.25/15",
    })
  return {
    kind: "tokens",
    inputPerMillion: rates[0] as number,
    cachedInputPerMillion: rates.length === 3 ? (rates[1] as number) : null,
    outputPerMillion: rates.at(-1) as number,
    source: "the command line",
    date: new Date().toISOString().slice(0, 10),
  }
}
