import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import { type Unscored, unscored } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import type { GenerationParameters, Provider } from "../../src/core/provider.ts"
import { inputText, type Sample } from "../../src/core/sample.ts"
import { askJson, listSchema, objectSchema, objectsOf, yesOrNo } from "../judged/ask-json.ts"
import type { JudgedPart } from "../judged/judged-metric.ts"
import { splitSentences } from "../statements/sentences.ts"
import type { Offence } from "./detector-row.ts"

/** A claim of an answer, the number of its sentence from 1, and whether the sources support it. */
export interface Claim {
  readonly sentence: number
  readonly claim: string
  readonly supported: boolean
}

/** The claims of one answer, as people read them, and the places of the unsupported ones. */
export interface CheckedClaims {
  readonly claims: readonly Claim[]
  readonly checks: readonly JudgedPart[]
  readonly offences: readonly Offence[]
}

const instructions =
  "Split the answer into its single factual claims. Judge each claim against the source alone, not against what you know. " +
  'Reply with JSON: {"claims": [{"sentence": number of the sentence it stands in, "claim": "…", "supported": true or false}]}. ' +
  "An answer without factual claims has an empty list."

/** Form of the reply. */
export const claimsReply = {
  name: "claims",
  schema: listSchema(
    "claims",
    objectSchema({ sentence: { type: "integer" }, claim: { type: "string" }, supported: { type: "boolean" } }),
  ),
} as const

/** The claims of an answer, checked by a model against the passages, or against the references where there are none: one call. */
export async function checkClaims(
  asked: { readonly provider: Provider; readonly parameters: GenerationParameters; readonly maxCharacters: number },
  sample: Sample,
  text: string,
  tools: MetricTools,
): Promise<{ readonly value: CheckedClaims } | Unscored> {
  const source = sample.context.length > 0 ? sample.context : sample.references
  if (source.length === 0) return unscored("no_context", "neither passages nor references to check against")
  const sentences = splitSentences(text)
  if (sentences.length === 0) return unscored("empty_output")
  const reply = await askJson(
    {
      ...asked,
      instructions,
      texts: [
        { title: "Question", text: inputText(sample) },
        ...source.map((passage, i) => ({ title: `Source ${i + 1}`, text: passage })),
        {
          title: "Answer, its sentences numbered",
          text: sentences.map((sentence, i) => `${i + 1}. ${sentence.text}`).join("\n"),
        },
      ],
      limit: asked.maxCharacters,
      purpose: "claims",
      codes: "claims",
      read: readClaims,
    },
    tools,
  )
  if ("status" in reply) return reply
  const claims = reply.value
  const offences = claims.flatMap(({ sentence, claim, supported }) => {
    const piece = supported ? undefined : sentences[sentence - 1]
    return piece ? [{ text: piece.text, start: piece.start, reason: `not supported: ${claim.slice(0, 300)}` }] : []
  })
  const checks = claims.map(({ claim, supported }) => ({ said: supported ? "supported" : "not supported", of: claim }))
  return { value: { claims, checks, offences } }
}

function readClaims(reply: JsonValue): { readonly value: readonly Claim[] } | { readonly problem: string } {
  const listed = objectsOf(reply, "claims")
  if (!listed) return { problem: "the reply holds no list of claims" }
  const claims = listed.map(claimOf)
  return claims.every((claim) => claim !== null) ? { value: claims } : { problem: "a claim lacks its verdict" }
}

function claimOf(value: JsonObject): Claim | null {
  const supported = yesOrNo(value.supported)
  if (supported === null) return null
  const sentence = Number(value.sentence)
  return { sentence: Number.isInteger(sentence) ? sentence : 0, claim: String(value.claim ?? ""), supported }
}
