import type { Answer } from "../../core/generation.ts"
import { asList, asMembers } from "../../core/json-members.ts"
import { impossibleCountsNote } from "../../words/impossible-counts.ts"

/** What is to be told of an answer's token counts, as notes of its session: counts that cannot be true, and what had to be assumed. */
export function usageNotes({ server }: Pick<Answer, "server">): readonly string[] {
  const unusable = asList(asMembers(server)?.unusableUsage).map(String)
  const assumed = asList(asMembers(server)?.assumedUsage).map((assumption) => `usage: ${String(assumption)}`)
  if (unusable.length === 0) return assumed
  return [impossibleCountsNote(unusable), ...assumed]
}
