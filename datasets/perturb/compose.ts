import type { Perturbation } from "./perturbation.ts"

/**
 * Several perturbations one after another under one name. What does not apply to a sample is left out; the whole does not
 * apply when none does.
 *
 * @example compose("messy", [letterCase(), typos(), punctuation()])
 * @public
 */
export function compose(name: string, parts: readonly Perturbation[]): Perturbation {
  return {
    name,
    identity: { name, parts: parts.map((part) => part.identity) },
    preservesMeaning: parts.every((part) => part.preservesMeaning),
    async prepare() {
      for (const part of parts) await part.prepare?.()
    },
    apply(sample, random) {
      let changed = sample
      for (const [i, part] of parts.entries()) changed = part.apply(changed, random.fork(`${i}`)) ?? changed
      return changed === sample ? null : changed
    },
  }
}
