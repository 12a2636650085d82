import { existsSync } from "node:fs"
import { join } from "node:path"
import { gateOutlook } from "../../analyse/decide/gate-outlook.ts"
import type { MetricAdvice } from "../../analyse/decide/metric-advice.ts"
import { type PilotPower, pilotPower } from "../../analyse/decide/pilot-power.ts"
import { storedAdvice } from "../../analyse/decide/stored-advice.ts"
import { type BillForecast, forecastBill } from "../../analyse/summary/bill.ts"
import { assumedAnswerTokens, boundedCall, mediaUse, messagesOf } from "../../calls/model-request.ts"
import { ExitCode } from "../../core/errors.ts"
import type { Provider } from "../../core/provider.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { Sample } from "../../core/sample.ts"
import type { Variant } from "../../core/variant.ts"
import { maxBatchCallCostUsd, maxCallCostUsd } from "../../cost/cost-of-usage.ts"
import type { MediaRule } from "../../cost/media-tokens.ts"
import { transformers } from "../../encoders/embedder/transformers.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import { liveSamples } from "../../run/batch/live-share.ts"
import { checkCalls } from "../../run/plan.ts"
import { prepareDataset } from "../../run/prepare.ts"
import { countQuestions } from "../../run/repeated-questions.ts"
import { missingModels, missingModelText } from "../../score/missing-models.ts"
import { needReference } from "../../score/needs-reference.ts"
import { findStore, openStore } from "../../store/project-store.ts"
import { loadO200k } from "../../text/o200k.ts"
import { repeatedQuestions } from "../../wording/repeated-questions.ts"
import { columnsLine } from "../../words/columns.ts"
import { count, counted } from "../../words/number.ts"
import { usd as usdText } from "../../words/quantity.ts"
import { screenTable } from "../arguments/screen-table.ts"
import type { Args, CommandIo } from "../command.ts"
import {
  askedText,
  batchText,
  costText,
  forecastText,
  mediaText,
  meteredText,
  type NonVariantEstimate,
  noReferenceText,
  outlookText,
  ownText,
  pilotText,
  recordText,
  summariesText,
  usersText,
  type VariantEstimate,
} from "./dry-run-words.ts"
import { episodeCalls } from "./episode-calls.ts"
import { createSampleThinner, metricEstimates } from "./metric-estimate.ts"
import {
  addNonVariantUses,
  type NonVariantUse,
  type NonVariantUses,
  noNonVariantUse,
  nonVariantUses,
} from "./non-variant-estimate.ts"
import { withAllOfferedTools } from "./offered-tools.ts"

/**
 * Renders every prompt, counts its tokens (o200k_base) and prints what a run would ask and cost at most. Makes no call; MCP servers
 * are started to see their tools, which are part of each prompt.
 * Messages add four tokens each for their frame, as OpenAI's counting rule says.
 */
