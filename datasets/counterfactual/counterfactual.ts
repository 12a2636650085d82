import { type CopyOf, copyId } from "../../src/core/copy-of.ts"
import type { Dataset } from "../../src/core/dataset.ts"
import { UsageError } from "../../src/core/errors.ts"
import { contentHash } from "../../src/core/json.ts"
import { withContent } from "../../src/core/media/message-parts.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { Random } from "../../src/core/random.ts"
import { createRandom } from "../../src/core/random.ts"
import type { Sample } from "../../src/core/sample.ts"
import type { Swap } from "./swaps.ts"

/** Options of {@link counterfactual}. @public */
export interface CounterfactualOptions {
  readonly swaps: readonly Swap[]
  /** Default 1. */
  readonly seed?: number
  /** Share of the samples that get a copy, 0..1, drawn per attribute: each copy is asked of every variant. Default 1. */
  readonly share?: number
  /** Only the samples that a swap changes, with their copies; default false: all samples. */
  readonly onlyPairs?: boolean
}

/**
 * A data set with each sample followed by its copies with an attribute exchanged: in the input, the context, the references
 * and the choices alike, so that the right answer changes with them. A copy has no group of its own, carries
 * `metadata.counterfactual` (the attribute, and from which group to which, where the swap can tell) and shares a cluster with
 * its original, which `copyOf` names:
 * the metric `counterfactualBias` pairs them by it. Every copy depends on the seed, the swap and the sample alone.
 *
 * @throws UsageError when two swaps have the same attribute, and for a share outside 0..1
 * @example counterfactual(dataset("questions.jsonl"), { swaps: [nameSwap(), pronounSwap()] })
 * @public
 */
export function counterfactual(dataset: Dataset, options: CounterfactualOptions): Dataset {
  checkOptions("counterfactual", options)
  const { swaps, seed = 1, share = 1, onlyPairs = false } = options
  const attributes = swaps.map(({ attribute }) => attribute)
  const twice = attributes.find((attribute, i) => attributes.indexOf(attribute) !== i)
  if (twice !== undefined)
    throw new UsageError(`two swaps exchange ${twice}`, { where: "swaps", hint: "give one another attribute" })
  if (!(share > 0 && share <= 1))
    throw new UsageError("share must be above 0 and at most 1", { where: `share: ${share}` })
  return {
    name: `${dataset.name}, counterfactual`,
    source: dataset.source,
    async *samples(signal) {
      for await (const sample of dataset.samples(signal)) {
        const original = { ...sample, cluster: sample.cluster ?? sample.id }
        const copies = swaps.flatMap((swap) => {
          if (!(swap.applies?.(sample) ?? true)) return []
          const own = `${seed}/${swap.attribute}/${sample.id}`
          return createRandom(`${own}/share`).next() < share ? (swapped(original, swap, own) ?? []) : []
        })
        if (copies.length > 0 || !onlyPairs) yield original
        yield* copies
      }
    },
    fingerprint: async () =>
      contentHash({
        of: await dataset.fingerprint(),
        swaps: swaps.map(({ attribute, identity }) => ({ attribute, identity })),
        seed,
        share,
        onlyPairs,
      }),
    skipped: () => dataset.skipped(),
    ...(dataset.media && { media: (sha256) => dataset.media?.(sha256) ?? Promise.resolve(null) }),
    resolveFrom: (directory) => counterfactual(dataset.resolveFrom?.(directory) ?? dataset, options),
  }
}

/** The copy with everything exchanged consistently; null when the question does not mention the attribute. */
function swapped(sample: Sample, swap: Swap, seed: string): Sample | null {
  // One text, exchanged at once: the same name must become the same other name everywhere.
  const texts = textsOf(sample)
  const exchanged = exchangeAll(texts, swap, createRandom(seed))
  const input = withTexts(sample.input, exchanged)
  if (JSON.stringify(input) === JSON.stringify(sample.input)) return null
  const take = (list: readonly string[]) => list.map(() => exchanged.shift() as string)
  const { group: _group, ...rest } = sample
  const copyOf: CopyOf = { id: sample.id, kind: "counterfactual", change: swap.attribute }
  return {
    ...rest,
    id: copyId(copyOf),
    copyOf,
    input,
    references: take(sample.references),
    context: take(sample.context),
    choices: take(sample.choices),
    metadata: {
      ...sample.metadata,
      counterfactual: { attribute: swap.attribute, ...swap.direction?.(texts.join("\n")) },
    },
  }
}

function textsOf({ input, references, context, choices }: Sample): readonly string[] {
  const asked = input === null ? [] : typeof input === "string" ? [input] : input.map(({ content }) => content)
  return [...asked, ...references, ...context, ...choices]
}

/** Joins texts by a character that is in no word, exchanges them as one, and splits them again. */
function exchangeAll(texts: readonly string[], swap: Swap, random: Random): string[] {
  const mark = "\u0000\u0001\u0000"
  const parts = swap.exchange(texts.map((text) => text.replaceAll(mark, "")).join(mark), random).split(mark)
  return parts.length === texts.length ? parts : [...texts]
}

function withTexts(input: Sample["input"], texts: string[]): Sample["input"] {
  if (input === null) return null
  if (typeof input === "string") return texts.shift() as string
  return input.map((message) => withContent(message, texts.shift() as string))
}
