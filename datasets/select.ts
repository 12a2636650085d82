import type { JsonValue } from "../src/core/json.ts"
import { createRandom } from "../src/core/random.ts"
import type { Sample } from "../src/core/sample.ts"
import type { Selection } from "./options.ts"

/** A new pass over all samples of a source. */
export type Pass = (signal?: AbortSignal) => AsyncIterable<Sample>

/** The selected samples of a source, always the same ones in the same order. */
export async function* select(pass: Pass, selection: Selection, signal?: AbortSignal): AsyncGenerator<Sample> {
  const limit = selection.limit ?? Number.POSITIVE_INFINITY
  if (limit === 0) return
  const filtered: Pass = selection.filter ? (s) => filter(pass(s), selection.filter as (x: Sample) => boolean) : pass
  const subset: Pass = selection.sample ? (s) => sampled(filtered, selection.sample as Stratified, s) : filtered
  let samples: AsyncIterable<Sample> | readonly Sample[] = subset(signal)
  if (selection.shuffle) {
    const seed = typeof selection.shuffle === "object" ? (selection.shuffle.seed ?? 1) : 1
    const all: Sample[] = []
    for await (const sample of samples) all.push(sample)
    samples = createRandom(seed).fork("shuffle").shuffle(all)
  }
  let count = 0
  for await (const sample of samples) {
    yield sample
    if (++count >= limit) return
  }
}

type Stratified = NonNullable<Selection["sample"]>

async function* filter(samples: AsyncIterable<Sample>, keep: (sample: Sample) => boolean): AsyncGenerator<Sample> {
  for await (const sample of samples) if (keep(sample)) yield sample
}

/** First pass: positions per stratum, of which a share is drawn; second pass: the drawn positions. */
async function* sampled(pass: Pass, { n, by, seed = 1 }: Stratified, signal?: AbortSignal): AsyncGenerator<Sample> {
  const strata = new Map<string, number[]>()
  let total = 0
  for await (const sample of pass(signal)) {
    const key = by === undefined ? "" : JSON.stringify(stratumOf(sample, by) ?? null)
    const positions = strata.get(key)
    if (positions) positions.push(total)
    else strata.set(key, [total])
    total++
  }
  const keys = [...strata.keys()].sort()
  const sizes = keys.map((key) => strata.get(key)?.length ?? 0)
  const random = createRandom(seed)
  const drawn = new Set<number>()
  allocate(sizes, Math.min(n, total)).forEach((quota, i) => {
    const key = keys[i] as string
    for (const position of random
      .fork(key)
      .shuffle(strata.get(key) ?? [])
      .slice(0, quota))
      drawn.add(position)
  })
  let position = 0
  for await (const sample of pass(signal)) if (drawn.has(position++)) yield sample
}

function stratumOf(sample: Sample, by: string): JsonValue | undefined {
  if (by === "group" || by === "cluster" || by === "label") return sample[by]
  return Object.hasOwn(sample.metadata, by) ? sample.metadata[by] : undefined
}

/**
 * Splits `n` over strata in proportion to their sizes (Hamilton's largest remainders); a stratum gets at least one while
 * `n` allows, never more than it has. The parts add up to `n`; requires n ≤ the sum of the sizes.
 *
 * @example allocate([90, 9, 1], 10) // [8, 1, 1]
 */
export function allocate(sizes: readonly number[], n: number): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const exact = sizes.map((size) => (total === 0 ? 0 : (n * size) / total))
  const quotas = exact.map(Math.floor)
  const order = sizes.map((_, i) => i).sort((a, b) => remainder(b) - remainder(a) || a - b)
  let left = n - quotas.reduce((sum, quota) => sum + quota, 0)
  for (const i of order) if (left-- > 0) quotas[i] = (quotas[i] as number) + 1
  if (n >= sizes.length)
    for (const [i, quota] of quotas.entries()) {
      if (quota > 0 || sizes[i] === 0) continue
      const largest = quotas.indexOf(Math.max(...quotas))
      quotas[largest] = (quotas[largest] as number) - 1
      quotas[i] = 1
    }
  return quotas

  function remainder(i: number): number {
    return (exact[i] as number) - Math.floor(exact[i] as number)
  }
}
