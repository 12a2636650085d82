import type { JsonObject, JsonValue } from "../../core/json.ts"
import { asMembers, parseJson } from "../../core/json-members.ts"
import type { ContentPart } from "../../core/media/part.ts"
import type { ChatMessage, ToolCall } from "../../core/message.ts"
import type { GenerationParameters, ModelRequest } from "../../core/provider.ts"
import { type BodyPart, mergeBodies } from "../dialect/body.ts"
import { base64Of } from "../dialect/media.ts"
import type { GeminiOptions } from "./options.ts"

/** The body of a streamed `generateContent`. What was not asked for is left out. */
export function writeGemini({ messages, parameters }: ModelRequest, options: GeminiOptions): JsonObject {
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => ({ text: content }))
  const tools = parameters.tools ?? []
  const body = {
    systemInstruction: system.length > 0 ? { parts: system } : undefined,
    contents: turnsOf(messages, needsSignatures(options.model)),
    tools: tools.length > 0 ? [{ functionDeclarations: tools.map(declaration) }] : undefined,
    generationConfig: generationConfig(parameters, options.thinking),
    serviceTier: options.serviceTier,
  }
  return mergeBodies(body, options.extraBody, parameters.extra)
}

function declaration({
  name,
  description,
  parameters,
}: NonNullable<GenerationParameters["tools"]>[number]): JsonObject {
  return { name, ...(description !== undefined && { description }), parametersJsonSchema: parameters }
}

function generationConfig(parameters: GenerationParameters, thinking: GeminiOptions["thinking"]): BodyPart {
  const { topLogprobs = null, jsonSchema, structured = "schema" } = parameters
  return {
    temperature: parameters.temperature,
    topP: parameters.topP,
    maxOutputTokens: parameters.maxTokens,
    stopSequences: parameters.stop,
    seed: parameters.seed,
    responseLogprobs: topLogprobs === null ? undefined : true,
    logprobs: topLogprobs ? topLogprobs : undefined,
    responseMimeType: jsonSchema && structured !== "prompt" ? "application/json" : undefined,
    responseJsonSchema: structured === "schema" ? jsonSchema?.schema : undefined,
    thinkingConfig: thinkingConfig(thinking),
  }
}

function thinkingConfig(thinking: GeminiOptions["thinking"]): JsonObject | undefined {
  if (thinking === undefined) return undefined
  if (thinking === "off") return { thinkingBudget: 0 }
  // Without this, thoughts are billed and not shown.
  const shown = { includeThoughts: true }
  if (thinking === "dynamic") return { ...shown, thinkingBudget: -1 }
  if (typeof thinking === "number") return { ...shown, thinkingBudget: thinking }
  return { ...shown, thinkingLevel: thinking.toUpperCase() }
}

interface Turn {
  readonly [name: string]: JsonValue
  readonly role: "user" | "model"
  readonly parts: JsonObject[]
}

/** Results of tools are a user's turn, all of one round together; each names the tool whose call it answers. */
function turnsOf(messages: readonly ChatMessage[], signed: boolean): Turn[] {
  const turns: Turn[] = []
  const toolNames = new Map<string, string>()
  let answering = false
  for (const message of messages) {
    if (message.role === "system") continue
    if (message.role === "tool") {
      const part = resultPart(message, toolNames)
      if (answering) turns.at(-1)?.parts.push(part)
      else turns.push({ role: "user", parts: [part] })
    } else {
      const { toolCalls = [] } = message
      for (const [index, call] of toolCalls.entries()) toolNames.set(idOf(call, index), call.name)
      const calls = toolCalls.map((call, index) => callPart(call, index, signed))
      const words = message.content === "" && calls.length > 0 ? [] : [{ text: message.content }]
      const said = message.parts?.map(partOf) ?? words
      turns.push({ role: message.role === "assistant" ? "model" : "user", parts: [...said, ...calls] })
    }
    answering = message.role === "tool"
  }
  return turns
}

/** Bytes are `inlineData`; an address is `fileData`, with the kind that its ending tells. */
function partOf(part: ContentPart): JsonObject {
  if (part.type === "text") return { text: part.text }
  if (part.type !== "image_url") {
    const mimeType = part.mediaType === "audio/mpeg" ? "audio/mp3" : part.mediaType
    return { inlineData: { mimeType, data: base64Of(part) } }
  }
  const ending = /\.(png|jpe?g|webp)$/i.exec(new URL(part.url).pathname)?.[1]?.toLowerCase()
  const mimeType = ending && `image/${ending === "jpg" ? "jpeg" : ending}`
  return { fileData: { ...(mimeType && { mimeType }), fileUri: part.url } }
}

function resultPart({ content, toolCallId = "" }: ChatMessage, toolNames: ReadonlyMap<string, string>): JsonObject {
  const name = toolNames.get(toolCallId)
  if (name === undefined)
    throw new Error(`a tool's result answers the call "${toolCallId}", which no message before it makes`)
  const parsed = parseJson(content)
  const response = ("value" in parsed && asMembers(parsed.value)) || { output: content }
  return { functionResponse: { id: toolCallId, name, response: response as JsonObject } }
}

function callPart(call: ToolCall, index: number, signed: boolean): JsonObject {
  const args = asMembers(call.arguments) ?? { text: call.arguments }
  const signature = typeof call.thought === "string" ? call.thought : signed && index === 0 ? unsigned : null
  return {
    functionCall: { id: idOf(call, index), name: call.name, args: args as JsonObject },
    ...(signature !== null && { thoughtSignature: signature }),
  }
}

function idOf({ id }: ToolCall, index: number): string {
  return id ?? `call_${index}`
}

/** What stands for the signature of a call that the model did not make itself (ai.google.dev/gemini-api/docs/thought-signatures). */
const unsigned = "skip_thought_signature_validator"

/** From Gemini 3 on, the first call of each turn in a history must be signed. */
function needsSignatures(model: string): boolean {
  return !/gemini-[12](?!\d)/i.test(model)
}
