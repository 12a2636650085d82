import type { CopyOf } from "../core/copy-of.ts"
import type { JsonValue } from "../core/json.ts"
import type { Sample } from "../core/sample.ts"

/** Reads a sample as it is stored, also as stores and archives held it before `copyOf` was a field. */
export function decodeSample(text: string): Sample {
  const sample = JSON.parse(text) as Sample
  if (sample.copyOf !== undefined) return sample
  const copyOf = olderCopyOf(sample)
  return copyOf ? { ...sample, copyOf } : sample
}

/**
 * What a copy of an older store is a copy of. Its id ended in the mark and the change, its metadata named the same change,
 * and it shared a cluster with its original: a sample of which all three hold was made by `perturbed` or `counterfactual`.
 */
function olderCopyOf({ id, cluster, metadata }: Sample): CopyOf | null {
  if (cluster === undefined) return null
  const { perturbation, counterfactual } = metadata as {
    readonly perturbation?: JsonValue
    readonly counterfactual?: { readonly attribute?: JsonValue } | null
  }
  return ending(id, "counterfactual", counterfactual?.attribute) ?? ending(id, "perturbed", perturbation)
}

function ending(id: string, kind: CopyOf["kind"], change: JsonValue | undefined): CopyOf | null {
  if (typeof change !== "string") return null
  const end = `~${kind}:${change}`
  return id.endsWith(end) && id.length > end.length ? { id: id.slice(0, -end.length), kind, change } : null
}
