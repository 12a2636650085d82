import { beforeAll, describe, expect, it } from "vitest"
import { loadWords } from "../../../reports/bench/words/level-words.ts"
import { throughputOf, verdictSentences } from "../../../reports/bench/words/verdict.ts"
import { benchResult } from "../../../src/bench/bench-result.ts"
import { figureValue } from "../../../src/core/report/figure.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { parseSlo } from "../../../src/perf/bench/slo.ts"
import { sweptBench } from "../../support/pages/swept-bench.ts"

/** Loads that were named, as `--concurrency 1,4` has them: no sweep looked for a limit. */
let named: BenchResult
const workers = [
  { scheduleError: { status: "known", value: 0.5 } },
] as unknown as BenchResult["levels"][number]["workers"]
const doubtful: BenchResult["levels"][number]["doubtful"] = [
  { figure: "TTFT p50", valueMs: 5, clientErrorMs: 1 },
  { figure: "SLO limit", valueMs: 5, clientErrorMs: 1 },
]

beforeAll(async () => {
  const swept = await sweptBench(["a"])
  const levels = swept.levels.map((level) => ({ ...level, doubtful: [] }))
  named = { ...swept, levels, saturation: new Map(), searches: new Map(), slo: [] }
})

/** The same, a worker of its first levels late. */
const doubted = (first: number): BenchResult => ({
  ...named,
  levels: named.levels.map((level, i) => (i < first ? { ...level, workers } : level)),
})

describe("the first sentence of a bench over loads that were named", () => {
  it("names the load with the highest throughput where all can be trusted", () => {
    expect(verdictSentences(named)).toEqual([expect.stringMatching(/^a had its highest throughput at \d+ in flight: /)])
  })

  it("calls nothing the highest of all where a load that cannot be trusted may have been faster", () => {
    const all = named.levels.length
    expect(verdictSentences(doubted(2))).toEqual([
      expect.stringMatching(
        new RegExp(`^Of the ${all - 2} loads that can be trusted, a at \\d+ in flight had the highest`),
      ),
    ])
    expect(verdictSentences(doubted(all - 1))).toEqual([
      expect.stringMatching(new RegExp(`^Only one load of ${all} can be trusted, a at 64 in flight: `)),
    ])
    expect(verdictSentences(doubted(all))).toEqual([expect.stringContaining("no load is named the best")])
  })

  it("lets a throughput stand where the client's error voids times alone, and says which of them are void", async () => {
    const levels = named.levels.map((level) => ({ ...level, doubtful }))
    expect(verdictSentences({ ...named, levels })).toEqual([
      expect.stringMatching(
        /^a had its highest throughput at \d+ in flight: .* first token that is too short for evalkit's own timing error\.$/,
      ),
    ])
    const swept = await sweptBench(["a"])
    expect(verdictSentences({ ...swept, levels }).at(-1)).toMatch(
      /^INVALID: at 7 of the 7 levels of a evalkit's own timing error is over 5 % of an objective's limit: /,
    )
  })

  it("names the largest load within the objectives where there are any, or says that none is known", () => {
    const slo = parseSlo("ttft<30ms,e2e<60ms")
    const of = (levels: BenchResult["levels"]) => verdictSentences(benchResult({ ...named, levels, slo }))
    const kept = named.levels.filter(({ sloAttainment }) => (figureValue(sloAttainment) ?? 0) >= 0.95)
    const best = kept.toSorted((a, b) => throughputOf(b) - throughputOf(a))[0] as (typeof kept)[number]
    expect(of(named.levels)).toEqual([
      expect.stringMatching(
        `^a carries .* requests a second \\(95 % interval .*\\) within its objectives, at ${loadWords(best)}\\.$`,
      ),
    ])
    const open = of(named.levels.map((level) => ({ ...level, doubtful })))
    expect(open[0]).toContain(
      ` at ${loadWords(best)}; whether within its objectives, evalkit's own timing error leaves open.`,
    )
    expect(of(named.levels.filter((level) => !kept.includes(level)))).toEqual([
      expect.stringMatching(/^a is not known to keep its objectives at .*measured\.$/),
    ])
  })

  it("speaks of objectives only where there are any", () => {
    const [level] = named.levels as [BenchResult["levels"][number]]
    const said = (entry: typeof level) => verdictSentences({ ...named, levels: [entry] }).join(" ")
    expect(said(level)).toMatch(/met every objective .* \(SLO attainment\)\. .* met them with a correct answer/)
    const free = said({ ...level, sloAttainment: { status: "unknown", reason: "no objective was set" } })
    expect(free).not.toMatch(/objective|met them/)
    expect(free).toContain("brought a correct answer (correct SLO attainment)")
  })
})
