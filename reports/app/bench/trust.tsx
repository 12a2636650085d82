import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { lateWorkers } from "../../../src/perf/bench/load-worker.ts"
import { capital } from "../../../src/words/names.ts"
import { count, significant } from "../../../src/words/number.ts"
import { loadWords } from "../../bench/words/level-words.ts"
import { coldStartWords, workerSentences } from "../../bench/words/worker-words.ts"
import { BenchTable, FigureTd, Paragraphs, RowHead } from "./cells.tsx"

/** How far the figures can be trusted: the client's own error at each load, and the state of its event loop. */
export function TrustTable({ result }: { result: BenchResult }) {
  const transports = [...new Set(result.levels.map(({ transport }) => transport ?? "unknown"))].join(" and ")
  return (
    <>
      <BenchTable
        caption="The client's own error, measured against a reference server that records when it sent each chunk. A figure is invalid where that error is over 5 % of it."
        headings={[
          ...["Load", { words: "Verdict" }, "TTFT error p50 / p99", "ITL error p50 / p99", "Event loop busy"],
          ...["Event loop delay, p99", "GC", "Context switches", "Starts", "Start delay, p99", { words: "Drift" }],
        ]}
      >
        {result.levels.map((level, i) => (
          <tr key={i}>
            <RowHead text={`${level.variant}, ${loadWords(level)}`} />
            <VerdictTd level={level} />
            <ErrorTds level={level} />
            <td>{`${significant(level.clientLoad.eventLoopUtilisation * 100)} %`}</td>
            <td>{`${significant(level.clientLoad.eventLoopDelayMsP99)} ms`}</td>
            <td>{`${significant(level.clientLoad.gcMs)} ms`}</td>
            <td>{switchesOf(level)}</td>
            <FigureTd figure={level.achievedRate} after="/s" />
            <FigureTd figure={level.lagMs.p99} after=" ms" />
            <td class="words message">{level.drift.message}</td>
          </tr>
        ))}
      </BenchTable>
      <Paragraphs sentences={[...coldStartWords(result), `Transport: ${transports}.`, ...workerWords(result)]} />
    </>
  )
}

function workerWords({ levels }: BenchResult): readonly string[] {
  return levels.flatMap(workerSentences).map((words) => `${capital(words)}.`)
}

function switchesOf({ clientLoad }: BenchLevel): string {
  const { involuntaryContextSwitches: switches } = clientLoad
  return switches === null ? "unknown" : count(switches)
}

function VerdictTd({ level }: { level: BenchLevel }) {
  const { clientError, doubtful } = level
  const late = lateWorkers(level)
  if (late.length > 0)
    return <td class="words bad">{`invalid: schedule of ${late.map(({ shard }) => shard).join(", ")}`}</td>
  if (!clientError) return <td class="words unknown">unchecked: the client's own error was not measured</td>
  if (doubtful.length === 0) return <td class="words good">valid</td>
  return <td class="words bad">{`invalid: ${doubtful.map(({ figure }) => figure).join(", ")}`}</td>
}

function ErrorTds({ level: { clientError } }: { level: BenchLevel }) {
  const pairs = clientError && [
    [clientError.ttftMsP50, clientError.ttftMsP99],
    [clientError.itlMsP50, clientError.itlMsP99],
  ]
  return (
    <>
      {[0, 1].map((i) => {
        const [p50, p99] = pairs?.[i] ?? []
        return p50 === undefined || p99 === undefined ? (
          <td key={i} class="unknown">
            unknown
          </td>
        ) : (
          <td key={i}>{`${significant(p50)} / ${significant(p99)} ms`}</td>
        )
      })}
    </>
  )
}
