import type { Distribution } from "./report.ts"

/**
 * What the server said of its own time in the answers of a variant, beside the client's view. Milliseconds of the server's clock;
 * what it does not state is absent, never 0.
 * @public
 */
export interface ServerPhases {
  /** Answers that came with timings. */
  readonly answers: number
  /** Whose form the timings have: `llama.cpp`, `Ollama`, `vLLM`, `Groq`. */
  readonly source: string
  /** Waiting inside the server. */
  readonly queueMs?: Distribution
  /** Loading the model for the request. */
  readonly loadMs?: Distribution
  /** Reading the prompt. */
  readonly prefillMs?: Distribution
  /** From the first token to the last. */
  readonly decodeMs?: Distribution
  /** The client's time to the first token less the server's phases: network, HTTP, tokenizer. Where queue is absent: with the queue. */
  readonly networkMs?: Distribution
  /** The client's time to the end of the answer less the server's total. Below 0: one of the two clocks is wrong. */
  readonly beyondServerMs?: Distribution
  /** The client's time from first to last chunk less the server's decode time without its last two tokens. Below 0: chunks were held back. */
  readonly streamLessDecodeMs?: Distribution
  /** Tokens that were guessed ahead, and those of them that were kept. */
  readonly drafted?: number
  readonly accepted?: number
}
