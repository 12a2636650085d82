import { requestFor } from "../../calls/model-request.ts"
import { messageOf } from "../../core/errors.ts"
import { canonicalJson, type JsonValue } from "../../core/json.ts"
import type { Embedder } from "../../core/metric/embedder.ts"
import type { UsedModel } from "../../core/metric/used-model.ts"
import type { Provider } from "../../core/provider.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { Sample } from "../../core/sample.ts"
import { openSample } from "../../run/episode/open-sample.ts"
import { summaryRequest } from "../../run/episode/summarise.ts"
import { withMetricNeeds } from "../../run/prepare.ts"
import type { DoctorCheck } from "./check.ts"
import type { TriedCall } from "./provider-checks.ts"

/** What the variants of a config ask, with the first sample where there is one. */
export function variantCalls(evaluation: Evaluation, sample: Sample | null): readonly TriedCall[] {
  const needsLogprobs = evaluation.metrics.some(({ needs }) => needs?.logprobs || needs?.topLogprobs)
  const asked = withMetricNeeds(evaluation).variants.flatMap((variant) => {
    const members = variant.provider.traits?.members ?? []
    return members.length === 0
      ? [{ variant, name: `variant ${variant.name}`, provider: variant.provider }]
      : members.map((provider) => ({ variant, name: `variant ${variant.name}, ${provider.label}`, provider }))
  })
  return asked.map(({ variant, name, provider }) => ({
    name,
    provider,
    request: sample
      ? requestFor(variant, sample, 0)
      : { messages: [{ role: "user", content: "Hi" }], parameters: variant.parameters },
    needsLogprobs,
    ...(evaluation.batch && { batchPrice: variant.price }),
  }))
}

/** What plays the users of a config's variants, and what sums up their conversations: each once. */
export function userCalls({ variants }: Evaluation, sample: Sample | null): readonly TriedCall[] {
  const seen = new Set<string>()
  const isNew = (identity: JsonValue): boolean => {
    const key = canonicalJson(identity)
    return !seen.has(key) && Boolean(seen.add(key))
  }
  return variants.flatMap(({ name, episode }): TriedCall[] => {
    const { user, history } = episode ?? {}
    const summary = history === undefined || history === "full" ? undefined : history.summary
    const tried: TriedCall[] = []
    if (user && isNew(user.identity)) {
      const messages = [{ role: "user", content: "Hi" }] as const
      const request = sample ? user.request(openSample(sample), [], "doctor") : { messages, parameters: {} }
      const what = `the simulated user of variant ${name}`
      tried.push({ name: what, provider: user.provider, request, needsLogprobs: false })
    }
    if (summary && isNew({ summary: summary.provider.identity })) {
      const request = summaryRequest(summary, null, [{ who: "user", text: "Hi" }], "doctor")
      const what = `the summaries of variant ${name}`
      tried.push({ name: what, provider: summary.provider, request, needsLogprobs: false })
    }
    return tried
  })
}

/** What the metrics of a config ask models: each judge and each set of its parameters once. */
export function metricCalls({ metrics }: Evaluation): readonly TriedCall[] {
  const seen = new Map<Provider, Set<string>>()
  return metrics.flatMap(({ name, asks = [], asksWith = [] }) =>
    asks.flatMap((provider, i): TriedCall[] => {
      const parameters = asksWith[i] ?? { temperature: 0 }
      const existing = seen.get(provider) ?? new Set()
      seen.set(provider, existing)
      const key = canonicalJson({ ...parameters })
      if (existing.has(key)) return []
      existing.add(key)
      const request = { messages: [{ role: "user", content: "Hi" }] as const, parameters }
      return [{ name: `metric ${name}, which asks ${provider.label}`, provider, request, needsLogprobs: false }]
    }),
  )
}

/** Embedders, classifiers and moderation services that the metrics were given, each once. */
export function metricModels({ metrics }: Evaluation): readonly (readonly [metric: string, model: UsedModel])[] {
  const seen = new Set<string>()
  return metrics.flatMap(({ name, uses = [] }) =>
    uses.flatMap((model): [string, UsedModel][] => {
      const key = `${model.kind} ${model.identity}`
      if (seen.has(key)) return []
      seen.add(key)
      return [[name, model]]
    }),
  )
}

/** Uses a metric's model once; without calls, a model on this machine is loaded only, and null is returned for a service. */
export async function checkModel(
  metric: string,
  model: UsedModel,
  options: { readonly call: boolean; readonly signal: AbortSignal; readonly defaultEmbedder: Embedder },
): Promise<DoctorCheck | null> {
  const { call, signal, defaultEmbedder } = options
  if (!call && !model.open) return null
  const name = `metric ${metric}, ${model.kind} ${model.identity}`
  try {
    const startedMs = performance.now()
    await (call ? model.try(signal, { defaultEmbedder }) : model.open?.(signal, { defaultEmbedder }))
    const done = call ? "answered" : "loaded"
    return { name, status: "ok", message: `${done} in ${(performance.now() - startedMs).toFixed(0)} ms` }
  } catch (error) {
    return { name, status: "failed", message: messageOf(error) }
  }
}
