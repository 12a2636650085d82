import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { main } from "../../../src/cli/main.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { goldenFile } from "../../support/golden-file.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const cwd = scratchDirectory()

const validate = async (...args: readonly string[]) => {
  const io = fakeIo({ cwd })
  const code = await main(["judge", "validate", ...args, "--json"], io)
  expect(code, io.stderr()).toBe(0)
  return JSON.parse(io.stdout())
}

/**
 * JudgeBench's pairs as o1-mini judged them with the Arena-Hard prompt: source, right answer, what the judge said of (a, b)
 * and of (b, a), and how many pairs. Counted from the outputs in ScalerLab/JudgeBench at e2c52c2.
 */
const judgeBench = `math a = = 2; math a = 1 2; math a = 2 2; math a 1 = 1; math a 1 1 1; math a 1 2 23; math a 2 2 2; math b 1 1 2;
math b 1 2 1; math b 2 = 2; math b 2 1 18; reasoning a = 1 1; reasoning a = 2 2; reasoning a 1 = 1; reasoning a 1 1 11;
reasoning a 1 2 31; reasoning a 2 1 3; reasoning a 2 2 6; reasoning b = = 1; reasoning b = 1 1; reasoning b = 2 3;
reasoning b 1 1 8; reasoning b 1 2 3; reasoning b 2 = 4; reasoning b 2 1 22; reasoning b 2 2 1; code a = 2 2; code a 1 1 4;
code a 1 2 15; code a 2 1 1; code a 2 2 1; code b = = 2; code b = 1 3; code b 1 1 1; code b 2 = 1; code b 2 1 12;
knowledge a = 1 1; knowledge a = 2 1; knowledge a 1 = 2; knowledge a 1 1 13; knowledge a 1 2 42; knowledge a 2 1 18;
knowledge a 2 2 5; knowledge b = 1 4; knowledge b 1 1 18; knowledge b 1 2 6; knowledge b 2 = 1; knowledge b 2 1 40;
knowledge b 2 2 3`

function writeJudgeBench(): void {
  const words = new Map([
    ["1", "first"],
    ["2", "second"],
    ["=", "tie"],
  ])
  const lines = judgeBench.split(/;\s*/).flatMap((cell) => {
    const [source, human, first, second, count] = cell.split(" ") as [string, string, string, string, string]
    return Array.from({ length: Number(count) }, (_, i) => {
      const id = `${source}/${human}${first}${second}/${i}`
      return [
        { id, source, human, order: "ab", judge: words.get(first) },
        { id, source, human, order: "ba", judge: words.get(second) },
      ]
    }).flat()
  })
  writeFileSync(join(cwd, "judgebench.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
}

describe("evalkit judge validate on published verdicts", () => {
  it("prints JudgeBench's table of o1-mini, by source and overall", async () => {
    writeJudgeBench()
    const table = await validate("judgebench.jsonl", "--orders", "majority", "--invalid", "wrong", "--group", "source")
    const shares = Object.fromEntries(
      table.groups.list.map(({ group, agreement }: { group: string; agreement: number }) => [
        group,
        (100 * agreement).toFixed(2),
      ]),
    )
    expect(shares).toEqual({ knowledge: "58.44", reasoning: "62.24", math: "82.14", code: "78.57" })
    expect((100 * table.agreement).toFixed(2)).toBe("65.71")
  })

  it("asks for both orders under the strict rule: 203 of the 350 pairs", async () => {
    writeJudgeBench()
    const table = await validate("judgebench.jsonl", "--orders", "strict")
    expect(table.agreement).toBeCloseTo(203 / 350, 12)
    const kept = await validate("judgebench.jsonl")
    expect(kept.agreement).toBeCloseTo(203 / 350, 12)
    expect(kept.judge_mean).toBeCloseTo(0.5, 1)
    // A pair whose orders differ is a tie in one table and no verdict in the other.
    expect(kept.judged).toBe(350)
    expect(table.judged + table.missed).toBe(350)
    expect(table.missed).toBeGreaterThan(80)
  })

  const unieval = goldenFile("unieval_topical_chat").pathname
  const columns = (dimension: string) => [
    unieval,
    ...["--id", "doc,system", "--judge", `unieval.${dimension}`, "--human", `people.${dimension}`],
  ]

  it.each([
    ["naturalness", 0.443666, 0.513986, 0.373973],
    ["coherence", 0.595143, 0.612942, 0.465915],
    ["engagingness", 0.55651, 0.604739, 0.455941],
    ["groundedness", 0.536209, 0.574954, 0.451533],
    ["understandability", 0.380038, 0.467807, 0.360741],
    ["overall", 0.632796, 0.662583, 0.487272],
  ])("prints UniEval's row of %s on Topical-Chat", async (dimension, pearson, spearman, kendall) => {
    const result = await validate(...columns(dimension))
    expect(result.pearson).toBeCloseTo(pearson, 5)
    expect(result.spearman).toBeCloseTo(spearman, 5)
    expect(result.kendall).toBeCloseTo(kendall, 5)
    expect(result.pearson_interval[0]).toBeLessThan(pearson)
    expect(result.pearson_interval[1]).toBeGreaterThan(pearson)
  })

  // By UniEval's correlation_for_summ with scipy 1.17.1 on the same rows.
  it("averages correlations within documents, leaving out those in which a side does not vary", async () => {
    const { within } = (await validate(...columns("overall"), "--group", "doc")).groups
    expect(within).toMatchObject({
      pearson: expect.closeTo(0.644395247, 7),
      pearson_groups: 60,
      spearman: expect.closeTo(0.677986258, 7),
      spearman_groups: 60,
      kendall: expect.closeTo(0.576212031, 7),
      kendall_groups: 60,
    })
  })

  it("correlates the means of systems", async () => {
    const { between } = (await validate(...columns("engagingness"), "--group", "system")).groups
    expect(between).toMatchObject({
      pearson: expect.closeTo(0.948200114, 7),
      pearson_groups: 6,
      spearman: expect.closeTo(0.485714286, 7),
      spearman_groups: 6,
      kendall: expect.closeTo(0.333333333, 7),
      kendall_groups: 6,
    })
  })
})