export async function dryRun(
  config: Evaluation,
  io: CommandIo,
  options: { readonly json: boolean; readonly args?: Args },
): Promise<number> {
  const countTokens = await loadO200k()
  const evaluation = await withAllOfferedTools(config, io)
  const sums = new Map<string, PromptSums>()
  const isLive = liveSamples(evaluation.seed, evaluation.batch?.liveShare ?? 0)
  const withoutReference: { first?: Sample; count: number } = { count: 0 }
  const judged = createSampleThinner()
  const dataset = await prepareDataset(evaluation, null, (variant, sample) => {
    if (variant === evaluation.variants[0]) judged.add(sample)
    if (variant === evaluation.variants[0] && sample.references.length === 0 && !sample.turns) {
      withoutReference.first ??= sample
      withoutReference.count++
    }
    let tokens = 0
    const messages = messagesOf(variant, sample)
    for (const { content, toolCalls } of messages) tokens += countTokens(`${content}${jsonOf(toolCalls)}`) + 4
    const { tools, parameters } = variant
    tokens += countTokens(`${jsonOf(tools ?? parameters.tools)}${jsonOf(enforcedSchema(parameters))}`)
    const media = mediaUse(messages, variant.provider)
    tokens += media.images + media.audio
    const before = sums.get(variant.name) ?? noSums()
    for (const rule of media.rules) before.rules.set(rule.name, rule)
    // Call by call: a long prompt, a fee or a least charge is that of a single call.
    const taken = episodeCalls(variant, sample, tokens, countTokens)
    const { prompts, turns } = taken
    let [usd, batchUsd]: [number | null, number | null] = [before.usd, before.batchUsd]
    for (const prompt of prompts) {
      const call = boundedCall(prompt, media, parameters, variant.provider)
      const live = maxCallCostUsd(call, variant.price)
      usd = plus(usd, live)
      batchUsd = plus(batchUsd, isLive(sample.id) ? live : maxBatchCallCostUsd(call, variant.price))
    }
    sums.set(variant.name, {
      calls: before.calls + prompts.length,
      turns: before.turns + turns,
      nonVariant: addNonVariantUses(before.nonVariant, nonVariantUses(variant, sample, taken, countTokens)),
      tokens: before.tokens + prompts.reduce((sum, prompt) => sum + prompt, 0),
      images: before.images + prompts.length * media.images,
      audio: before.audio + prompts.length * media.audio,
      rules: before.rules,
      usd,
      batchUsd,
    })
  })
  checkCalls({ ...evaluation, sampleIds: dataset.sampleIds })
  const answers = dataset.sampleIds.length * evaluation.repeats
  const estimates = evaluation.variants.map((variant) => estimate(variant, evaluation, sums.get(variant.name)))
  const calls = estimates.reduce((sum, variantEstimate) => sum + variantEstimate.calls, 0)
  const users: NonVariantEstimate[] = []
  const summaries: NonVariantEstimate[] = []
  for (const { name, episode } of evaluation.variants) {
    const { user, summaries: summed } = sums.get(name)?.nonVariant ?? noNonVariantUse
    const of = ({ calls: each, usd }: NonVariantUse, { label }: Provider): NonVariantEstimate => ({
      variant: name,
      model: label,
      maxCalls: each * evaluation.repeats,
      maxCostUsd: usd === null ? null : usd * evaluation.repeats,
    })
    if (episode?.user) users.push(of(user, episode.user.provider))
    if (episode && episode.history !== "full" && episode.history.summary)
      summaries.push(of(summed, episode.history.summary.provider))
  }
  const answersUsd = totalOf(estimates, ({ maxCostUsd }) => maxCostUsd)
  const asked = await metricEstimates(
    evaluation,
    judged.samples,
    answers,
    (name) => (sums.get(name)?.turns ?? 0) * evaluation.repeats,
  )
  const othersUsd = totalOf([...users, ...summaries, ...asked], ({ maxCostUsd }) => maxCostUsd)
  const total = plus(answersUsd, othersUsd)
  const otherWay = estimates.some(({ maxOtherWayUsd }) => maxOtherWayUsd !== undefined)
    ? totalOf(estimates, ({ maxOtherWayUsd, maxCostUsd }) => maxOtherWayUsd ?? maxCostUsd)
    : undefined
  const { pilot, advice, forecast } = fromStore(evaluation, dataset.sampleIds.length, options.args ?? {}, io)
  const metered = evaluation.metrics
    .filter(({ meters }) => meters?.some(({ estimate }) => !estimate))
    .map(({ name }) => name)
  const { repeats, columns } = dataset
  const tooSmallFor = gateOutlook(evaluation, dataset.sampleIds.length)
  const unscorable = withoutReference.first ? await needReference(evaluation.metrics, withoutReference.first) : []
  const missing = [
    ...(await missingTexts(evaluation, io)),
    ...noReferenceText(unscorable, withoutReference.count, dataset.sampleIds.length),
  ]
  if (options.json) {
    const result = {
      samples: dataset.sampleIds.length,
      ...(repeats.size > 0 && { questions: countQuestions(dataset.sampleIds.length, repeats) }),
      ...(columns.size > 0 && { columns: Object.fromEntries(columns) }),
      calls,
      maxCostUsd: total,
      ...(otherWay !== undefined && { [evaluation.batch ? "maxLiveCostUsd" : "maxBatchCostUsd"]: otherWay }),
      variants: estimates,
      ...(users.length > 0 && { users }),
      ...(summaries.length > 0 && { summaries }),
      metrics: asked,
      ...(metered.length > 0 && { metricsNotInCost: metered }),
      forecast,
      pilot,
      tooSmallFor,
      advice,
      missing,
    }
    io.out(`${JSON.stringify(result)}\n`)
    return ExitCode.ok
  }
  const records = evaluation.variants.filter(({ provider }) => provider.traits?.isRecord)
  const askedVariants = estimates.length - records.length
  const sentence =
    `${counted(calls, "call")}${calls > answers * askedVariants ? " at most" : ""}: ${counted(dataset.sampleIds.length, "sample")} × ${counted(askedVariants, "variant")}` +
    `${evaluation.repeats > 1 ? ` × ${evaluation.repeats} repeats` : ""}${calls > answers * askedVariants ? `; a conversation or an agent takes several calls` : ""}. ` +
    recordText(records) +
    costText(
      answersUsd,
      othersUsd,
      evaluation.variants.filter((_, i) => estimates[i]?.maxCostUsd === null),
    ) +
    forecastText(forecast) +
    batchText(evaluation, otherWay)
  const header = ["variant", "calls", "prompt tokens", "answer tokens, at most", "cost, at most"]
  const rows = estimates.map((row) => [
    row.variant,
    count(row.calls),
    row.promptTokens === null ? "unknown" : count(row.promptTokens),
    row.maxCompletionTokens === null ? "unknown" : count(row.maxCompletionTokens),
    row.maxCostUsd === null ? "unknown" : usdText(row.maxCostUsd),
  ])
  io.out(
    `${sentence}\n\n${screenTable(header, rows, io)}\n${columnsLine(columns)}${repeats.size > 0 ? `${repeatedQuestions(dataset.sampleIds.length, repeats)}\n` : ""}${missing.map((line) => `${line}\n`).join("")}${usersText(users)}${summariesText(summaries)}${askedText(asked)}${meteredText(metered)}${pilotText(pilot, evaluation.metrics)}${outlookText([...tooSmallFor, ...advice])}${mediaText(estimates)}${ownText(evaluation.variants)}No call was made. Prompt tokens are counted with o200k_base.\n`,
  )
  return ExitCode.ok
}

