import { UsageError } from "../../src/core/errors.ts"
import { isObject } from "../../src/core/json-members.ts"
import type { Unscored } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import { type UsedModel, usedEntailment } from "../../src/core/metric/used-model.ts"
import type { GenerationParameters, Provider } from "../../src/core/provider.ts"
import type { EntailmentModel } from "../hallucination/entailment.ts"
import { askJson, defaultMaxCharacters, objectSchema, yesOrNo } from "../judged/ask-json.ts"
import { contentWords, coverage } from "../statements/content-words.ts"
import { extractFacts, factIndex } from "../statements/facts.ts"

/** A statement and the passages that are to support it, together. */
export interface Claim {
  readonly statement: string
  readonly passages: readonly string[]
}

/** How it is decided whether passages support a statement. */
export interface Support {
  /** Part of the signature. */
  readonly identity: string
  readonly asks?: readonly Provider[]
  readonly asksWith?: readonly GenerationParameters[]
  readonly uses?: readonly UsedModel[]
  readonly close?: () => Promise<void>
  /** For each claim, in order, whether its passages support it; or why that could not be found out. */
  check(claims: readonly Claim[], tools: MetricTools): Promise<readonly boolean[] | Unscored>
}

/**
 * What a citation metric takes as `support`: `overlap` (default; words and facts, no model), a model of natural language
 * inference, or a provider whose model is asked "yes or no".
 * @public
 */
export type CitationSupport = "overlap" | EntailmentModel | Provider

/** The way to check that an option names. */
export function supportOf(option: CitationSupport, factory: string): Support {
  if (option === "overlap") return byOverlap
  if (typeof option === "object" && "entailment" in option) return byEntailment(option)
  if (typeof option === "object" && "open" in option) return byModel(option)
  throw new UsageError(`support must be "overlap", a model of natural language inference, or a provider`, {
    where: `${factory}({ support })`,
  })
}

/** Content words of a statement that must occur in its passages. */
const enoughWords = 0.5

const byOverlap: Support = {
  identity: `overlap-${enoughWords}`,
  async check(claims) {
    return claims.map(({ statement, passages }) => {
      const words = new Set(passages.flatMap(contentWords))
      const index = factIndex(passages)
      return (
        (coverage(statement, words) ?? 0) >= enoughWords && extractFacts(statement).every((fact) => index.has(fact))
      )
    })
  },
}

function byEntailment(model: EntailmentModel): Support {
  return {
    identity: model.identity,
    uses: [usedEntailment(model)],
    close: () => model.close?.() ?? Promise.resolve(),
    async check(claims, tools) {
      const pairs = claims.map(({ statement, passages }) => ({ premise: passages.join("\n"), hypothesis: statement }))
      const scores = await model.entailment(pairs, tools.signal)
      return claims.map((_, i) => (scores[i] as number) >= 0.5)
    },
  }
}

const instructions =
  "Do the passages, taken together, state or imply the statement? Use the passages alone, not what you know. " +
  'Reply with JSON: {"supported": true} or {"supported": false}.'

const schema = objectSchema({ supported: { type: "boolean" } })

function byModel(provider: Provider): Support {
  const parameters = { temperature: 0, jsonSchema: { name: "support", schema } }
  const ask = ({ statement, passages }: Claim, tools: MetricTools) =>
    askJson<boolean>(
      {
        provider,
        parameters,
        instructions,
        texts: [
          ...passages.map((text, i) => ({ title: `Passage ${i + 1}`, text })),
          { title: "Statement", text: statement },
        ],
        limit: defaultMaxCharacters,
        purpose: "citations",
        codes: "claims",
        read(reply) {
          const supported = isObject(reply) ? yesOrNo(reply.supported) : null
          return supported === null ? { problem: "the reply says neither true nor false" } : { value: supported }
        },
      },
      tools,
    )
  return {
    identity: `model-${provider.model}`,
    asks: [provider],
    asksWith: [parameters],
    async check(claims, tools) {
      const answers = await Promise.all(claims.map((claim) => ask(claim, tools)))
      const failed = answers.find((answer): answer is Unscored => "status" in answer)
      return failed ?? answers.flatMap((answer) => ("value" in answer ? [answer.value] : []))
    },
  }
}
