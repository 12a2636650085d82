import { z } from "zod"
import { jsonSchema } from "../fields/json-schema.ts"
import { neutral } from "../fields/unserved-fields.ts"
import { isSteered, parse, sampling } from "../request-body.ts"
import { readGrammar } from "./served-grammar.ts"

/** What `/completion` does where a request says nothing, as in llama.cpp's server. */
export const defaults = {
  n_predict: -1,
  seed: -1,
  temperature: 0.8,
  top_k: 40,
  top_p: 0.95,
  min_p: 0.05,
  presence_penalty: 0,
  frequency_penalty: 0,
  ignore_eos: false,
  stop: [] as readonly string[],
  stream: false,
  n_probs: 0,
  cache_prompt: false,
} as const

/** More than any vocabulary has: the whole distribution may be asked for. */
const mostProbabilities = 1_000_000

const completionSchema = z
  .object({
    ...sampling,
    // The most likely token is asked for in two ways.
    temperature: z.number().max(100).nullish(),
    prompt: z.union([z.string(), z.array(z.int().min(0)).min(1)], "one prompt is served: a text, or token numbers"),
    n_predict: z.int().min(-1).nullish(),
    n_probs: z.int().min(0).max(mostProbabilities).nullish(),
    post_sampling_probs: z
      .literal(false, "it is not served: probabilities are the model's own, before anything is drawn")
      .nullish(),
    return_tokens: z.boolean().nullish(),
    json_schema: jsonSchema.nullish(),
    grammar: z
      .string()
      .nullish()
      .transform((text, context) => {
        if (!text) return null
        const grammar = readGrammar(text)
        if (grammar) return grammar
        context.addIssue({
          code: "custom",
          message:
            "of grammars, token numbers (root ::= <[5]> <[6]>) and letters (root ::= [a-z]+) are served; or send json_schema",
        })
        return z.NEVER
      }),
    n: neutral(1),
    n_cmpl: neutral(1),
    id_slot: neutral(-1, "requests get the slot that suits them"),
  })
  .refine((body) => !body.json_schema || !body.grammar, { message: "send one of both", path: ["grammar"] })
  .refine((body) => (!body.json_schema && !body.grammar) || !isSteered(body), {
    message: "penalties, logit_bias, ignore_eos and min_tokens are not served together with it",
    path: ["grammar"],
  })

/** The body of `POST /completion`, checked, with what it leaves out. */
export type NativeBody = z.infer<typeof completionSchema> & { readonly settings: Settings }

/** How an answer is made, in the words of llama.cpp's server. */
export type Settings = { readonly [Name in keyof typeof defaults]: Widened<(typeof defaults)[Name]> }

type Widened<Value> = Value extends number ? number : Value extends boolean ? boolean : Value

/** Checks a request of llama.cpp's own kind; throws 400 that names the field. */
export function parseNativeBody(json: unknown): NativeBody {
  const body = parse(completionSchema, json)
  const given = Object.entries(defaults).map(([name, value]) => [name, body[name as keyof typeof defaults] ?? value])
  return { ...body, settings: Object.fromEntries(given) as Settings }
}
