import type { Answer } from "../../../src/core/generation.ts"
import type { Distribution } from "../../../src/core/report/report.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { errorBudget } from "../../../src/perf/client/error-budget.ts"
import type { ToolColumn } from "../../../src/perf/tool-columns.ts"
import { count, significant } from "../../../src/words/number.ts"
import { doubted, doubtedLegend, loadWords } from "../../bench/words/level-words.ts"
import { Foreign } from "../parts.tsx"
import { Heading } from "../words.tsx"
import { kneeLevel } from "./capacity.ts"
import { BenchTable, type CellFormat, FigureTd, RowHead } from "./cells.tsx"

/** One row for each level: what was asked, what came, how fast. The knee is marked. */
export function OverviewTable({ result }: { result: BenchResult }) {
  const share: CellFormat = { scale: 100, after: " %", interval: true }
  const optional = [
    { heading: "Goodput, requests/s", pick: (level: BenchLevel) => level.goodput, format: { interval: true } },
    { heading: "SLO attainment", pick: (level: BenchLevel) => level.sloAttainment, format: share },
    { heading: "Correct SLO attainment", pick: (level: BenchLevel) => level.correctSloAttainment, format: share },
    { heading: "Quality", pick: (level: BenchLevel) => level.quality, format: { interval: true } },
  ].filter(({ pick }) => result.levels.some((level) => pick(level).status === "known"))
  const headings = [
    "Variant",
    { words: "Load" },
    "Answered",
    "Decode tokens/s",
    "System tokens/s",
    "Requests/s",
    "Availability",
  ]
  return (
    <BenchTable
      caption="Every load. Decode is the speed of one answer after its first token, median; system is all answers together. Throughput is over the window in which every slot was busy; shares have Wilson 95 % intervals."
      headings={[...headings, ...optional.map(({ heading }) => heading)]}
    >
      {result.levels.map((level, i) => {
        const ofVariant = result.levels.filter(({ variant }) => variant === level.variant)
        const best = level === kneeLevel(result, level.variant, ofVariant)
        return (
          <tr key={i} class={best ? "chosen" : ""}>
            <RowHead text={level.variant} />
            <td class="words">{best ? `${loadWords(level)} (knee)` : loadWords(level)}</td>
            <td>{`${count(level.answered)} of ${count(level.requests)}`}</td>
            <FigureTd figure={level.speed.outputTokensPerSecond.p50} />
            <FigureTd figure={level.speed.systemTokensPerSecond} />
            <FigureTd figure={level.speed.requestsPerSecond} />
            <FigureTd figure={level.availability} {...share} />
            {optional.map(({ heading, pick, format }) => (
              <FigureTd key={heading} figure={pick(level)} {...format} />
            ))}
          </tr>
        )
      })}
    </BenchTable>
  )
}

/** The figures whose own error is that of another: times between tokens, and to the first one. */
const errorOf: Readonly<Record<string, string>> = { TPOT: "ITL", "TTFT from intent": "TTFT", "E2E from intent": "E2E" }

/** Percentiles with their order-statistic intervals. */
export function PercentileTable({ result }: { result: BenchResult }) {
  const figures: readonly (readonly [string, (level: BenchLevel) => Distribution])[] = [
    ["TTFT", ({ speed }) => speed.ttftMs],
    ["TPOT", ({ speed }) => speed.tpotMs],
    ["ITL", ({ speed }) => speed.itlMs],
    ["E2E", ({ speed }) => speed.e2eMs],
  ]
  // In a closed loop a request is wanted when its slot is free: from intent says the same as from sending.
  const intent: typeof figures = [
    ["TTFT from intent", ({ speed }) => speed.ttftFromIntentMs],
    ["E2E from intent", ({ e2eFromIntentMs }) => e2eFromIntentMs],
  ]
  const figuresOf = ({ plan }: BenchLevel) => (plan.kind === "open" ? [...intent, ...figures] : figures)
  const legend = doubtedLegend(result.levels)
  return (
    <BenchTable
      caption={`Milliseconds. Percentiles by rule R-7 with order-statistic 95 % intervals below them; “n too small”: p99 needs 459, p95 90, p90 44.${legend === null ? "" : ` ${legend}.`}`}
      headings={["Load", { words: "Figure" }, "p50", "p90", "p95", "p99", "mean", "n"]}
    >
      {result.levels.map((level) =>
        figuresOf(level).map(([name, pick], index, all) => {
          const { mean, p50, p90, p95, p99 } = pick(level)
          return (
            <tr key={name}>
              <RowHead text={`${level.variant}, ${loadWords(level)}`} rows={all.length} index={index} />
              <td class="words">
                <Heading title={name} place="bench" />
              </td>
              {Object.entries({ p50, p90, p95, p99 }).map(([percentile, figure]) => (
                <FigureTd
                  key={percentile}
                  figure={figure}
                  before={doubted(level, `${errorOf[name] ?? name} ${percentile}`)}
                  interval
                />
              ))}
              <FigureTd figure={mean} />
              <td>{p50.status === "known" ? count(p50.n) : "0"}</td>
            </tr>
          )
        }),
      )}
    </BenchTable>
  )
}

