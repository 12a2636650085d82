import type { JsonObject, JsonValue } from "../../core/json.ts"
import type { ParameterEffect } from "../../core/parameter-difference.ts"

/** A parameter that some endpoints refuse and that a call can do without. */
export interface RefusableParameter {
  /** Its usual name: in notes, and what other tables name it by. */
  readonly parameter: string
  /** Members of a flat body that hold it. */
  readonly fields: readonly string[]
  /** How endpoints speak of it. */
  readonly spoken: RegExp
  /** A word of everyday language: named in quotes, or beside words of refusal. */
  readonly isCommonWord?: boolean
  /** Its value can be at fault: refused only where the endpoint says that it does not support it. */
  readonly valueMayBeWrong?: boolean
  readonly affects: ParameterEffect
  /** What a report loses; a sentence's end. */
  readonly loss: string
}

const atDefault = "answers are sampled as the endpoint does by itself"

/** Left out when an endpoint refuses it. A limit of tokens never is: see {@link limitNames}. */
export const refusableParameters: readonly RefusableParameter[] = [
  {
    parameter: "stream_options",
    fields: ["stream_options"],
    spoken: /stream_options|include_usage/i,
    affects: "measurement",
    loss: "token counts are known only where it sends them unasked",
  },
  {
    parameter: "seed",
    fields: ["seed", "random_seed"],
    spoken: /(?:random_?)?seed/i,
    isCommonWord: true,
    affects: "repeatability",
    loss: "answers cannot be repeated exactly",
  },
  {
    parameter: "response_format",
    fields: ["response_format"],
    spoken: /response_?format|json_?schema|structured outputs?/i,
    valueMayBeWrong: true,
    affects: "text",
    loss: "the answer's JSON is not enforced",
  },
  {
    parameter: "logprobs",
    fields: ["logprobs", "top_logprobs"],
    spoken: /(?:top[_ ]?)?log[_ -]?prob(?:s|abilit(?:y|ies))?/i,
    affects: "measurement",
    loss: "figures from token probabilities are unknown",
  },
  sampling("temperature", /temperature/i),
  sampling("top_p", /top[_ -]?p/i),
  sampling("top_k", /top[_ -]?k/i),
  sampling("min_p", /min[_ -]?p/i),
  sampling("frequency_penalty", /frequency[_ ]?penalty/i),
  sampling("presence_penalty", /presence[_ ]?penalty/i),
  sampling("repetition_penalty", /repetition[_ ]?penalty/i),
  sampling("logit_bias", /logit[_ ]?bias/i),
  {
    parameter: "stop",
    fields: ["stop", "stop_sequences"],
    spoken: /stop(?:[_ ]?sequences?)?/i,
    isCommonWord: true,
    affects: "text",
    loss: "answers go on behind the texts that were to end them",
  },
]

function sampling(parameter: string, spoken: RegExp): RefusableParameter {
  return { parameter, fields: [parameter], spoken, affects: "sampling", loss: atDefault }
}

/** The two names of the limit of tokens: where one is refused, the other is sent. */
export const limitNames = ["max_tokens", "max_completion_tokens"] as const

/** The limit of tokens as a refusable parameter: it is sent under its other name, never left out. */
export const tokenLimit = { parameter: "max_tokens", spoken: /max_?(?:completion_|output_)?tokens/i } as const

/** The refusable parameters that a flat body holds, by their usual names. */
export function parametersIn(body: JsonObject): readonly string[] {
  const held = refusableParameters.filter(({ fields }) => fields.some((field) => body[field] !== undefined))
  const limit = limitNames.some((name) => body[name] !== undefined) ? [tokenLimit.parameter] : []
  return [...held.map(({ parameter }) => parameter), ...limit]
}

/** A flat body without what is withheld; the limit of tokens gets its other name. */
export function withoutParameters(body: JsonObject, withheld: ReadonlySet<string>): JsonObject {
  if (withheld.size === 0) return body
  const fields = new Set(refusableParameters.flatMap((one) => (withheld.has(one.parameter) ? one.fields : [])))
  const entries = Object.entries(body).flatMap(([name, value]): [string, JsonValue][] => {
    if (fields.has(name)) return []
    return [[withheld.has(tokenLimit.parameter) ? otherName(name) : name, value]]
  })
  return Object.fromEntries(entries)
}

function otherName(name: string): string {
  if (name === limitNames[0]) return limitNames[1]
  return name === limitNames[1] ? limitNames[0] : name
}
