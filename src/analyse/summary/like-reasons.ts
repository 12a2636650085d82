import { messagePattern } from "../sections/causes/failure-clusters.ts"

/** Reasons that stand as they are; with more of them, those that differ in numbers and quoted parts alone count as one. */
const maxReasons = 8

/** Reasons with their counts, the words of the first of those that say the same: a service's refusals differ by request ids. */
export function likeReasons(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  if (counts.size <= maxReasons) return counts
  const named = new Map<string, string>()
  const merged = new Map<string, number>()
  for (const [reason, count] of counts) {
    const pattern = messagePattern(reason)
    const name = named.get(pattern) ?? reason
    named.set(pattern, name)
    merged.set(name, (merged.get(name) ?? 0) + count)
  }
  return merged
}
