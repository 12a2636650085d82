// `evalkit/providers`: providers, encoders, and local models.

export * from "./core/batch/batch-error.ts"
export * from "./core/batch/batch-service.ts"
export * from "./core/clock.ts"
export * from "./core/episode/design.ts"
export * from "./core/episode/episode.ts"
export * from "./core/episode/step.ts"
export * from "./core/episode/tool-outcome.ts"
export * from "./core/generation.ts"
export type {
  AudioPart,
  AudioType,
  BytesPart,
  ContentPart,
  ImageDetail,
  ImagePart,
  ImageType,
  ImageUrlPart,
  MediaPart,
  TextPart,
} from "./core/media/part.ts"
export * from "./core/message.ts"
export type { Metered, ServiceEstimate, ServiceUse } from "./core/metric/metered.ts"
export * from "./core/outcome.ts"
export * from "./core/parameter-difference.ts"
export * from "./core/provider.ts"
export * from "./core/rate-limits.ts"
export * from "./core/request-log.ts"
export { type Usage, unknownUsage } from "./core/usage.ts"
export { type ClassifierOptions, classifier } from "./encoders/classifier/classifier.ts"
export { type CrossEncoderOptions, crossEncoder } from "./encoders/classifier/cross-encoder.ts"
export { entailmentModel } from "./encoders/classifier/entailment-model.ts"
export type { KnownForm } from "./encoders/classifier/known-forms.ts"
export type { ModelOptions } from "./encoders/classifier/open-model.ts"
export {
  type EmbeddingUsage,
  type MeteredEmbedder,
  type OpenaiEmbeddingsOptions,
  openaiEmbeddings,
} from "./encoders/embedder/openai-embeddings.ts"
export { type TransformersOptions, transformers } from "./encoders/embedder/transformers.ts"
export { type OpenaiModerationOptions, openaiModeration } from "./encoders/moderation/openai-moderation.ts"
export { type EnsureQuantizedOptions, ensureQuantized } from "./local-model/gguf/ensure-quantized.ts"
export * from "./local-model/gguf/gguf-file.ts"
export { type QuantizationType, type QuantizeOptions, quantizeGguf } from "./local-model/gguf/quantize-gguf.ts"
export { readGguf } from "./local-model/gguf/read-gguf.ts"
export type { TensorType } from "./local-model/gguf/tensor-type.ts"
export type { WrittenGguf } from "./local-model/gguf/write-gguf.ts"
export * from "./providers/ai-sdk/types.ts"
export { type FromAiSdkOptions, fromAiSdk } from "./providers/ai-sdk.ts"
export type { AnthropicOptions } from "./providers/anthropic/options.ts"
export { anthropic } from "./providers/anthropic.ts"
export type { CohereOptions } from "./providers/cohere/options.ts"
export { cohere } from "./providers/cohere.ts"
export { type CommandOptions, command } from "./providers/command.ts"
export type { ServiceOptions } from "./providers/dialect/options.ts"
export { type FallbackOptions, fallback } from "./providers/fallback.ts"
export * from "./providers/function/types.ts"
export { type FromFunctionOptions, fromFunction } from "./providers/function.ts"
export type { GeminiOptions } from "./providers/gemini/options.ts"
export { gemini } from "./providers/gemini.ts"
export { type HttpOptions, http } from "./providers/http.ts"
export * from "./providers/langchain/types.ts"
export { fromRunnable } from "./providers/langchain.ts"
export { type LocalOptions, local } from "./providers/local.ts"
export type { EndpointFeatures, OpenaiOptions, Transport } from "./providers/openai/options.ts"
export { openai } from "./providers/openai.ts"
export * from "./providers/presets.ts"
export type { RecordedRow } from "./providers/recorded/recorded-row.ts"
export { type RecordedOptions, recorded } from "./providers/recorded.ts"
export type { ServerOptions } from "./providers/server/options.ts"
export { textScorer } from "./providers/text-scorer.ts"
export type { Readiness } from "./serving/readiness.ts"
