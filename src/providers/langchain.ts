import { UsageError } from "../core/errors.ts"
import { contentHash } from "../core/json.ts"
import { checkOptions } from "../core/options.ts"
import type { Provider } from "../core/provider.ts"
import { anyMedia } from "./client/any-media.ts"
import { modelOf, nameOf, shapeOf } from "./langchain/look.ts"
import { openRunnableSession } from "./langchain/session.ts"
import type { FromRunnableOptions, LangChainRunnable } from "./langchain/types.ts"

/**
 * A runnable of LangChain as a provider: a chat model, or a chain. It is streamed; text, thinking, calls of tools, finish reason, the
 * model's name and `usage_metadata` are read from what comes and from the callbacks, so that a chain that ends in a parser has its usage,
 * too, and one that calls several models the sum. Errors keep the class of their HTTP status, and a run that is interrupted aborts the
 * call.
 *
 * Sampling is the runnable's own: `parameters` of the variant are not sent, but for `stop` and `tools`, and a note says so. LangChain sends
 * by transports of its own: time to first token and total time are taken where its stream hands parts on; wire stamps are not known. It
 * also tries again by itself: make the model with `maxRetries: 0`, or failed attempts hide in a slow answer (a note says so, too).
 *
 * @throws UsageError when `runnable` is none
 * @example
 * const chain = promptTemplate.pipe(new ChatOpenAI({ model: "gpt-5.4-mini", maxRetries: 0 })).pipe(new StringOutputParser())
 * fromRunnable(chain, { input: ({ sample }) => ({ question: sample?.input }) })
 * @public
 */
export function fromRunnable(runnable: LangChainRunnable, options: FromRunnableOptions = {}): Provider {
  checkOptions("fromRunnable", options)
  if (typeof Object(runnable).stream !== "function")
    throw new UsageError("fromRunnable needs a runnable of LangChain", {
      where: `got ${runnable === null ? "null" : typeof runnable}`,
      hint: "give it a chat model, or a chain made with pipe()",
    })
  const name = options.name ?? nameOf(runnable)
  const model = options.model ?? modelOf(runnable) ?? name
  const { price, concurrency, input, output, callOptions } = options
  const written = (own: ((...args: never[]) => unknown) | undefined) =>
    own ? contentHash(Function.prototype.toString.call(own)) : null
  return {
    kind: "langchain",
    traits: { service: null, media: anyMedia, ...(input && { sendsItsOwn: true }) },
    model,
    label: `langchain ${name}${name === model ? "" : ` ${model}`}`,
    endpoint: `langchain:${name}`,
    identity: {
      kind: "langchain",
      name,
      model,
      version: options.version ?? null,
      input: written(input),
      output: written(output),
    },
    // How it is built may hold addresses and headers.
    privateIdentity: () => ({ built: shapeOf(runnable), callOptions: callOptions ?? {} }),
    ...(price && { price }),
    ...(concurrency !== undefined && { concurrency }),
    open: () => Promise.resolve(openRunnableSession(runnable, options)),
  }
}
