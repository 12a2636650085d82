import { type CopyOf, copyId } from "../../src/core/copy-of.ts"
import type { Dataset } from "../../src/core/dataset.ts"
import { UsageError } from "../../src/core/errors.ts"
import { contentHash } from "../../src/core/json.ts"
import { checkOptions } from "../../src/core/options.ts"
import { createRandom } from "../../src/core/random.ts"
import type { Sample } from "../../src/core/sample.ts"
import type { Perturbation } from "./perturbation.ts"

/** Options of {@link perturbed}. @public */
export interface PerturbedOptions {
  readonly perturbations: readonly Perturbation[]
  /** Default 1. */
  readonly seed?: number
}

/**
 * A data set with each sample as it is, followed by its copies under each perturbation that applies to it. The copies
 * carry `metadata.perturbation` and share a cluster with their original, so that errors are clustered correctly; the
 * report's robustness section pairs them by `copyOf`. Every copy depends on the seed, the perturbation and the sample alone,
 * not on the order of either.
 *
 * @example perturbed(dataset("questions.jsonl"), { perturbations: [typos(), letterCase({ to: "upper" })] })
 * @public
 */
export function perturbed(dataset: Dataset, options: PerturbedOptions): Dataset {
  checkOptions("perturbed", options)
  const { perturbations, seed = 1 } = options
  const names = perturbations.map((perturbation) => perturbation.name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) {
    throw new UsageError(`two perturbations are called ${twice}`, { where: "perturbations", hint: "give one a name" })
  }
  return {
    name: `${dataset.name}, perturbed`,
    source: dataset.source,
    async *samples(signal) {
      for (const perturbation of perturbations) await perturbation.prepare?.()
      for await (const sample of dataset.samples(signal)) {
        const original = { ...sample, cluster: sample.cluster ?? sample.id }
        yield original
        for (const perturbation of perturbations) {
          const copy = changed(original, perturbation, seed)
          if (copy) yield copy
        }
      }
    },
    fingerprint: async () =>
      contentHash({
        of: await dataset.fingerprint(),
        perturbations: perturbations.map((perturbation) => perturbation.identity),
        seed,
      }),
    skipped: () => dataset.skipped(),
    resolveFrom: (directory) => perturbed(dataset.resolveFrom?.(directory) ?? dataset, options),
    ...(dataset.media && { media: (sha256) => dataset.media?.(sha256) ?? Promise.resolve(null) }),
  }
}

function changed(sample: Sample, perturbation: Perturbation, seed: number): Sample | null {
  const copy = perturbation.apply(sample, createRandom(`${seed}/${perturbation.name}/${sample.id}`))
  const copyOf: CopyOf = { id: sample.id, kind: "perturbed", change: perturbation.name }
  return (
    copy && {
      ...copy,
      id: copyId(copyOf),
      copyOf,
      metadata: { ...copy.metadata, perturbation: perturbation.name },
    }
  )
}
