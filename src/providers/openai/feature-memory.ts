import { readErrorBody } from "../../capture/classify.ts"
import type { Exchange } from "../../capture/exchange.ts"
import type { EndpointFeatures } from "./options.ts"

/** A parameter that an endpoint may lack and that an answer can do without. */
export type Feature = "logprobs" | "streamUsage" | "seed" | "jsonSchema"

/** Names in a request's body, as an endpoint's complaint would repeat them. */
const parameterNames: Readonly<Record<Feature, readonly string[]>> = {
  logprobs: ["logprobs", "top_logprobs"],
  streamUsage: ["stream_options", "include_usage"],
  seed: ["seed", "random_seed"],
  jsonSchema: ["response_format", "json_schema"],
}

/** What a report loses. */
const consequences: Readonly<Record<Feature, string>> = {
  logprobs: "figures from token probabilities are unknown",
  streamUsage: "token counts are known only where it sends them unasked",
  seed: "answers cannot be repeated exactly",
  jsonSchema: "the answer's JSON is not enforced",
}

const refusal =
  /unsupported|not (?:currently )?support|does(?:n't| not) support|isn't supported|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|extra (?:inputs|fields)|not available|not enabled|no longer/i

/** What one endpoint was found to lack. Shared by the requests of a session, so that each lack is noted once. */
export interface FeatureMemory {
  /** What a request must do without; llama.cpp lacks log-probabilities only beside tools. */
  lacking(withTools: boolean): ReadonlySet<Feature>
  notes(): readonly string[]
  /** Adds a note, once. */
  note(text: string): void
  /** Notes the features that a request wanted and that the endpoint was said to lack. */
  noteUnasked(wanted: readonly Feature[]): void
  /** Remembers a refused feature of the request. True when it should be sent again without it. */
  learn(exchange: Exchange, wanted: readonly Feature[], withTools: boolean): boolean
}

/** `features` states what is known beforehand; the rest is learnt from refusals. */
export function createFeatureMemory(features: EndpointFeatures): FeatureMemory {
  const declared = (Object.keys(parameterNames) as Feature[]).filter((feature) => features[feature] === false)
  const lacking = new Set<Feature>(declared)
  const lackingWithTools = new Set<Feature>(declared)
  const notes = new Set<string>()
  return {
    lacking: (withTools) => (withTools ? lackingWithTools : lacking),
    notes: () => [...notes],
    note: (text) => notes.add(text),
    noteUnasked(wanted) {
      for (const feature of declared)
        if (wanted.includes(feature))
          notes.add(`${parameterNames[feature][0]}: not offered by this endpoint; ${consequences[feature]}`)
    },
    learn(exchange, wanted, withTools) {
      if (exchange.status !== 400 && exchange.status !== 422) return false
      const { message, parameter } = readErrorBody(exchange)
      const feature = findRefused(message, parameter, wanted)
      if (!feature) return false
      const besideTools = withTools && /\btools?\b/i.test(message)
      lackingWithTools.add(feature)
      if (!besideTools) lacking.add(feature)
      const where = besideTools ? "refused by the endpoint together with tools" : "refused by the endpoint"
      notes.add(`${parameterNames[feature][0]}: ${where}; ${consequences[feature]}`)
      return true
    },
  }
}

/** A feature counts as refused when the error names it and says that it is not supported: a bad schema is not that. */
function findRefused(message: string, parameter: string | undefined, wanted: readonly Feature[]): Feature | undefined {
  if (!refusal.test(message)) return undefined
  const named = (feature: Feature): boolean =>
    parameterNames[feature].some((name) => parameter === name || new RegExp(`\\b${name}\\b`).test(message))
  return wanted.find(named)
}
