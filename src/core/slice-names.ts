import { nearest } from "./did-you-mean.ts"
import { UsageError } from "./errors.ts"
import type { JsonValue } from "./json.ts"
import type { Sample } from "./sample.ts"

/** Slices that are not a field of the samples. */
const ownSlices = ["promptLength", "answerLength", "script", "group", "difficulty"]

/** The field that a slice is named after; one that is called as a slice of evalkit's own is written `metadata.NAME`. */
export function sliceField(slice: string): string {
  return slice.replace(/^metadata\./, "")
}

/** What a sample has in the field of a slice. */
export function sliceValue({ metadata, label }: Sample, field: string): JsonValue | undefined {
  return Object.hasOwn(metadata, field) ? metadata[field] : field === "label" ? label : undefined
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
      for (const field of Object.keys(sample.metadata)) fields.add(field)
      for (const slice of missing) if (sliceValue(sample, sliceField(slice)) !== undefined) missing.delete(slice)
    },
    check() {
      const [slice] = missing
      if (slice === undefined) return
      const known = [...ownSlices, ...fields]
      const meant = nearest(sliceField(slice), known)
      throw new UsageError(`no sample has the field ${JSON.stringify(sliceField(slice))} of a slice`, {
        code: "unknown_slice",
        where: `slices[${slices?.indexOf(slice)}]`,
        hint: meant ? `did you mean "${meant}"?` : `slices can be ${known.slice(0, maxListed).join(", ")}`,
      })
    },
  }
}

/** Names that a hint lists, at most. */
const maxListed = 30
