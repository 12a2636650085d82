import type { JsonObject, JsonValue } from "../../../src/core/json.ts"
import { cut, type Mock, startMock, unknownMember } from "./frame.ts"

/** Members of requests, by `GenerateContentParameters` and its parts of googleapis/js-genai (2026-08-21), as the Gemini API takes them. */
const fields = {
  "": "contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent serviceTier labels",
  generation_config:
    "temperature topP topK candidateCount maxOutputTokens stopSequences seed presencePenalty frequencyPenalty responseLogprobs logprobs responseMimeType responseSchema responseJsonSchema responseModalities mediaResolution thinkingConfig speechConfig",
  "generation_config.thinking_config": "includeThoughts thinkingBudget thinkingLevel",
  content: "role parts",
  part: "text thought thoughtSignature functionCall functionResponse inlineData fileData",
  function_call: "id name args",
  inline_data: "mimeType data displayName",
  file_data: "mimeType fileUri displayName",
  function_response: "id name response",
  "tools[0]": "functionDeclarations googleSearch codeExecution urlContext",
  function_declaration: "name description parameters parametersJsonSchema response responseJsonSchema",
} as const

/**
 * Answers by the words of the last turn: `tool`, `blocked`, `unsafe`, `recite`, `long`, `garbled`, `other`, `busy`, `quota`, `broken`, `endless`,
 * `cut`; else with thoughts (when they are asked for) and text. Models whose name ends in `-lite` have no log-probabilities, those that
 * end in `-new` no seed and no temperature; those from 3 on want signed calls.
 */
export function startGeminiMock(key: string): Promise<Mock> {
  return startMock(({ url, headers, body }) => {
    const refuse = (code: number, status: string, message: string, details: JsonValue[] = []) => ({
      status: code,
      body: { error: { code, message, status, details } },
    })
    const model = /^\/v1beta\/models\/([^/:]+):streamGenerateContent\?alt=sse$/.exec(url)?.[1]
    if (model === undefined) return refuse(404, "NOT_FOUND", "Requested entity was not found.")
    if (headers["x-goog-api-key"] !== key)
      return refuse(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", [
        { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" },
      ])
    const fault = faultOf(body, model)
    if (fault !== null) return refuse(400, "INVALID_ARGUMENT", fault)
    const said = JSON.stringify((body.contents as JsonValue[]).at(-1))
    if (said.includes("busy")) return refuse(503, "UNAVAILABLE", "This model is currently experiencing high demand.")
    if (said.includes("quota"))
      return refuse(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", [
        { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [] },
        { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" },
      ])
    const more = { modelVersion: `${model}-001`, responseId: "resp-1" }
    return {
      events: chunksOf(body, said).map((chunk) =>
        chunk === cut ? cut : `data: ${JSON.stringify({ ...chunk, ...more })}\r\n\r\n`,
      ),
    }
  })
}

function unknownIn(value: JsonValue | undefined, location: keyof typeof fields): string | null {
  const name = unknownMember(value, fields[location])
  if (name === null) return null
  return `Invalid JSON payload received. Unknown name "${name}"${location && ` at '${location}'`}: Cannot find field.`
}

function faultOf(body: JsonObject, model: string): string | null {
  const config = (body.generationConfig ?? {}) as JsonObject
  const tools = (body.tools ?? []) as JsonObject[]
  const contents = body.contents as JsonObject[]
  const parts = contents.flatMap((turn) => turn.parts as JsonObject[])
  const faults = [
    unknownIn(body, ""),
    unknownIn(config, "generation_config"),
    unknownIn(config.thinkingConfig, "generation_config.thinking_config"),
    ...tools.map((tool) => unknownIn(tool, "tools[0]")),
    ...tools.flatMap((tool) =>
      ((tool.functionDeclarations ?? []) as JsonObject[]).map((own) => unknownIn(own, "function_declaration")),
    ),
    ...contents.map((turn) => unknownIn(turn, "content")),
    ...parts.map((part) => unknownIn(part, "part")),
    ...parts.map((part) => unknownIn(part.functionCall, "function_call")),
    ...parts.map((part) => unknownIn(part.inlineData, "inline_data")),
    ...parts.map((part) => unknownIn(part.fileData, "file_data")),
    ...parts.map((part) => unknownIn(part.functionResponse, "function_response")),
  ]
  const unknown = faults.find((fault) => fault !== null)
  if (unknown) return unknown
  if (contents.some(({ role }) => role !== "user" && role !== "model")) return "Please use a valid role: user, model."
  if (config.responseLogprobs && model.endsWith("-lite")) return `Logprobs is not enabled for models/${model}`
  if (config.logprobs !== undefined && !config.responseLogprobs) return "logprobs requires response_logprobs"
  if (config.temperature !== undefined && model.endsWith("-new"))
    return `Unsupported value: temperature cannot be set for models/${model}`
  if (config.seed !== undefined && model.endsWith("-new")) return "Seed is not supported for this model."
  if ((config.thinkingConfig as JsonObject | undefined)?.thinkingBudget === 0 && model.includes("pro"))
    return "Budget 0 is invalid. This model only works in thinking mode."
  const isUnsigned = (turn: JsonObject) => {
    const first = (turn.parts as JsonObject[]).find((part) => part.functionCall !== undefined)
    return first !== undefined && first.thoughtSignature === undefined
  }
  if (/gemini-[3-9]/.test(model) && contents.some(isUnsigned))
    return "Function call is missing a thought_signature in functionCall parts."
  return null
}

