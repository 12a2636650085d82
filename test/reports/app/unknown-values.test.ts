import { describe, expect, it } from "vitest"
import type { RowStore } from "../../../reports/app/samples/rows.ts"
import { unknownValues } from "../../../reports/app/unknown-values.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 30 })
const store = {
  index: {
    variants: report.variants.map(({ name }) => name),
    sampleIds: ["1", "a\ud800"],
    groups: ["north"],
    outcomes: ["ok", "timeout_total"],
    answers: { marks: [] },
  },
} as unknown as RowStore

const unknownIn = (address: string, samples: RowStore | null = store) =>
  unknownValues(new URLSearchParams(address), report, samples).map(({ key, what, value }) => `${key}: ${what} ${value}`)

describe("what an address asks for and the report does not have", () => {
  it("is nothing where every value is one of the report's", () => {
    expect(unknownIn("")).toEqual([])
    expect(
      unknownIn(
        "candidate=m-q8_0&baseline=m-f16&left=m-f16&right=s-q8_0&of=m-q8_0&versus=m-f16&by=s-q8_0&x=perThousandUsd&y=exact_match" +
          "&sort=e2eMs:up&frontier=bars&zoom=0,0.5,0,1&cascades=yes&latency=e2eMs&theme=dark&view=all&order=slow&metric=exact_match&listed=m-f16,m-q8_0" +
          "&xLimit=1&from=-0.5&requests=1e6&sample=1&group=north&ended=ok&chip=flipped&q=whatever",
      ),
    ).toEqual([])
  })

  it("is named with what it would be: sample, variant, filter, figure", () => {
    expect(unknownIn("sample=nowhere&left=nobody&chip=leak&x=latency&ended=http_5xx&group=south&order=up")).toEqual([
      "sample: sample nowhere",
      "left: variant nobody",
      "chip: filter leak",
      "x: figure latency",
      "ended: way to end http_5xx",
      "group: group south",
      "order: order up",
    ])
    expect(unknownIn("listed=m-f16,nobody")).toEqual(["listed: variant m-f16,nobody"])
    expect(unknownIn("zoom=1,2&from=many&requests=lots&theme=purple&sort=e2eMs&metric=toString")).toHaveLength(6)
  })

  it("is not said of samples before they are read, of empty values, nor of keys that are somebody else's", () => {
    expect(unknownIn("sample=nowhere&chip=leak&left=nobody", null)).toEqual(["left: variant nobody"])
    expect(unknownIn("sample=&chip=&utm_source=mail&__proto__=1&constructor=1&toString=1")).toEqual([])
  })

  it("takes an id that an address cannot hold as it comes back from there", () => {
    const address = new URLSearchParams([["sample", "a\ud800"]])
    expect(unknownValues(address, report, store)).toEqual([])
  })
})
