import { expect, it } from "vitest"
import { benchHtml } from "../../../reports/bench/html.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import { sweptBench } from "../../support/pages/swept-bench.ts"

it("marks the cells of a bench's page that evalkit's own timing error is too large for, and says what the mark means", async () => {
  const swept = await sweptBench(["a"])
  const page = async (...figures: readonly string[]) => {
    const doubtful = figures.map((figure) => ({ figure })) as unknown as BenchLevel["doubtful"]
    const levels = swept.levels.map((level) => ({ ...level, doubtful }))
    return (await benchHtml({ ...swept, levels })).replace(/<style.*?<\/style>/gs, "")
  }
  const marked = await page("TTFT p50", "ITL p99")
  const cells = (figure: string) =>
    new RegExp(`>${figure}</(?:span|button|a|abbr)>.*?</tr>`, "s")
      .exec(marked)?.[0]
      .match(/<td(?! class="words").*?<\/td>/gs)
  expect(cells("TTFT")?.map((cell) => cell.includes("~"))).toEqual([true, false, false, false, false, false])
  for (const figure of ["TPOT", "ITL"])
    expect(cells(figure)?.map((cell) => cell.includes("~"))).toEqual([false, false, false, true, false, false])
  expect(cells("E2E")?.join("")).not.toContain("~")
  expect(marked).toMatch(/class="big">~[\d.]+ ms</)
  expect(
    marked.match(/~ evalkit&#39;s own timing error is over 5 % of this figure|~ evalkit's own timing error/g),
  ).toHaveLength(3)
  expect(await page()).not.toContain("~")
})
