import type { JsonObject, JsonValue } from "../../core/json.ts"
import { isObject } from "../../core/json-members.ts"
import type { ParameterEffect } from "../../core/parameter-difference.ts"

/** A parameter that some endpoints refuse and that a call can do without. */
export interface RefusableParameter {
  /** Its usual name: in notes, and what other tables name it by. */
  readonly parameter: string
  /** Members of a body that hold it, by the names of all interfaces; of one within another, the path: `generationConfig.seed`; of a list, what it holds: `include.NAME`. */
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
    fields: ["seed", "random_seed", "generationConfig.seed"],
    spoken: /(?:random_?)?seed/i,
    isCommonWord: true,
    affects: "repeatability",
    loss: "answers cannot be repeated exactly",
  },
  {
    parameter: "response_format",
    fields: [
      "response_format",
      "output_config.format",
      "text.format",
      "generationConfig.responseMimeType",
      "generationConfig.responseSchema",
      "generationConfig.responseJsonSchema",
    ],
    spoken:
      /response_?format|output_(?:config\.)?format|text\.format|(?:response_?)?json_?schema|structured outputs?|response[_ ]?mime[_ ]?type|response_?schema|json mode/i,
    valueMayBeWrong: true,
    affects: "text",
    loss: "the answer's JSON is not enforced",
  },
  {
    // For interfaces that have no JSON mode: written to be noted, never sent.
    parameter: "json_mode",
    fields: ["json_mode"],
    spoken: /json_mode/i,
    affects: "text",
    loss: "the answer's JSON is asked for in the prompt alone",
  },
  {
    parameter: "logprobs",
    fields: [
      "logprobs",
      "top_logprobs",
      "include.message.output_text.logprobs",
      "generationConfig.responseLogprobs",
      "generationConfig.logprobs",
    ],
    spoken: /(?:(?:top|response)[_ ]?)?log[_ -]?prob(?:s|abilit(?:y|ies))?/i,
    affects: "measurement",
    loss: "figures from token probabilities are unknown",
  },
  {
    parameter: "encrypted_reasoning",
    fields: ["include.reasoning.encrypted_content"],
    spoken: /encrypted[_ ]?content|encrypted reasoning/i,
    affects: "text",
    loss: "the model's reasoning is not handed back with the results of its tools",
  },
  length("ignore_eos", /ignore_?eos/i),
  length("min_tokens", /min_?(?:new_)?tokens/i),
  sampling("temperature", /temperature/i),
  sampling("top_p", /top[_ -]?p|(?<=["'`])p(?=["'`])/i, "p"),
  sampling("top_k", /top[_ -]?k|(?<=["'`])k(?=["'`])/i, "k"),
  sampling("min_p", /min[_ -]?p/i),
  sampling("frequency_penalty", /frequency[_ ]?penalty/i),
  sampling("presence_penalty", /presence[_ ]?penalty/i),
  sampling("repetition_penalty", /repetition[_ ]?penalty/i),
  sampling("logit_bias", /logit[_ ]?bias/i),
  {
    parameter: "stop",
    fields: ["stop", "stop_sequences", "generationConfig.stopSequences"],
    spoken: /stop(?:[_ ]?sequences?)?/i,
    isCommonWord: true,
    affects: "text",
    loss: "answers go on behind the texts that were to end them",
  },
]

function length(parameter: string, spoken: RegExp): RefusableParameter {
  return {
    parameter,
    fields: [parameter],
    spoken,
    affects: "measurement",
    loss: "answers end where the model ends them",
  }
}

function sampling(parameter: string, spoken: RegExp, ...otherNames: readonly string[]): RefusableParameter {
  const inCamelCase = parameter.replace(/_(.)/g, (_whole, letter: string) => letter.toUpperCase())
  const fields = [parameter, ...otherNames, `generationConfig.${inCamelCase}`]
  return { parameter, fields, spoken, affects: "sampling", loss: atDefault }
}

/** The two names of the limit of tokens: where one is refused, the other is sent. */
export const limitNames = ["max_tokens", "max_completion_tokens"] as const

/** The limit of tokens as a refusable parameter: it is sent under its other name, never left out. */
export const tokenLimit = { parameter: "max_tokens", spoken: /max_?(?:completion_|output_)?tokens/i } as const

/** Members that hold parameters, by name: every request is looked through. Within one of them: the members of the inner object. */
const membersWith = new Map<string, Map<string, number>>()
for (const [number, { fields }] of refusableParameters.entries())
  for (const field of fields) {
    const [name, inner = ""] = pathOf(field)
    const within = membersWith.get(name) ?? new Map<string, number>()
    membersWith.set(name, within.set(inner, number))
  }

/** The refusable parameters that a body holds, by their usual names. */
export function parametersIn(body: JsonObject): readonly string[] {
  const held = new Set<number>()
  for (const name in body) {
    const value = body[name]
    for (const [inner, number] of membersWith.get(name) ?? [])
      if (value !== undefined && (inner === "" || holds(value, inner))) held.add(number)
  }
  const names = [...held].sort((a, b) => a - b).map((number) => refusableParameters[number]?.parameter ?? "")
  return limitNames.some((name) => body[name] !== undefined) ? [...names, tokenLimit.parameter] : names
}

/** A body without what is withheld; the limit of tokens gets its other name. */
export function withoutParameters(body: JsonObject, withheld: ReadonlySet<string>): JsonObject {
  if (withheld.size === 0) return body
  const fields = refusableParameters.flatMap((refusableParameter) =>
    withheld.has(refusableParameter.parameter) ? refusableParameter.fields : [],
  )
  const left = fields.reduce((rest, field) => withoutMember(rest, pathOf(field)), body)
  if (!withheld.has(tokenLimit.parameter)) return left
  return Object.fromEntries(Object.entries(left).map(([name, value]) => [otherName(name), value]))
}

/** A member's name, and what is meant within it. */
function pathOf(field: string): readonly [name: string, inner?: string] {
  const [, name = field, inner] = /^([^.]+)\.(.+)$/.exec(field) ?? []
  return inner === undefined ? [name] : [name, inner]
}

function holds(value: JsonValue, inner: string): boolean {
  return Array.isArray(value) ? value.includes(inner) : isObject(value) && value[inner] !== undefined
}

function withoutMember(body: JsonObject, [name, inner]: readonly [name: string, inner?: string]): JsonObject {
  const value = body[name]
  if (value === undefined || (inner !== undefined && !holds(value, inner))) return body
  const rest = inner === undefined ? undefined : withoutInner(value, inner)
  const entries = Object.entries(body).map(([key, entry]) => [key, key === name ? rest : entry] as const)
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined))
}

/** Undefined: nothing is left of a list. */
function withoutInner(value: JsonValue, inner: string): JsonValue | undefined {
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value as JsonObject).filter(([key]) => key !== inner))
  const kept = value.filter((item) => item !== inner)
  return kept.length === 0 ? undefined : kept
}

function otherName(name: string): string {
  if (name === limitNames[0]) return limitNames[1]
  return name === limitNames[1] ? limitNames[0] : name
}
