import { type Usage, unknownUsage, usageParts } from "../usage.ts"

/** What several answers used together. A count that one of them does not report is not known of all. */
export function addUsage(usages: readonly Usage[]): Usage {
  if (usages.length === 0) return unknownUsage
  const total: Record<string, number | null> = {}
  for (const name of ["promptTokens", "cachedPromptTokens", "completionTokens", "reasoningTokens"] as const)
    total[name] = usages.some((usage) => usage[name] === null)
      ? null
      : usages.reduce((sum, usage) => sum + (usage[name] ?? 0), 0)
  for (const name of usageParts)
    if (usages.some((usage) => usage[name] !== undefined))
      total[name] = usages.reduce((sum, usage) => sum + (usage[name] ?? 0), 0)
  const { promptTokens = null, cachedPromptTokens = null, completionTokens = null, reasoningTokens = null } = total
  const charged = usages.flatMap(({ chargedUsd }) => (chargedUsd === undefined ? [] : [chargedUsd]))
  return {
    ...total,
    promptTokens,
    cachedPromptTokens,
    completionTokens,
    reasoningTokens,
    ...(charged.length === usages.length && { chargedUsd: charged.reduce((sum, usd) => sum + usd, 0) }),
  }
}
