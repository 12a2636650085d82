import type { Dataset } from "../src/core/dataset.ts"
import { canonicalJson, type JsonValue } from "../src/core/json.ts"
import { createSamplesFingerprint } from "../src/core/run/samples-fingerprint.ts"
import type { Sample } from "../src/core/sample.ts"

/**
 * Which samples must not break: a function that is true of them, or fields with the value (or one of the values) that they have in all
 * of these fields: `{ topic: ["refunds", "safety"] }`.
 * @public
 */
export type CriticalSamples = ((sample: Sample) => boolean) | Readonly<Record<string, JsonValue>>

/** A data set with the samples marked that must not break, besides those that its own column marks. */
export function markCritical(dataset: Dataset, critical: CriticalSamples): Dataset {
  const isCritical = typeof critical === "function" ? critical : hasFields(critical)
  let fingerprint: Promise<string> | undefined
  async function* samples(signal?: AbortSignal): AsyncGenerator<Sample> {
    for await (const sample of dataset.samples(signal))
      yield sample.critical || !isCritical(sample) ? sample : { ...sample, critical: true }
  }
  async function fingerprintOf(): Promise<string> {
    const whole = createSamplesFingerprint()
    for await (const sample of samples()) whole.add(sample)
    return whole.digest()
  }
  return {
    ...dataset,
    name: dataset.name,
    source: dataset.source,
    samples,
    // Who must not break is a part of what is asked: runs that marked others are of another version of the data.
    fingerprint: () => {
      fingerprint ??= fingerprintOf()
      return fingerprint
    },
    skipped: () => dataset.skipped(),
    isPart: () => dataset.isPart?.() ?? false,
    media: async (sha256) => (await dataset.media?.(sha256)) ?? null,
    resolveFrom: (directory) => markCritical(dataset.resolveFrom?.(directory) ?? dataset, critical),
  }
}

function hasFields(fields: Readonly<Record<string, JsonValue>>): (sample: Sample) => boolean {
  const wanted = Object.entries(fields).map(([field, value]): [string, ReadonlySet<string>] => [
    field,
    new Set((Array.isArray(value) ? value : [value]).map(canonicalJson)),
  ])
  return (sample) =>
    wanted.every(([field, values]) => {
      const value = fieldOf(sample, field)
      return value !== undefined && values.has(canonicalJson(value))
    })
}

function fieldOf(sample: Sample, field: string): JsonValue | undefined {
  if (field === "id" || field === "group" || field === "cluster" || field === "label") return sample[field]
  return Object.hasOwn(sample.metadata, field) ? sample.metadata[field] : undefined
}
