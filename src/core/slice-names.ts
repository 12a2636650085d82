import { nearest } from "./did-you-mean.ts"
import { UsageError } from "./errors.ts"
import type { JsonObject, JsonValue } from "./json.ts"
import { isObject } from "./json-members.ts"
import type { Sample } from "./sample.ts"

/** Slices that are not a field of the samples. */
const ownSlices = ["promptLength", "answerLength", "script", "group", "difficulty"]

/** The field that a slice is named after; one that is called as a slice of evalkit's own is written `metadata.NAME`. */
export function sliceField(slice: string): string {
  return slice.replace(/^metadata\./, "")
}

/** Fields that slices can be named after, with their values; those within an object are `OBJECT.FIELD`. */
export function* sliceFieldsOf(metadata: JsonObject): Generator<readonly [string, JsonValue]> {
  for (const key of Object.keys(metadata)) {
    const value = metadata[key] as JsonValue
    if (!isObject(value)) yield [key, value]
    else for (const inner of Object.keys(value)) yield [`${key}.${inner}`, value[inner] as JsonValue]
  }
}

/** What a sample has in the field of a slice. */
export function sliceValue({ metadata, label }: Sample, field: string): JsonValue | undefined {
  if (Object.hasOwn(metadata, field)) return metadata[field]
  if (field === "label") return label
  const [outer = "", ...inner] = field.split(".")
  const value = Object.hasOwn(metadata, outer) ? metadata[outer] : undefined
  return isObject(value) && Object.hasOwn(value, inner.join(".")) ? value[inner.join(".")] : undefined
}

/** Sees every sample once; `check` then refuses a slice whose field no sample has, before anything is paid for. */
export interface SliceFields {
  see(sample: Sample): void
  /** @throws UsageError with code `unknown_slice` and the name that was probably meant */
  check(): void
}

/** @param slices as the config names them; none: evalkit chooses, and nothing can be wrong */
export function createSliceFields(slices: readonly string[] | null | undefined): SliceFields {
  const missing = new Set(slices?.filter((slice) => !ownSlices.includes(slice)))
  const fields = new Set<string>()
  return {
    see(sample) {
      if (missing.size === 0) return
      for (const [field] of sliceFieldsOf(sample.metadata)) fields.add(field)
      for (const slice of missing) if (sliceValue(sample, sliceField(slice)) !== undefined) missing.delete(slice)
    },
    check() {
      const [slice] = missing
      if (slice === undefined) return
      const names = [...ownSlices, ...fields]
      const meant = nearest(sliceField(slice), names)
      throw new UsageError(`no sample has the field ${JSON.stringify(sliceField(slice))} of a slice`, {
        code: "unknown_slice",
        where: `slices[${slices?.indexOf(slice)}]`,
        hint: meant ? `did you mean "${meant}"?` : `slices can be ${names.slice(0, maxListed).join(", ")}`,
      })
    },
  }
}

/** Names that a hint lists, at most. */
const maxListed = 30
