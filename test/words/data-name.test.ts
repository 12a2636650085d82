import { expect, it } from "vitest"
import { renderMarkdown } from "../../reports/export/markdown.ts"
import { factsOf } from "../../src/cli/view/run-digest.ts"
import type { RunRecord } from "../../src/core/run/run-record.ts"
import { dataName } from "../../src/words/data-name.ts"
import { syntheticInput } from "../support/synthetic/report.ts"

it("is the data set's own name, and of samples that stand in the config their place", () => {
  expect(dataName({ name: "qa", source: "data/qa.jsonl" })).toBe("qa")
  expect(dataName({ name: "inline", source: "inline" })).toBe("the data in the config")
})

it("is what the list of runs and the Markdown report call the data", () => {
  const { report } = syntheticInput({ samples: 3 })
  const dataset = { ...report.dataset, name: "inline", source: "inline" }
  const record = { id: "a", dataset, repeats: 1, variants: [], metrics: [] } as unknown as RunRecord
  expect(factsOf(record).dataset).toBe("the data in the config")
  expect(renderMarkdown({ ...report, dataset })).toContain("· the data in the config (3 samples) ·")
})
