import { UsageError } from "../../src/core/errors.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { Perturbation } from "./perturbation.ts"

/** The context passages in another order. @public */
export function contextOrder(options: { readonly name?: string } = {}): Perturbation {
  checkOptions("perturb.contextOrder", options)
  const { name = "context-order" } = options
  return {
    name,
    identity: { name },
    preservesMeaning: true,
    apply(sample, random) {
      if (sample.context.length < 2) return null
      const context = random.shuffle(sample.context)
      const same = context.every((passage, i) => passage === sample.context[i])
      return { ...sample, context: same ? sample.context.toReversed() : context }
    },
  }
}

/** Options of {@link truncatedContext}. @experimental */
export interface TruncatedContextOptions {
  readonly name?: string
  /** Share of each passage that is kept, from its beginning. Default 0.5. */
  readonly keep?: number
}

/**
 * Only the first part of each context passage, cut at a white space. The answer may be gone: use it to see whether a model
 * then admits it, not to measure a loss of quality.
 * @public
 */
export function truncatedContext(options: TruncatedContextOptions = {}): Perturbation {
  checkOptions("perturb.truncatedContext", options)
  const { name = "truncated-context", keep = 0.5 } = options
  if (!(keep >= 0 && keep < 1)) throw new UsageError(`keep must be from 0 to below 1, not ${keep}`, { where: "keep" })
  return {
    name,
    identity: { name, keep },
    preservesMeaning: false,
    apply(sample) {
      if (sample.context.length === 0) return null
      const context = sample.context.map((passage) => {
        const cut = passage.slice(0, Math.floor(keep * passage.length))
        const gap = cut.lastIndexOf(" ")
        return gap > 0 ? cut.slice(0, gap) : cut
      })
      return { ...sample, context }
    },
  }
}
