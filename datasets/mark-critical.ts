import type { Dataset } from "../src/core/dataset.ts"
import { nearest } from "../src/core/did-you-mean.ts"
import { UsageError } from "../src/core/errors.ts"
import { canonicalJson, type JsonValue } from "../src/core/json.ts"
import { createSamplesFingerprint } from "../src/core/run/samples-fingerprint.ts"
import type { Sample } from "../src/core/sample.ts"

/**
 * Which samples must not break: a function that is true of them, or fields with the value (or one of the values) that they have in all
 * of these fields: `{ topic: ["refunds", "safety"] }`.
 * @public
 */
export type CriticalSamples = ((sample: Sample) => boolean) | Readonly<Record<string, JsonValue>>

/**
 * A data set with the samples marked that must not break, besides those that its own column marks.
 *
 * Its samples end with a {@link UsageError} where none of them has one of the fields: a rule that nothing can break is none.
 */
export function markCritical(dataset: Dataset, critical: CriticalSamples): Dataset {
  const isCritical = typeof critical === "function" ? critical : hasFields(critical)
  let fingerprint: Promise<string> | undefined
  async function* samples(signal?: AbortSignal): AsyncGenerator<Sample> {
    const missing = new Set(typeof critical === "function" ? [] : Object.keys(critical))
    const names = new Set<string>(ownFields)
    for await (const sample of dataset.samples(signal)) {
      for (const field of missing) if (fieldOf(sample, field) !== undefined) missing.delete(field)
      if (names.size < maxKnown) for (const field of Object.keys(sample.metadata)) names.add(field)
      yield sample.critical || !isCritical(sample) ? sample : { ...sample, critical: true }
    }
    for (const field of missing) throw noSuchField(field, [...names])
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
  const conditions = Object.entries(fields).map(([field, value]): [string, ReadonlySet<string>] => [
    field,
    new Set((Array.isArray(value) ? value : [value]).map(canonicalJson)),
  ])
  return (sample) =>
    conditions.every(([field, values]) => {
      const value = fieldOf(sample, field)
      return value !== undefined && values.has(canonicalJson(value))
    })
}

const ownFields = ["id", "group", "cluster", "label"] as const
/** Fields that are looked through for the one that was meant, at most. */
const maxKnown = 100

function noSuchField(field: string, names: readonly string[]): UsageError {
  const meant = nearest(field, names)
  return new UsageError(`no sample has the field ${JSON.stringify(field)}`, {
    code: "field_not_found",
    where: `critical.${field}`,
    hint: meant === undefined ? `fields of this data set: ${names.join(", ")}` : `did you mean "${meant}"?`,
  })
}

function fieldOf(sample: Sample, field: string): JsonValue | undefined {
  const own = ownFields.find((name) => name === field)
  if (own !== undefined) return sample[own]
  return Object.hasOwn(sample.metadata, field) ? sample.metadata[field] : undefined
}
