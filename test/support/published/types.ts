import type Anthropic from "@anthropic-ai/sdk"
import type {
  Content,
  GenerationConfig,
  SafetySetting,
  ThinkingConfig,
  ThinkingLevel,
  Tool,
  ToolConfig,
} from "@google/genai"
import type { Cohere } from "cohere-ai"
import type OpenAI from "openai"

/** Requests as the services' makers publish them, in the types of their own SDKs. */
export interface PublishedRequests {
  chat: OpenAI.ChatCompletionCreateParamsStreaming
  responses: OpenAI.Responses.ResponseCreateParamsStreaming
  messages: Anthropic.MessageCreateParamsStreaming
  /** Lines of batches, which stream nothing. */
  chatLine: OpenAI.ChatCompletionCreateParamsNonStreaming
  responsesLine: OpenAI.Responses.ResponseCreateParamsNonStreaming
  messagesLine: Anthropic.Messages.BatchCreateParams.Request
  batch: OpenAI.BatchCreateParams
  /** The SDK sends what these are made of; its own methods take them in another order. */
  generateContent: {
    contents: Content[]
    systemInstruction?: Content
    tools?: Tool[]
    toolConfig?: ToolConfig
    generationConfig?: Omit<GenerationConfig, "thinkingConfig"> & { thinkingConfig?: Thinking }
    safetySettings?: SafetySetting[]
    cachedContent?: string
    serviceTier?: string
  }
  /** In the SDK's letters: it writes them small, with underscores. */
  cohere: Cohere.V2ChatStreamRequest & { stream: true }
}

type Thinking = Omit<ThinkingConfig, "thinkingLevel"> & { thinkingLevel?: `${ThinkingLevel}` }
