import type { ServerEvent } from "../../capture/event-stream.ts"
import type { ReadEvents } from "../../capture/read-answer.ts"
import { type ChatContent, readChunks } from "../../capture/read-chunks.ts"
import { contentHash, type JsonObject, type JsonValue } from "../../core/json.ts"
import { jsonValue } from "../../core/json-members.ts"
import { readAnthropic } from "../../providers/anthropic/read.ts"
import { readGemini } from "../../providers/gemini/read.ts"
import { responsesQuestion } from "../../providers/openai/responses/question.ts"
import { readResponses } from "../../providers/openai/responses/read.ts"
import { listOf, member, textOf } from "../fields.ts"

/** How the calls of an interface are read. */
export interface ModelInterface {
  /** What the paths of its calls end with. */
  readonly path: RegExp
  readonly read: ReadEvents
  /** What was asked, as messages or a text; undefined: the body asks nothing of the kind. */
  question(body: JsonObject): readonly JsonValue[] | string | undefined
}

/** Chat completions, and Anthropic's messages, which gateways have on paths of their own: the answer tells which it is. */
const chat: ModelInterface = {
  path: /\/(?:chat\/completions|messages)$/,
  read: (events) => {
    const ofAnthropic = readAnthropic(events)
    return hasAnswer(ofAnthropic) ? ofAnthropic : readChunks(events)
  },
  question: ({ system, messages }) =>
    Array.isArray(messages) ? [...systemOf(system), ...listOf(messages)] : undefined,
}

const gemini: ModelInterface = {
  path: /:(?:g|streamG)enerateContent$/,
  read: (events) => readGemini(events.flatMap(listed)),
  question: ({ systemInstruction, system_instruction, contents }) =>
    contents === undefined
      ? undefined
      : [...systemOf(member(systemInstruction ?? system_instruction, "parts")), ...[contents].flat()],
}

const responses: ModelInterface = {
  path: /\/responses$/,
  read: readResponses,
  question: responsesQuestion,
}

const completions: ModelInterface = {
  path: /\/completions$/,
  read: readChunks,
  question: ({ prompt }) => textOf(prompt),
}

/** The interface that a request is one of; null for what calls no model, such as counting tokens. @param body null: it cannot be read */
export function interfaceOf(path: string, body: JsonObject | null): ModelInterface | null {
  if (/count_?tokens$/i.test(path)) return null
  const named = [chat, gemini, responses, completions].find((modelInterface) => modelInterface.path.test(path))
  if (!body) return named ?? null
  if (named) return named.question(body) === undefined ? null : named
  return [chat, gemini].find((modelInterface) => modelInterface.question(body) !== undefined) ?? null
}

/** The model that a request names: in its body, or Gemini's and Azure's in its path. */
export function requestedModel(path: string, body: JsonObject | null): string | undefined {
  return textOf(body?.model) || /\/(?:models|deployments)\/([^/:]+)/.exec(path)?.[1]
}

/** What names a session, and then a user, in a body or its metadata. */
const clusterNames = [
  ...["session_id", "conversation_id", "thread_id", "conversation"],
  ...["user_id", "user", "safety_identifier", "end_user_id"],
]

/** A hash of the session that a body names, else of the user; undefined where it names none. */
export function clusterOf(body: JsonObject): string | undefined {
  for (const name of clusterNames)
    for (const holder of [body, body.metadata]) {
      const value = member(holder, name)
      const id = textOf(member(value, "id") ?? value)
      if (id) return `c${contentHash(id, 16)}`
    }
  return undefined
}

function systemOf(content: JsonValue | undefined): readonly JsonValue[] {
  return content === undefined || content === null || content === "" ? [] : [{ role: "system", content }]
}

function hasAnswer({ text, reasoning, toolCalls, finishReason }: ChatContent): boolean {
  return text !== "" || reasoning !== "" || toolCalls.length > 0 || finishReason !== null
}

/** Without `alt=sse` Gemini streams one list, whose rows are the events. */
function listed(event: ServerEvent): readonly ServerEvent[] {
  const rows = event.isWhole ? listOf(jsonValue(event.data, undefined)) : []
  return rows.length === 0 ? [event] : rows.map((row) => ({ ...event, data: JSON.stringify(row) }))
}
