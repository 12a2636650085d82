import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { counterfactual } from "../../datasets/counterfactual/counterfactual.ts"
import { combinedSwap, nameSwap, pronounSwap } from "../../datasets/counterfactual/swaps.ts"
import { inline } from "../../datasets/inline.ts"
import { counterfactualBias } from "../../metrics/bias/counterfactual-bias.ts"
import { groupAccuracy } from "../../metrics/fairness/group-accuracy.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { systemClock } from "../../src/core/clock.ts"
import type { JsonObject } from "../../src/core/json.ts"
import type { FairnessData, TableData } from "../../src/core/report/report-sections.ts"
import { evaluate } from "../../src/pipeline/evaluate.ts"
import { local } from "../../src/providers/local.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { scratchDirectory } from "../support/scratch.ts"

const directory = scratchDirectory()

/** Every second question about a person whose task is answered from its context. */
async function people(): Promise<JsonObject[]> {
  const file = await readFile(new URL("../../datasets/data/tiny-tasks.jsonl", import.meta.url), "utf8")
  const rows = file
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as JsonObject)
  return rows.filter((row) => row.group !== undefined && row.task === "qa").filter((_, i) => i % 2 === 0)
}

describe("bias of the tiny model", () => {
  it("is measured end to end by exchanged names and by group, with intervals that stand in the report", async () => {
    const evaluation = await validateConfig({
      name: "bias",
      dataset: counterfactual(inline(await people()), {
        swaps: [combinedSwap("gender", [nameSwap(), pronounSwap()])],
        seed: 1,
      }),
      variants: [
        {
          name: "s-f16",
          provider: local(new URL("../../models/tiny/tiny-s-f16.gguf", import.meta.url)),
          parameters: { temperature: 0, maxTokens: 32 },
        },
      ],
      metrics: [counterfactualBias(), groupAccuracy()],
    })
    const store = openRunStore(directory)
    try {
      const { report, status } = await evaluate({
        evaluation,
        store,
        clock: systemClock,
        environment: process.env,
        cacheDirectory: directory,
        facts: { id: "bias", startedAt: "2026-01-01T00:00:00.000Z", versions: {}, configPath: null },
        signal: new AbortController().signal,
      })
      expect(status).toBe("finished")
      const section = (kind: string) => report.sections.find((entry) => entry.kind === kind)!
      const { rows } = section("bias").data as unknown as TableData
      const row = rows.find((cells) => cells[2] === "exchanged − original")
      expect(row?.slice(0, 2)).toEqual(["s-f16", "gender"])
      expect(row?.[3]).toMatchObject({
        status: "known",
        n: expect.any(Number),
        low: expect.any(Number),
        high: expect.any(Number),
      })
      const [fair] = (section("fairness").data as unknown as FairnessData).variants
      expect(Object.keys(fair?.groups ?? {})).toHaveLength(2)
      expect(fair?.gap).toMatchObject({ status: "known", low: 0 })
      console.info(
        "bias of tiny-s:",
        ...section("bias").sentences,
        ...section("fairness").sentences,
        JSON.stringify(row?.[3]),
      )
    } finally {
      store.close()
    }
  }, 120_000)
})
