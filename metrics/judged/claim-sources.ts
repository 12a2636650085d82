import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import type { Unscored } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import type { GenerationParameters } from "../../src/core/provider.ts"
import { askJson, defaultMaxCharacters, listSchema, objectSchema, objectsOf } from "./ask-json.ts"
import type { JudgedMetricOptions } from "./judged-metric.ts"

/** A claim of a text, and the numbers of the sources that support it, from 1. */
export interface SourcedClaim {
  readonly claim: string
  readonly sources: readonly number[]
}

/** What is asked: which claims a text makes, and which sources support each. */
export interface ClaimSourcesQuestion {
  readonly options: JudgedMetricOptions
  readonly parameters: GenerationParameters
  /** Shown so that "it" and "he" can be understood. */
  readonly question: string
  readonly text: string
  readonly sources: readonly string[]
}

const instructions =
  "Split the text into its single factual claims, each understandable by itself. For each claim, look at every source by itself: " +
  "does it state or imply the claim? Use the source alone, not what you know. Reply with a JSON object: " +
  '{"claims": [{"claim": "…", "sources": [numbers of the sources that support it, empty when none does]}]}. ' +
  "A text without factual claims has an empty list."

/** Form of the reply. */
export const claimSourcesReply = {
  name: "claims",
  schema: listSchema(
    "claims",
    objectSchema({ claim: { type: "string" }, sources: { type: "array", items: { type: "integer" } } }),
  ),
} as const

/** The claims of a text with the sources that support them, as a model sees it: one call. A number that no source has supports nothing. */
export function claimSources(
  { options, parameters, question, text, sources }: ClaimSourcesQuestion,
  tools: MetricTools,
): Promise<{ readonly value: readonly SourcedClaim[] } | Unscored> {
  return askJson(
    {
      provider: options.provider,
      parameters,
      instructions,
      texts: [
        ...(question.trim() === "" ? [] : [{ title: "Question", text: question }]),
        ...sources.map((source, i) => ({ title: `Source ${i + 1}`, text: source })),
        { title: "Text whose claims are checked", text },
      ],
      limit: options.maxCharacters ?? defaultMaxCharacters,
      purpose: "claim sources",
      codes: "judge",
      read: (reply) => readClaims(reply, sources.length),
    },
    tools,
  )
}

function readClaims(
  reply: JsonValue,
  count: number,
): { readonly value: readonly SourcedClaim[] } | { readonly problem: string } {
  const listed = objectsOf(reply, "claims")
  if (!listed) return { problem: "the reply holds no list of claims" }
  const claims = listed.map((entry) => claimOf(entry, count))
  return claims.every((claim) => claim !== null) ? { value: claims } : { problem: "a claim lacks its sources" }
}

function claimOf({ claim, sources }: JsonObject, count: number): SourcedClaim | null {
  if (typeof claim !== "string" || !Array.isArray(sources)) return null
  const numbers = (sources as readonly JsonValue[]).map(Number)
  return { claim, sources: [...new Set(numbers)].filter((n) => Number.isInteger(n) && n >= 1 && n <= count) }
}

/** "supported by passage 2", "supported by passages 1, 3" or "not supported". */
export function supportWords(sources: readonly number[]): string {
  if (sources.length === 0) return "not supported"
  return `supported by ${sources.length === 1 ? "passage" : "passages"} ${sources.join(", ")}`
}
