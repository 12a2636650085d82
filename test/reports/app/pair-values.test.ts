import { describe, expect, it } from "vitest"
import { type PairedDifference, pairedDifferences } from "../../../reports/app/samples/pair-values.ts"
import type { RowStore } from "../../../reports/app/samples/rows.ts"
import { createIndexBuilder } from "../../../reports/page/index-builder.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const input = syntheticInput({ samples: 200 })
const { report } = input

async function storeOf(): Promise<RowStore> {
  const builder = createIndexBuilder(report)
  const starts = [0]
  for await (const sample of input.samples()) {
    builder.add(sample)
    starts.push((starts.at(-1) as number) + sample.answers.length)
  }
  const none = () => Promise.reject(new Error("texts are not needed here"))
  return { index: builder.build(), starts, chunks: 0, chunk: none, text: none, peek: () => undefined }
}

describe("two variants that the run did not compare", () => {
  it("are paired as the run pairs those that it did", async () => {
    const store = await storeOf()
    const values = report.comparisons.find((entry) => entry.candidate === "m-q2_0")?.metrics[0]
    const [difference] = pairedDifferences(report, store, "m-f16", "m-q2_0")
    expect(difference?.pairs).toBe(values?.pairs)
    expect(difference?.difference).toBeCloseTo(values?.difference ?? 0, 9)
    expect(difference?.low).toBeCloseTo(values?.low ?? 0, 5)
    expect(difference?.flips).toMatchObject({ lost: values?.mcnemar?.b, won: values?.mcnemar?.c })
    expect(difference?.verdict).toBe("inferior")
  })

  it("have intervals at the run's level", async () => {
    const store = await storeOf()
    const at90 = { ...report, run: { ...report.run, alpha: 0.1 } }
    const at = (entry: typeof report) => pairedDifferences(entry, store, "m-f16", "m-q2_0")[0] as PairedDifference
    const [wide, narrow] = [at(report), at(at90)]
    expect(widthOf(narrow) / widthOf(wide)).toBeCloseTo(1.644854 / 1.959964, 5)
    expect(narrow.sentence).toMatch(/normal 90 %$/)
  })

  it("swap their signs with their places, and have no row for a metric without values", async () => {
    const store = await storeOf()
    const [forth, back] = [
      pairedDifferences(report, store, "s-q8_0", "m-q4_0"),
      pairedDifferences(report, store, "m-q4_0", "s-q8_0"),
    ]
    expect(forth.map((difference) => difference.metric)).toEqual(["exact_match", "chrf"])
    forth.forEach((difference, index) => {
      expect(back[index]?.difference).toBeCloseTo(-(difference.difference ?? 0), 12)
      expect(back[index]?.high).toBeCloseTo(-(difference.low ?? 0), 12)
    })
    expect(forth[0]?.flips?.lost).toBe(back[0]?.flips?.won)
  })
})

function widthOf({ low, high }: PairedDifference): number {
  return (high ?? Number.NaN) - (low ?? Number.NaN)
}
