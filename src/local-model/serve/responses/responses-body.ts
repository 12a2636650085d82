import { z } from "zod"
import { ApiError } from "../api-error.ts"
import { jsonSchema } from "../fields/json-schema.ts"
import { contentOf } from "../fields/message-content.ts"
import { unservedInChat, unservedInResponses } from "../fields/unserved-fields.ts"
import { type ChatBody, parse, parseChatBody } from "../request-body.ts"

const contentText = contentOf(["input_text", "output_text", "text"])

const message = z.object({
  type: z.literal("message"),
  role: z.enum(["system", "developer", "user", "assistant"]),
  content: contentText,
})
const call = z.object({
  type: z.literal("function_call"),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
})
const result = z.object({ type: z.literal("function_call_output"), call_id: z.string(), output: contentText })
/** What reasoning models hand back of an earlier answer; these models have none. */
const reasoning = z.object({ type: z.literal("reasoning") })
const item = z.preprocess(
  // A message need not say what it is.
  (one) => (one !== null && typeof one === "object" && !("type" in one) ? { ...one, type: "message" } : one),
  z.discriminatedUnion(
    "type",
    [call, result, reasoning, message],
    "expected a message, a function_call or a function_call_output",
  ),
)

const functionTool = z.object({
  type: z.literal("function", "functions are served, no other tools"),
  name: z.string(),
  description: z.string().nullish(),
  parameters: jsonSchema.nullish(),
})

const responsesSchema = z.object({
  model: z.string().nullish(),
  input: z.union([z.string(), z.array(item).min(1)]),
  instructions: z.string().nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  include: z.array(z.string()).nullish(),
  tools: z.array(functionTool).nullish(),
  tool_choice: z
    .union([
      z.enum(["none", "auto", "required"]),
      z.object({ type: z.literal("function"), name: z.string() }),
      z.object({
        type: z.literal("allowed_tools"),
        mode: z.enum(["auto", "required"]),
        tools: z.array(z.object({ type: z.literal("function"), name: z.string() })).min(1),
      }),
    ])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  text: z
    .object({
      format: z
        .discriminatedUnion("type", [
          z.object({ type: z.literal("text") }),
          z.object({ type: z.literal("json_object") }),
          z.object({ type: z.literal("json_schema"), schema: jsonSchema }),
        ])
        .nullish(),
      verbosity: unservedInChat.verbosity,
    })
    .nullish(),
  stream: z.boolean().nullish(),
  ...unservedInResponses,
  reasoning: z.object({ effort: z.string().nullish() }).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
})

/** The body of `POST /v1/responses`, checked. */
export type ResponsesBody = z.infer<typeof responsesSchema>

/** A request of the newer kind, and the chat request that asks the same. */
export interface ResponsesRequest {
  readonly asked: ResponsesBody
  readonly chat: ChatBody
}

/** Checks a request of the newer kind; throws 400 that names the field. */
export function parseResponsesBody(body: unknown): ResponsesRequest {
  const asked = parse(responsesSchema, body)
  const { tool_choice: choice, text, include } = asked
  const format = text?.format
  const logprobs = include?.includes("message.output_text.logprobs") || asked.top_logprobs != null
  const chat = {
    model: asked.model,
    messages: messagesOf(asked),
    max_completion_tokens: asked.max_output_tokens,
    temperature: asked.temperature,
    top_p: asked.top_p,
    ...(logprobs && { logprobs: true, top_logprobs: asked.top_logprobs ?? 0 }),
    tools: asked.tools?.map(({ type, ...fields }) => ({ type, function: fields })),
    tool_choice: chatChoice(choice),
    parallel_tool_calls: asked.parallel_tool_calls,
    response_format:
      format?.type === "json_schema" ? { type: format.type, json_schema: { schema: format.schema } } : format,
    reasoning_effort: asked.reasoning?.effort,
    stream: asked.stream,
  }
  return { asked, chat: parseChatBody(chat) }
}

/** A choice of functions in the words of chat requests. */
function chatChoice(choice: ResponsesBody["tool_choice"]): unknown {
  if (typeof choice !== "object" || choice === null) return choice
  if (choice.type === "function") return { type: "function", function: { name: choice.name } }
  const tools = choice.tools.map(({ name }) => ({ type: "function", function: { name } }))
  return { type: "allowed_tools", allowed_tools: { mode: choice.mode, tools } }
}

type Message = Readonly<Record<string, unknown>>

/** Calls that follow each other, and the text before them, are one turn of the assistant. */
function messagesOf({ input, instructions }: ResponsesBody): readonly Message[] {
  const messages: Message[] = instructions ? [{ role: "system", content: instructions }] : []
  if (typeof input === "string") return [...messages, { role: "user", content: input }]
  for (const one of input) {
    if ("role" in one) messages.push({ role: one.role, content: one.content })
    else if (one.type === "function_call_output")
      messages.push({ role: "tool", tool_call_id: one.call_id, content: one.output })
    else if (one.type === "function_call") {
      const made = { id: one.call_id, type: "function", function: { name: one.name, arguments: one.arguments } }
      const last = messages.at(-1)
      if (last?.role === "assistant")
        messages[messages.length - 1] = { ...last, tool_calls: [...((last.tool_calls as unknown[]) ?? []), made] }
      else messages.push({ role: "assistant", content: "", tool_calls: [made] })
    }
  }
  if (messages.length === 0)
    throw new ApiError(400, "input: it holds no message", { param: "input", code: "invalid_value" })
  return messages
}
