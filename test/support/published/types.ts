import type Anthropic from "@anthropic-ai/sdk"
import type { Content, GenerationConfig, SafetySetting, Tool, ToolConfig } from "@google/genai"
import type {
  AssistantMessage$Outbound,
  ChatCompletionStreamRequest$Outbound,
  ChatCompletionStreamRequestMessage$Outbound,
  ToolCall$Outbound,
} from "@mistralai/mistralai/models/components"
import type OpenAI from "openai"
import type { V2ChatStreamRequest } from "../../../node_modules/cohere-ai/serialization/resources/v2/client/requests/V2ChatStreamRequest.js"

/** Bodies of requests as the services' makers publish them, in the types of their own SDKs. */
export interface PublishedBodies {
  chat: EitherWay<OpenAI.ChatCompletionCreateParamsStreaming> & ChatElsewhere
  completions: EitherWay<OpenAI.CompletionCreateParamsStreaming>
  responses: EitherWay<OpenAI.Responses.ResponseCreateParamsStreaming>
  embeddings: OpenAI.EmbeddingCreateParams
  moderations: OpenAI.ModerationCreateParams
  batch: OpenAI.BatchCreateParams
  /** A line of a batch's file. */
  batchLine: { custom_id: string; method: "POST"; url: OpenAI.BatchCreateParams["endpoint"]; body: Unstreamed }
  messages: EitherWay<Anthropic.MessageCreateParamsStreaming>
  messageBatch: { requests: (Omit<Anthropic.Messages.BatchCreateParams.Request, "params"> & { params: Unstreamed })[] }
  generateContent: GenerateContent
  /** The SDK publishes what stands in a line alone. */
  generateContentBatch: {
    batch: {
      displayName: string
      inputConfig: { requests: { requests: { request: object; metadata: { key: string } }[] } }
    }
  }
  cohereChat: EitherWay<V2ChatStreamRequest.Raw>
  mistralChat: EitherWay<Omit<ChatCompletionStreamRequest$Outbound, "messages">> & { messages: MistralMessage[] }
}

/** Members of chat that OpenAI does not know, which servers with its interface take. Whatever else they may take is a fault where it is sent. */
interface ChatElsewhere {
  /** vLLM and llama.cpp: answers of exactly the wanted length, for `bench --fixed-length`. */
  ignore_eos?: boolean
  min_tokens?: number
  /** vLLM and llama.cpp: what tests give as `extraBody`. */
  top_k?: number
  /** No server's: the secret that `trust/secrets` gives as `extraBody`. */
  note?: string
}

/** Streamed or in one piece. */
type EitherWay<Body> = Omit<Body, "stream"> & { stream?: boolean | null }

/** Without what the SDK adds by itself: `prefix` and `index`. */
type MistralMessage =
  | Exclude<ChatCompletionStreamRequestMessage$Outbound, { role: "assistant" }>
  | (Pick<AssistantMessage$Outbound, "role" | "content"> & { tool_calls?: Omit<ToolCall$Outbound, "index">[] })

/** What stands in a batch, whose own type is that of the same request alone. */
type Unstreamed = { stream?: false; [name: string]: unknown }

/** The SDK sends what these are made of; its own methods take them in another order. */
interface GenerateContent {
  contents: Content[]
  systemInstruction?: Content
  tools?: Tool[]
  toolConfig?: ToolConfig
  generationConfig?: GenerationConfig
  safetySettings?: SafetySetting[]
  cachedContent?: string
  serviceTier?: string
}
