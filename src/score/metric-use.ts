import { assumedAnswerTokens, estimateUse, messagesOf } from "../calls/model-request.ts"
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

/**
 * The most that the models which metrics ask about one answer may use, a call each: the requests that a metric writes about the longest
 * answer that the variant may give. Calls that are made only after a reply, and those of metrics of the user's own, are taken to be as
 * long as the longest that is known, or as everything that the sample and the answer hold. Repeated calls after unreadable replies are
 * not counted. Nothing is sent.
 */
export async function metricUse(
  { asks = [], asksWith = [], ...metric }: AnyMetric,
  sample: Sample,
  variant: Variant,
): Promise<readonly Estimate[]> {
  if (asks.length === 0) return []
  const text = tokenText.repeat(variant.parameters.maxTokens ?? assumedAnswerTokens)
  const known = isOurs(metric) ? await requestsAbout({ asks, asksWith, ...metric }, sample, text) : []
  const longest = known.reduce<ModelRequest | null>(
    (most, { request }) => (most && charactersOf(most) >= charactersOf(request) ? most : request),
    null,
  )
  const whole = longest?.messages ?? [
    ...messagesOf(variant, sample),
    { role: "user" as const, content: `${sample.references.join("\n")}${text}${" ".repeat(frameCharacters)}` },
  ]
  const left = [...known]
  return asks.map((provider, call) => {
    const own = left.findIndex((one) => one.provider === provider)
    const [found] = own < 0 ? [] : left.splice(own, 1)
    const request = found?.request ?? { messages: whole, parameters: asksWith[call] ?? longest?.parameters ?? {} }
    const price = listPrice(provider)
    const estimate = estimateUse(request, price, provider)
    return price === null && provider.traits?.isFreePerCall ? { ...estimate, usd: 0 } : estimate
  })
}

interface AskedModel {
  readonly provider: Provider
  readonly request: ModelRequest
}

/** What a metric asks of models before it has had a reply. */
async function requestsAbout(metric: AnyMetric, sample: Sample, text: string): Promise<readonly AskedModel[]> {
  const known: AskedModel[] = []
  const tools: MetricTools = {
    signal: new AbortController().signal,
    seed: 1,
    cache: { get: async () => undefined, set: async () => {} },
    models: {
      call(provider, request) {
        known.push({ provider, request })
        return Promise.reject(new Error("nothing is sent"))
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
  return known
}

function charactersOf({ messages }: ModelRequest): number {
  return messages.reduce((sum, { content }) => sum + content.length, 0)
}

/** Whether the catalogue made it: others may do more than ask when they are tried. */
export function isOurs({ signature }: Pick<AnyMetric, "signature">): boolean {
  return signature.includes("|version:evalkit-") && !signature.startsWith("custom:")
}