/** Which requests were lost, by class, and what that does to the error budget. */
export function OutcomeTable({ result }: { result: BenchResult }) {
  const lost = ({ outcomes }: BenchLevel) =>
    Object.entries(outcomes).filter(([outcome]) => outcome !== "ok" && outcome !== "length")
  if (result.levels.every((level) => lost(level).length === 0)) return <p>Every request was answered.</p>
  return (
    <BenchTable
      caption={`Lost requests by class. Burn rate: the error rate over what a target of ${result.availabilityTarget * 100} % allows.`}
      headings={["Load", ...["Class", "Requests", "When", "Example"].map((words) => ({ words })), "Burn rate"]}
    >
      {result.levels.map((level) =>
        lost(level).map(([outcome, times], index, all) => {
          const share = level.requests === 0 ? 0 : times / level.requests
          return (
            <tr key={outcome}>
              <RowHead text={`${level.variant}, ${loadWords(level)}`} rows={all.length} index={index} />
              <td class="words">{outcome}</td>
              <td class="words">
                <svg class="lost" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={share * 100} height="10" />
                </svg>
                {`${count(times)} (${significant(share * 100)} %)`}
              </td>
              <td class="words">{whenWords(level, outcome)}</td>
              <td class="words message">
                <Foreign text={level.failureExamples.get(outcome as Answer["outcome"]) ?? ""} />
              </td>
              {index === 0 ? (
                <FigureTd figure={errorBudget(level.availability, result.availabilityTarget).burnRate} after=" ×" />
              ) : (
                <td />
              )}
            </tr>
          )
        }),
      )}
    </BenchTable>
  )
}

/** `in second 3` or `seconds 0 to 12, most in 4`: a burst and a trickle have different causes. */
function whenWords({ failures }: BenchLevel, outcome: string): string {
  const own = failures.filter((failure) => failure.outcome === outcome)
  const first = own[0]
  const last = own.at(-1)
  if (!first || !last) return ""
  if (first.second === last.second) return `in second ${first.second}`
  const max = own.reduce((best, failureCount) => (failureCount.count > best.count ? failureCount : best), first)
  return `seconds ${first.second} to ${last.second}, most in ${max.second}`
}

/** What four other tools would print of the same log; nothing where no log was kept. */
export function ToolTable({ result }: { result: BenchResult }) {
  const tools = result.levels[0]?.tools.map(({ tool }) => `as ${tool}`) ?? []
  const figures = [
    ["TTFT", ({ speed }: BenchLevel) => speed.ttftMs.p50, ({ ttftMs }: ToolColumn) => ttftMs],
    ["TPOT", ({ speed }: BenchLevel) => speed.tpotMs.p50, ({ tpotMs }: ToolColumn) => tpotMs],
    ["ITL", ({ speed }: BenchLevel) => speed.itlMs.p50, ({ itlMs }: ToolColumn) => itlMs],
  ] as const
  return (
    <BenchTable
      caption="Median milliseconds. The tools define the same words differently, so that one log gives several figures."
      headings={["Load", { words: "Figure" }, "evalkit", ...tools]}
    >
      {result.levels.map((level) =>
        figures.map(([name, ours, theirs], index) => (
          <tr key={name}>
            <RowHead text={`${level.variant}, ${loadWords(level)}`} rows={figures.length} index={index} />
            <td class="words">
              <Heading title={name} place="bench" />
            </td>
            <FigureTd figure={ours(level)} />
            {level.tools.map((tool) => (
              <FigureTd key={tool.tool} figure={theirs(tool)} />
            ))}
          </tr>
        )),
      )}
    </BenchTable>
  )
}
