import type { SummarisedVariant } from "../../summary/summarise.ts"

/** Variants of one model that differ in quantization, and the one that the others are compared with. */
export interface QuantizationFamily {
  readonly model: string
  readonly reference: SummarisedVariant
  readonly others: readonly SummarisedVariant[]
}

/**
 * Groups variants by the model that their providers name, where these state at least two quantizations. The reference is the
 * run's baseline where it belongs to the group, else the variant of the largest file, else the first. What has the reference's own
 * quantization differs from it in something else, a prompt or a parameter: that is no change of number formats, and is left out.
 */
export function quantizationFamilies(variants: readonly SummarisedVariant[]): readonly QuantizationFamily[] {
  const models = new Map<string, SummarisedVariant[]>()
  for (const variant of variants) {
    const { model, quantization } = variant.report
    if (quantization === null || variant.scored.answers.length === 0) continue
    const members = models.get(model)
    if (members) members.push(variant)
    else models.set(model, [variant])
  }
  return [...models].flatMap(([model, members]) => {
    if (new Set(members.map(({ report }) => report.quantization)).size < 2) return []
    const reference = members.find(({ report }) => report.baseline) ?? largest(members)
    const others = members.filter(({ report }) => report.quantization !== reference.report.quantization)
    return [{ model, reference, others }]
  })
}

function largest(members: readonly SummarisedVariant[]): SummarisedVariant {
  const sizeOf = ({ report: { resources } }: SummarisedVariant) =>
    resources.modelBytes.status === "known" ? resources.modelBytes.value : 0
  return members.reduce((best, member) => (sizeOf(member) > sizeOf(best) ? member : best))
}