/** The models of metrics whose files are not on this machine where the config says, a line each. Nothing is loaded. */
async function missingTexts({ metrics }: Evaluation, { signal, environment }: CommandIo): Promise<readonly string[]> {
  const defaultEmbedder = transformers({ cacheDirectory: userCacheDirectory(environment) })
  return (await missingModels(metrics, signal, { load: false, defaultEmbedder })).map(missingModelText)
}

function plus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}

function totalOf<Part>(estimates: readonly Part[], of: (estimate: Part) => number | null): number | null {
  return estimates.reduce<number | null>((sum, estimate) => plus(sum, of(estimate)), 0)
}

/** A schema that is sent beside the prompt; in the other modes it is in the prompt, or nowhere. */
function enforcedSchema({ jsonSchema, structured = "schema" }: Variant["parameters"]): unknown {
  return structured === "schema" ? jsonSchema : undefined
}

/** Tool definitions, tool calls and schemas are sent as JSON. */
function jsonOf(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value)
}

/** What earlier runs say: the newest of the same name of the power, all of the metrics. Nothing where there is no store yet. */
function fromStore(
  evaluation: Evaluation,
  samples: number,
  args: Args,
  io: CommandIo,
): {
  readonly pilot: PilotPower | null
  readonly advice: readonly MetricAdvice[]
  readonly forecast: BillForecast | null
} {
  const from = { store: args.store }
  if (!findStore(from, io, evaluation) && !existsSync(join(evaluation.directory, "evalkit.db")))
    return { pilot: null, advice: storedAdvice(null, evaluation), forecast: null }
  const store = openStore(from, io, { evaluation, readonly: true })
  try {
    return {
      pilot: pilotPower(store, evaluation, samples),
      advice: storedAdvice(store, evaluation),
      forecast: forecastBill(store, evaluation, samples * evaluation.repeats),
    }
  } finally {
    store.close()
  }
}

/** Of the prompts of one variant, each once. */
interface PromptSums {
  /** Calls of all its samples, at most; turns of its conversations; and what is called in them besides the variant. */
  readonly calls: number
  readonly turns: number
  readonly nonVariant: NonVariantUses
  readonly tokens: number
  /** The most that their calls may cost; null when that is unknown. */
  readonly usd: number | null
  /** The same by batch, with the live share that the config states. */
  readonly batchUsd: number | null
  /** Of the tokens: what pictures and recordings are counted as, and by which rules. */
  readonly images: number
  readonly audio: number
  readonly rules: Map<string, MediaRule>
}

function noSums(): PromptSums {
  return {
    calls: 0,
    turns: 0,
    nonVariant: noNonVariantUse,
    tokens: 0,
    usd: 0,
    batchUsd: 0,
    images: 0,
    audio: 0,
    rules: new Map(),
  }
}

function answerTokens({ parameters }: Variant): number {
  return parameters.maxTokens ?? assumedAnswerTokens
}

function estimate(variant: Variant, { repeats, batch }: Evaluation, sums: PromptSums | undefined): VariantEstimate {
  const {
    tokens = 0,
    usd = null,
    batchUsd = null,
    images = 0,
    audio = 0,
    rules = new Map<string, MediaRule>(),
  } = sums ?? {}
  if (variant.provider.traits?.isRecord)
    return { variant: variant.name, calls: 0, promptTokens: 0, maxCompletionTokens: 0, maxCostUsd: 0 }
  const calls = (sums?.calls ?? 0) * repeats
  if (variant.provider.traits?.sendsItsOwn)
    return { variant: variant.name, calls, promptTokens: null, maxCompletionTokens: null, maxCostUsd: null }
  const takesBatches = variant.provider.traits?.takesBatches ?? false
  const [live, byBatch] = [usd, batchUsd].map((sum) => (sum === null ? null : sum * repeats)) as [
    number | null,
    number | null,
  ]
  return {
    variant: variant.name,
    calls,
    promptTokens: tokens * repeats,
    maxCompletionTokens: calls * answerTokens(variant),
    maxCostUsd: batch && takesBatches ? byBatch : live,
    ...(takesBatches && { maxOtherWayUsd: batch ? live : byBatch }),
    ...(rules.size > 0 && {
      media: { imageTokens: images * repeats, audioTokens: audio * repeats, rules: [...rules.values()] },
    }),
  }
}
