import { UsageError } from "../../core/errors.ts"
import type { JsonValue } from "../../core/json.ts"
import { contentHash } from "../../core/json.ts"
import type { SampleContent, ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { Sample } from "../../core/sample.ts"

/** How samples of two sides find each other: by id, where their content agrees (`content`), or by id alone (`id`). */
export type PairBy = "content" | "id"

/** Mismatches that a message names. */
const named = 3

/** What a stored sample asks and expects. Passages are no part of it: of two systems that retrieve they belong to the answers. */
export function sampleContent({
  input,
  references,
  choices,
}: Pick<Sample, "input" | "references" | "choices">): SampleContent {
  return {
    prompt: contentHash(input as unknown as JsonValue, 16),
    ...(references.length > 0 && { reference: contentHash([...references], 16) }),
    ...(choices.length > 0 && { choices: contentHash([...choices], 16) }),
  }
}

/**
 * Refuses two sides whose samples have the same ids and other contents: their answers are to different questions, and a
 * paired difference of them means nothing. Only fields that both sides have are compared.
 *
 * @throws UsageError with how many samples differ, and the first three
 */
export function refuseOtherContent(baseline: ScoredVariant, candidate: ScoredVariant): void {
  if (!baseline.contents || !candidate.contents) return
  let shared = 0
  const different: string[] = []
  for (const [id, content] of baseline.contents) {
    const other = candidate.contents.get(id)
    if (!other) continue
    shared++
    const fields = Object.keys(content).filter((field) => field in other && content[field] !== other[field])
    if (fields.length > 0) different.push(`${idOf(id)} (${fields.join(", ")})`)
  }
  if (different.length === 0) return
  const more = different.length > named ? ` and ${different.length - named} more` : ""
  throw new UsageError(
    `${different.length} of ${shared} samples with the same id have different contents in ${baseline.name} and ${candidate.name}, so their answers cannot be paired`,
    {
      code: "content_mismatch",
      where: `${different.slice(0, named).join(", ")}${more}`,
      hint: "compare answers to the same questions, or add --pair-by id if the ids are to be trusted",
    },
  )
}

/** The id that a person knows, of a key that may number repeats. */
function idOf(key: string): string {
  return key.split("\u0000")[0] ?? key
}
