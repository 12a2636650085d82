import type { Generation } from "../../src/core/generation.ts"
import type { StoredRow } from "../../src/core/run/run-store.ts"
import type { Sample } from "../../src/core/sample.ts"
import { plainText } from "../format/text.ts"

/** One answer to a sample, and what the metrics made of it. */
export interface AnsweredSample {
  readonly generation: Generation
  readonly rows: readonly StoredRow[]
}

/** Everything about one sample for the terminal: its references, then each answer with its scores. */
export function renderSample({ id, references }: Sample, answers: readonly AnsweredSample[]): string {
  const lines = [`sample ${plainText(id)}`]
  for (const reference of references) lines.push(`  reference   ${plainText(reference, 400)}`)
  for (const { generation, rows } of answers) {
    const scores = rows.map(({ metric, measured, value }) =>
      measured.status === "scored"
        ? `${metric} ${value ?? "scored"}`
        : `${metric} unscored (${plainText(measured.reason)})`,
    )
    lines.push("", `${generation.variant}   ${generation.outcome}`, `  ${plainText(generation.text, 2000)}`)
    if (scores.length > 0) lines.push(`  ${scores.join(" · ")}`)
  }
  return `${lines.join("\n")}\n`
}
