import { assumedAnswerTokens, estimateUse, messagesOf } from "../calls/model-request.ts"
import type { Metered } from "../core/metric/metered.ts"
import { serviceName } from "../core/metric/metered.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import type { MetricTools } from "../core/metric/metric-tools.ts"
import type { ModelRequest, Provider } from "../core/provider.ts"
import type { Sample } from "../core/sample.ts"
import type { Variant } from "../core/variant.ts"
import type { Estimate } from "../cost/budget.ts"
import { listPrice } from "../cost/price-book.ts"
import { foreignGeneration } from "../text/reading/foreign-generation.ts"

/** Words of a token that a judge is shown, and of which it makes one at least. */
const tokenText = "word "
/** Rubric, format and frame of a judge whose prompt is not known. */
const frameCharacters = 4_000

/** What a metric asks about one answer, and what a call of it may use at most. */
export interface MetricCall extends Estimate {
  /** The model as messages name it. */
  readonly model: string
}

/**
 * The most that the models and services which a metric asks about one answer may use, an entry for each: the requests that it writes about
 * the longest answer that the variant may give. Calls that are made only after a reply, and those of metrics of the user's own, are taken
 * to be as long as the longest that is known, or as everything that the sample and the answer hold. Repeated calls after unreadable replies
 * are not counted, nor are services that have no estimates. Nothing is sent.
 */
export async function metricUse(metric: AnyMetric, sample: Sample, variant: Variant): Promise<readonly MetricCall[]> {
  const { asksWith = [], meters = [] } = metric
  const asks = metric.asksAbout?.(sample) ?? metric.asks ?? []
  if (asks.length + meters.length === 0) return []
  const text = tokenText.repeat(variant.parameters.maxTokens ?? assumedAnswerTokens)
  const requests = isOurs(metric) ? await requestsAbout(metric, sample, text) : noRequests
  const longest = requests.models.reduce<ModelRequest | null>(
    (max, { request }) => (max && charactersOf(max) >= charactersOf(request) ? max : request),
    null,
  )
  const messages = messagesOf(variant, sample)
  const references = sample.references.join("\n")
  const whole = longest?.messages ?? [
    ...messages,
    { role: "user" as const, content: `${references}${text}${" ".repeat(frameCharacters)}` },
  ]
  const left = [...requests.models]
  const models = asks.map((provider, call): MetricCall => {
    const own = left.findIndex((item) => item.provider === provider)
    const [use] = own < 0 ? [] : left.splice(own, 1)
    const request = use?.request ?? { messages: whole, parameters: asksWith[call] ?? longest?.parameters ?? {} }
    const price = listPrice(provider)
    const estimate = { model: provider.label, ...estimateUse(request, price, provider) }
    return price === null && provider.traits?.isFreePerCall ? { ...estimate, usd: 0 } : estimate
  })
  const services = meters.flatMap((service): MetricCall[] => {
    const everything = [...messages.map(({ content }) => content), ...sample.references, text]
    const texts = requests.services.find((entry) => entry.service === service)?.texts ?? everything
    return service.estimate ? [{ model: serviceName(service), ...service.estimate(texts) }] : []
  })
  return [...models, ...services]
}

/** What a metric sends before it has had a reply. */
interface KnownRequests {
  readonly models: readonly { readonly provider: Provider; readonly request: ModelRequest }[]
  readonly services: readonly { readonly service: Metered; readonly texts: readonly string[] }[]
}

const noRequests: KnownRequests = { models: [], services: [] }

async function requestsAbout(metric: AnyMetric, sample: Sample, text: string): Promise<KnownRequests> {
  const models: KnownRequests["models"][number][] = []
  const services: KnownRequests["services"][number][] = []
  const unsent = () => Promise.reject(new Error("nothing is sent"))
  const tools: MetricTools = {
    signal: new AbortController().signal,
    seed: 1,
    cache: { get: async () => undefined, set: async () => {} },
    models: {
      call(provider, request) {
        models.push({ provider, request })
        return unsent()
      },
    },
    services: {
      send(service, texts) {
        services.push({ service, texts })
        return unsent()
      },
    },
    candidateModels: [],
    valueOf: () => undefined,
    answerOf: () => text,
    otherAnswers: () => ({ answers: [], awaited: 0 }),
  }
  const generation = foreignGeneration({ sampleId: sample.id, text })
  await Promise.resolve()
    .then(() => metric.measure(sample, generation, tools))
    .catch(() => {})
  return { models, services }
}

function charactersOf({ messages }: ModelRequest): number {
  return messages.reduce((sum, { content }) => sum + content.length, 0)
}

/** Whether the catalogue made it: others may do more than ask when they are tried. */
export function isOurs({ signature }: Pick<AnyMetric, "signature">): boolean {
  return signature.includes("|version:evalkit-") && !signature.startsWith("custom:")
}
