import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import type { SectionKind } from "../../src/core/report/report-sections.ts"

/** Whether the page draws a kind itself, or shows its data as the plain table that it is. */
const shownAs: Readonly<Record<SectionKind, "drawn" | "table">> = {
  calibration: "drawn",
  robustness: "drawn",
  fairness: "drawn",
  judge_card: "drawn",
  load: "drawn",
  context_window: "drawn",
  divergence: "table",
  hallucination: "table",
  bias: "table",
  early_stopping: "table",
  perplexity: "table",
  safety: "table",
  unread_answers: "table",
  win_rate: "table",
}

function sources(folder: string): string[] {
  const root = fileURLToPath(new URL(`../../${folder}`, import.meta.url))
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
}

describe("the kinds of sections", () => {
  it("that metrics, judges and the engine make are all known to the report", () => {
    const made = ["metrics", "judges", "src/engine"]
      .flatMap(sources)
      .flatMap((text) => [
        ...text.matchAll(/\breportSection\(\s*"(\w+)"/g),
        ...text.matchAll(/\bkind: "(\w+)",\s+title\b/g),
      ])
    const kinds = [...new Set(made.map(([, kind]) => kind as string))]
    expect(kinds.length).toBeGreaterThan(8)
    expect(kinds.filter((kind) => !Object.hasOwn(shownAs, kind))).toEqual([])
  })
})
