/**
 * What evalkit needs of a language model of the Vercel AI SDK: those of `ai` 5 (specification v2) and 6 (v3), such as `openai("gpt-5.4-mini")`
 * of `@ai-sdk/openai`.
 * @public
 */
export interface AiSdkModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  /** Begins one streamed call, without retries of its own. */
  doStream(options: never): PromiseLike<{ readonly stream: object }>
}