type Chunk = JsonObject | typeof cut

function chunksOf(body: JsonObject, said: string): Chunk[] {
  const config = (body.generationConfig ?? {}) as JsonObject
  const counts = (candidates: number, thoughts = 0): JsonObject => ({
    promptTokenCount: 100,
    cachedContentTokenCount: 40,
    candidatesTokenCount: candidates,
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    totalTokenCount: 100 + candidates + thoughts,
    promptTokensDetails: [{ modality: "TEXT", tokenCount: 100 }],
    ...(body.serviceTier !== undefined && { serviceTier: String(body.serviceTier).toUpperCase() }),
  })
  const chunk = (parts: JsonObject[], more: JsonObject = {}, usageMetadata: JsonObject = counts(2)): JsonObject => ({
    candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
    usageMetadata,
  })
  const logged = (token: string, logProbability: number): JsonObject =>
    config.responseLogprobs
      ? {
          logprobsResult: {
            chosenCandidates: [{ token, tokenId: 7, logProbability }],
            ...(config.logprobs !== undefined && {
              topCandidates: [
                {
                  candidates: [
                    { token, tokenId: 7, logProbability },
                    { token: "Rome", tokenId: 8, logProbability: -3 },
                  ],
                },
              ],
            }),
          },
        }
      : {}
  const ended = (finishReason: string, parts: JsonObject[] = [], more: JsonObject = {}) =>
    chunk(parts, { finishReason, ...more })
  if (said.includes("functionResponse")) return [ended("STOP", [{ text: "It is Paris" }])]
  if (said.includes("tool"))
    return [
      chunk([{ functionCall: { id: "fc-1", name: "look", args: { city: "Paris" } }, thoughtSignature: "EqQB" }]),
      ended("STOP", [{ functionCall: { id: "fc-2", name: "look" } }]),
    ]
  if (said.includes("blocked"))
    return [
      {
        promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
        usageMetadata: { promptTokenCount: 100, totalTokenCount: 100 },
      },
    ]
  if (said.includes("unsafe")) return [chunk([{ text: "Take" }]), ended("SAFETY")]
  if (said.includes("recite")) return [ended("RECITATION")]
  if (said.includes("long")) return [ended("MAX_TOKENS", [{ text: "It is" }])]
  if (said.includes("garbled")) return [ended("MALFORMED_FUNCTION_CALL", [], { finishMessage: "print(look)" })]
  if (said.includes("other")) return [chunk([{ text: "It" }]), ended("OTHER")]
  if (said.includes("broken"))
    return [chunk([{ text: "It" }]), { error: { code: 500, message: "An internal error.", status: "INTERNAL" } }]
  if (said.includes("endless")) return [chunk([{ text: "It is" }])]
  if (said.includes("cut")) return [chunk([{ text: "It is" }]), cut]
  const thinks = (config.thinkingConfig as JsonObject | undefined)?.includeThoughts === true
  const text = config.responseMimeType === "application/json" ? ['{"city":', '"Paris"}'] : ["It is ", "Paris"]
  return [
    ...(thinks ? [chunk([{ text: "Capital… ", thought: true }], {}, counts(0, 30))] : []),
    chunk([{ text: text[0] as string }], logged("It is ", -0.25)),
    chunk([{ text: text[1] as string }], logged("Paris", -0.5)),
    chunk([{ text: "", thoughtSignature: "EqQB" }], { finishReason: "STOP" }, counts(50, thinks ? 30 : 0)),
  ]
}
