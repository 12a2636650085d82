import { figureValue } from "../../../src/core/report/figure.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { significant } from "../../../src/words/number.ts"
import { doubted, doubtedLegend, figureWords, loadWords } from "../../bench/words/level-words.ts"
import { throughputOf } from "../../bench/words/verdict.ts"
import { Explained } from "../words.tsx"
import { kneeLevel } from "./capacity.ts"

/** Of each variant the figures of the load that matters: the knee of a sweep, else the one with the most throughput. */
export function Tiles({ result }: { result: BenchResult }) {
  const variants = [...new Set(result.levels.map(({ variant }) => variant))]
  const legend = doubtedLegend(result.levels)
  return (
    <div class="numbers">
      {variants.map((variant) => {
        const levels = result.levels.filter((level) => level.variant === variant)
        const max = levels.reduce((best, benchLevel) =>
          throughputOf(benchLevel) > throughputOf(best) ? benchLevel : best,
        )
        const level = kneeLevel(result, variant, levels) ?? max
        return (
          <div key={variant}>
            {variants.length > 1 && <p class="tile-head">{`${variant}, ${loadWords(level)}`}</p>}
            <dl>
              {tilesOf(level).map(([value, words, term]) => (
                <div key={words} class="number">
                  <dt>
                    <Explained word={term} place="bench">
                      {words}
                    </Explained>
                  </dt>
                  <dd>
                    <span class="big">{value}</span>
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        )
      })}
      {legend !== null && <p class="note">{`${legend}.`}</p>}
    </div>
  )
}

function tilesOf(level: BenchLevel): readonly (readonly [value: string, words: string, term: string])[] {
  const { speed, cost, sloAttainment, correctSloAttainment, availability } = level
  const perThousand = figureValue(cost.perThousandUsd)
  return [
    [figureWords(speed.systemTokensPerSecond), `tokens a second in total at ${loadWords(level)}`, "throughput"],
    [
      doubted(level, "TTFT p50") + figureWords(speed.ttftMs.p50, " ms"),
      `time to first token, median${tail(speed.ttftMs.p99, doubted(level, "TTFT p99"))}`,
      "ttft",
    ],
    [figureWords(speed.e2eMs.p50, " ms"), `for a whole answer, median${tail(speed.e2eMs.p99)}`, "e2e"],
    sloAttainment.status === "known"
      ? [
          figureWords(sloAttainment, " %", 100),
          "of all requests met every objective (SLO attainment)",
          "slo-attainment",
        ]
      : [figureWords(availability, " %", 100), "of all requests were answered", "availability"],
    ...(correctSloAttainment.status === "known"
      ? [
          [
            figureWords(correctSloAttainment, " %", 100),
            sloAttainment.status === "known"
              ? "met them with a correct answer (correct SLO attainment)"
              : "were answered correctly (correct SLO attainment)",
            "correct-slo-attainment",
          ] as const,
        ]
      : []),
    ...(perThousand === null
      ? []
      : [[`$${significant(perThousand)}`, "for 1,000 such requests", "cost-per-1k"] as const]),
  ]
}

function tail(figure: Parameters<typeof figureValue>[0], doubt = ""): string {
  const value = figureValue(figure)
  if (value === null) return ""
  const small = figure?.status === "known" && figure.warning ? " (n too small)" : ""
  return `; p99 ${doubt}${significant(value)} ms${small}`
}
