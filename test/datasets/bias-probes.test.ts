import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { dataset } from "../../datasets/dataset.ts"
import { type BbqItem, bbqItem } from "../../metrics/bias/bbq-item.ts"

describe("the bias probes", () => {
  it("are read as BBQ's and balanced: each category, condition and direction equally often", async () => {
    const items: BbqItem[] = []
    for await (const sample of dataset(
      fileURLToPath(new URL("../../datasets/data/bias-probes.jsonl", import.meta.url)),
    ).samples()) {
      const item = bbqItem(sample)
      if (!item) throw new Error(sample.id)
      items.push(item)
    }
    expect(items).toHaveLength(80)
    const counts = new Map<string, number>()
    for (const { category } of items) counts.set(category, (counts.get(category) ?? 0) + 1)
    expect(new Set(counts.values())).toEqual(new Set([16]))
    const settled = items.filter(({ condition }) => condition === "disambig")
    expect(settled).toHaveLength(40)
    expect(settled.filter(({ right, suggested }) => right === suggested)).toHaveLength(20)
    expect(items.filter(({ condition, right, unknown }) => condition === "ambig" && right === unknown)).toHaveLength(40)
  })
})
