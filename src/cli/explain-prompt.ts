import { judgedAnswer, judgedSample } from "../../judges/anchors.ts"
import { bestOf } from "../../judges/best-of.ts"
import { checklist } from "../../judges/checklist.ts"
import { pairwise } from "../../judges/pairwise.ts"
import { referenceGuided } from "../../judges/reference-guided.ts"
import type { Rubric } from "../../judges/rubric.ts"
import { rubric } from "../../judges/rubric-judge.ts"
import * as rubrics from "../../judges/rubrics/all.ts"
import { citationPrecision, citationRecall } from "../../metrics/citations/citations.ts"
import { unsupportedClaims } from "../../metrics/hallucination/claims.ts"
import * as judged from "../../metrics/judged/all.ts"
import type { Generation } from "../core/generation.ts"
import type { ChatMessage } from "../core/message.ts"
import type { MetricTools } from "../core/metric/metric-tools.ts"
import type { Provider } from "../core/provider.ts"
import type { Sample } from "../core/sample.ts"
import { readableName } from "../words/metric.ts"

/** A metric that asks a model, by its name. */
interface Measuring {
  measure(sample: Sample, generation: Generation, tools: MetricTools): unknown
}
type Asking = readonly [name: string, (provider: Provider) => Measuring]

const { tone, policyCompliance, tinyJudge, summaryQuality: _list, ...fixed } = rubrics
const wordings: Readonly<Record<string, Rubric>> = {
  ...fixed,
  tone: tone({ wanted: "friendly and short" }),
  policyCompliance: policyCompliance({ policy: "Name no prices." }),
  tinyJudge: tinyJudge(),
}

const asking: readonly Asking[] = [
  ...Object.entries(wordings).map(([name, words]): Asking => [name, (provider) => rubric({ provider, rubric: words })]),
  ...Object.entries(judged).map(([name, metric]): Asking => [`judged.${name}`, (provider) => metric({ provider })]),
  ["referenceGuided", (provider) => referenceGuided({ provider })],
  ["pairwise", (provider) => pairwise({ provider, against: "reference" })],
  ["bestOf", (provider) => bestOf({ provider, others: () => ["It is Lyon."], rotations: 1 })],
  ["checklist", (provider) => checklist({ provider, items: ["Does the answer name a city?", "Is it in English?"] })],
  ["unsupportedClaims", (provider) => unsupportedClaims({ provider })],
  ["citationRecall", (support) => citationRecall({ support })],
  ["citationPrecision", (support) => citationPrecision({ support })],
]

const sample = judgedSample({
  id: "example",
  input: "What is the capital of France?",
  references: ["Paris"],
  context: ["Paris is the capital of France. It lies on the Seine.", "Lyon is a city in France."],
})
const answer = judgedAnswer("The capital of France is Paris [1].", sample.id)

/** Stands for a model: the requests are read, and nothing is sent. */
const provider: Provider = {
  kind: "none",
  label: "example",
  model: "example",
  endpoint: "none",
  identity: null,
  open: () => Promise.reject(new NothingIsSent()),
}

class NothingIsSent extends Error {}

/** The names of everything that asks a model, in the order of the list. */
export const askingNames = asking.map(([name]) => name)

/**
 * What a metric or rubric of this name sends, for one example: each request as its messages, without the request that follows a reply which
 * cannot be read. Names are those of the library and of tables, with or without their group. Empty where nothing of this name asks a model.
 */
export async function promptsOf(
  name: string,
): Promise<readonly { readonly name: string; readonly requests: readonly (readonly ChatMessage[])[] }[]> {
  const query = name.toLowerCase()
  const forms = (own: string) => [own, own.replace(/^\w+\./, ""), readableName(own)].map((form) => form.toLowerCase())
  const matches = asking.filter(([own]) => forms(own).includes(query))
  return Promise.all(matches.map(async ([own, metric]) => ({ name: own, requests: await requestsOf(metric) })))
}

async function requestsOf(metricOf: (provider: Provider) => Measuring): Promise<readonly (readonly ChatMessage[])[]> {
  const requests: (readonly ChatMessage[])[] = []
  const models: MetricTools["models"] = {
    call: (_, { messages }) => {
      requests.push(messages)
      return Promise.reject(new NothingIsSent())
    },
  }
  const { signal } = new AbortController()
  const cache = { get: async () => undefined, set: async () => {} }
  const tools = { signal, seed: 1, cache, models, valueOf: () => undefined, candidateModels: [] }
  await Promise.resolve(metricOf(provider).measure(sample, answer, tools)).catch((error) => {
    if (!(error instanceof NothingIsSent)) throw error
  })
  return requests
}

/** Requests as text: the role of each message above it. */
export function promptText(requests: readonly (readonly ChatMessage[])[]): string {
  return requests
    .map((messages) => messages.map(({ role, content }) => `[${role}]\n${String(content)}\n`).join("\n"))
    .join(`\n${"-".repeat(40)}\n\n`)
}
