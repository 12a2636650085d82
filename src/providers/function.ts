import type { Price } from "../core/cost.ts"
import { UsageError } from "../core/errors.ts"
import { contentHash } from "../core/json.ts"
import { checkOptions } from "../core/options.ts"
import type { Provider } from "../core/provider.ts"
import { anyMedia } from "./client/any-media.ts"
import { callFunction } from "./function/call-function.ts"
import type { AnswerFunction } from "./function/types.ts"
import { unknownResources } from "./unknown-resources.ts"

/** Options of {@link fromFunction}. @public */
export interface FromFunctionOptions {
  /** For reports. Default: the function's own name, or `function`. */
  readonly name?: string
  /**
   * Change it when something behind the function changes (an index, a prompt, a module that it imports): the identity of a run
   * and the response cache see the function's own text and this, and nothing else.
   */
  readonly version?: string
  /** The model behind it, for people. Default: `name`. */
  readonly model?: string
  readonly quantization?: string
  /** What its tokens cost; without it and without `costUsd` in replies the cost is unknown. */
  readonly price?: Price
  /** Calls at once, at most. Default: the run's own limit. */
  readonly concurrency?: number
}

/**
 * Your own pipeline, retrieval chain or agent as a provider. What the function returns is what metrics, `show` and the page see; what
 * it throws is a failure of that sample. It runs in evalkit's own process: work that keeps the thread busy delays every other
 * call, so put heavy work behind a server or a worker.
 *
 * A budget in dollars or tokens sets aside for each call what the dearest call before it really used, for what the function sends on is
 * its own business; its first call runs alone and is measured by its rendered prompt.
 *
 * The function gets the sample without its answer key. An error with a numeric `status` counts as that HTTP status (429 and 5xx
 * are tried again), any other as `application_error`, which is final.
 *
 * @throws UsageError when `answer` is no function
 * @example
 * fromFunction(async ({ messages, stage, signal }) => {
 *   const question = messages.at(-1)?.content ?? ""
 *   const passages = await stage("retrieve", () => search(question, { signal }))
 *   const text = await stage("generate", () => ask(question, passages, { signal }))
 *   return { text, passages }
 * }, { name: "rag" })
 * @public
 */
export function fromFunction(answer: AnswerFunction, options: FromFunctionOptions = {}): Provider {
  checkOptions("fromFunction", options)
  if (typeof answer !== "function")
    throw new UsageError("fromFunction needs a function", {
      where: `got ${answer === null ? "null" : typeof answer}`,
      hint: 'write for example fromFunction(async ({ messages }) => "text")',
    })
  const name = options.name ?? (answer.name || "function")
  const { price, concurrency, quantization } = options
  return {
    kind: "function",
    // What it does with them is its own business.
    traits: { sendsItsOwn: true, media: anyMedia },
    model: options.model ?? name,
    label: `function ${name}`,
    endpoint: `function:${name}`,
    lane: "function",
    identity: {
      kind: "function",
      name,
      version: options.version ?? null,
      model: options.model ?? null,
      source: contentHash(Function.prototype.toString.call(answer)),
    },
    ...(price && { price }),
    ...(concurrency !== undefined && { concurrency }),
    ...(quantization !== undefined && { quantization }),
    open: () =>
      Promise.resolve({
        request: (request, requestOptions) => callFunction(answer, request, requestOptions),
        resources: () => Promise.resolve(insideEvalkit),
        notes: () => [],
        close: () => Promise.resolve(),
      }),
  }
}

const insideEvalkit = unknownResources(
  "the function runs inside evalkit's own process, so its share of memory and CPU cannot be seen",
)
