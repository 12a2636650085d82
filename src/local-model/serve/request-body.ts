import { z } from "zod"
import { ApiError } from "./api-error.ts"
import { jsonSchema } from "./fields/json-schema.ts"
import { unservedInChat, unservedInCompletions, unservedSampling } from "./fields/unserved-fields.ts"
import { calledTool, toolFault, toolFields } from "./tools/tool-body.ts"

const contentText = contentOf(["text"])

/** Fields that all requests for texts share. */
const sampling = {
  ...unservedSampling,
  /** As in vLLM and llama.cpp's server: the model's own end of an answer is no choice at all, or not before so many tokens. */
  ignore_eos: z.boolean().nullish(),
  min_tokens: z.int().min(0).nullish(),
  model: z.string().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  seed: z.int().nullish(),
  stop: z
    .union([z.string(), z.array(z.string()).max(16)])
    .nullish()
    .transform((stop) => (typeof stop === "string" ? [stop] : (stop ?? []))),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
}

const responseFormat = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text") }),
  z.object({ type: z.literal("json_object") }),
  z.object({
    type: z.literal("json_schema"),
    json_schema: z.object({ schema: jsonSchema }),
  }),
])

/** Alternatives to a token; of answers as many as OpenAI lists, of given texts enough to tell two distributions apart. */
const alternatives = z.int().min(0).max(1000)
const maxAnswerAlternatives = 20
const isListed = (count: number | null | undefined, { echo }: { readonly echo?: boolean | null | undefined }) =>
  (count ?? 0) <= maxAnswerAlternatives || echo === true
const tooManyAlternatives = `expected at most ${maxAnswerAlternatives} without echo`

const isGrammar = (format: { readonly type: string } | null | undefined): boolean =>
  format != null && format.type !== "text"

const chatMessage = z.discriminatedUnion("role", [
  z.object({
    role: z.enum(["system", "developer"]).transform(() => "system" as const),
    content: contentText,
  }),
  z.object({ role: z.literal("user"), content: contentText }),
  z.object({ role: z.literal("assistant"), content: contentText, tool_calls: z.array(calledTool).nullish() }),
  z.object({ role: z.literal("tool"), content: contentText, tool_call_id: z.string() }),
])

const chatSchema = z
  .object({
    ...sampling,
    ...unservedInChat,
    ...toolFields,
    messages: z.array(chatMessage).min(1),
    max_tokens: z.int().min(1).nullish(),
    max_completion_tokens: z.int().min(1).nullish(),
    logprobs: z.boolean().nullish(),
    top_logprobs: alternatives.nullish(),
    response_format: responseFormat.nullish(),
    reasoning_effort: z.string().nullish(),
    /** Options of the chat template, as in llama.cpp's server and in vLLM. */
    chat_template_kwargs: z.record(z.string(), z.unknown()).nullish(),
    /** Score the last message, which is the assistant's, instead of answering: its log-probabilities are the answer. */
    echo: z.boolean().nullish(),
  })
  .refine((body) => body.top_logprobs == null || body.logprobs === true, {
    message: "top_logprobs needs logprobs: true",
    path: ["top_logprobs"],
  })
  .refine((body) => isListed(body.top_logprobs, body), { message: tooManyAlternatives, path: ["top_logprobs"] })
  .refine((body) => !isGrammar(body.response_format) || !(body.ignore_eos || body.min_tokens), {
    message: "ignore_eos and min_tokens are not served together with a response format",
    path: ["response_format"],
  })
  .refine((body) => !body.tools?.length || body.tool_choice === "none" || !body.echo, {
    message: "tools are not served together with echo",
    path: ["tools"],
  })
  .superRefine((body, context) => {
    const fault = toolFault(body)
    if (fault) context.addIssue({ code: "custom", path: [fault.path], message: fault.message })
  })
  .refine((body) => !body.echo || (body.messages.at(-1)?.role === "assistant" && !body.stream), {
    message: "echo needs a last message of the assistant, and no stream",
    path: ["echo"],
  })

/** Prompts of one request, at most: as OpenAI limits the texts of embeddings. */
const maxPrompts = 2048

const tokenNumbers = z.array(z.int().min(0)).min(1)

const completionSchema = z
  .object({
    ...sampling,
    ...unservedInCompletions,
    prompt: z
      .union(
        [
          z.string(),
          tokenNumbers,
          z.array(z.string()).min(1).max(maxPrompts),
          z.array(tokenNumbers).min(1).max(maxPrompts),
        ],
        `expected a text, token numbers, or a list of at most ${maxPrompts} of either`,
      )
      .transform((prompt): readonly (string | readonly number[])[] =>
        typeof prompt === "string" || typeof prompt[0] === "number"
          ? [prompt as string | number[]]
          : (prompt as string[]),
      ),
    max_tokens: z.int().min(0).nullish(),
    logprobs: alternatives.nullish(),
    echo: z.boolean().nullish(),
  })
  .refine((body) => isListed(body.logprobs, body), { message: tooManyAlternatives, path: ["logprobs"] })

/** The body of `POST /v1/chat/completions`, checked. */
export type ChatBody = z.infer<typeof chatSchema>
/** The body of `POST /v1/completions`, checked. */
export type CompletionBody = z.infer<typeof completionSchema>

/** Checks a chat request; throws 400 that names the field. */
export function parseChatBody(body: unknown): ChatBody {
  return parse(chatSchema, body)
}

/** Checks a completion request; throws 400 that names the field. */
export function parseCompletionBody(body: unknown): CompletionBody {
  return parse(completionSchema, body)
}

/** Checks a body by its schema; throws 400 that names the field. */
export function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const issue = tellingIssue(result.error.issues[0] as z.core.$ZodIssue)
  const param = issue.path.reduce<string>(
    (path, key) => (typeof key === "number" ? `${path}[${key}]` : path === "" ? String(key) : `${path}.${String(key)}`),
    "",
  )
  throw new ApiError(400, `${param || "body"}: ${issue.message}`, { ...(param && { param }), code: "invalid_value" })
}

/** Of a value that fits none of several forms: what is wrong with the form that it is nearest to, where no words of ours stand for all. */
function tellingIssue(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union" || issue.message !== "Invalid input") return issue
  const faults = issue.errors.flatMap(([first]) => (first ? [tellingIssue(first)] : []))
  const nearest = faults.toSorted((a, b) => b.path.length - a.path.length)[0]
  return nearest && nearest.path.length > 0 ? { ...nearest, path: [...issue.path, ...nearest.path] } : issue
}

/**
 * The text of a message: a text, or a list of parts of these types. A part of another type (a picture, a recording, a file) is named in the
 * refusal.
 */
function contentOf(types: readonly [string, ...string[]]) {
  const part = z.object({ type: z.enum(types), text: z.string() })
  return z
    .union([z.string(), z.array(part).transform((parts) => parts.map(({ text }) => text).join(""))], {
      error: ({ input }) => refusal(input, types),
    })
    .nullish()
    .transform((content) => content ?? "")
}

function refusal(content: unknown, types: readonly string[]): string {
  for (const part of Array.isArray(content) ? content : []) {
    const type: unknown = part?.type
    if (typeof type === "string" && !types.includes(type))
      return `the model reads texts only: a part of the type ${JSON.stringify(type.slice(0, 40))} cannot be served`
  }
  return "expected a text or a list of text parts"
}
