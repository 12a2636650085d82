import type { Answer } from "../../src/core/generation.ts"
import { type Figure, figureValue } from "../../src/core/report/figure.ts"
import type { Distribution } from "../../src/core/report/report.ts"
import { generationFigures } from "../../src/perf/answer-latency.ts"
import type { BenchLevel } from "../../src/perf/bench/bench-level.ts"
import type { TruthStamps } from "../../src/perf/client/truth-server.ts"
import { quantileOfSorted } from "../../src/perf/percentile.ts"

/** One figure: how far it is from the truth, and how far its bench says that it may be. */
export interface Judged {
  readonly figure: string
  readonly off: string
  readonly stated: string
  readonly kept: boolean
}

/** The same durations twice, request by request: as the client stamped them, and as the server did. */
interface Pairs {
  readonly said: number[]
  readonly true: number[]
}

const percents = [50, 90, 95, 99] as const

/**
 * Holds what a bench reports of a level against what the server wrote down.
 *
 * Of single requests: the p50 and the p99 of the absolute errors, against the stated p50 and p99. Of reported percentiles: the difference to the same
 * percentile of the true durations, against the stated p99. What is derived of two stamps may be off by both: TPOT by two stated errors over its
 * gaps, tokens a second by the same share as the time that they are counted over.
 *
 * @throws Error when a request of the server's is missing or has other chunks: then nothing can be compared
 */
export function checkFigures(
  level: Pick<BenchLevel, "speed" | "lagMs" | "clientError" | "requests">,
  answers: ReadonlyMap<string, Answer>,
  truth: ReadonlyMap<string, TruthStamps>,
): readonly Judged[] {
  const error = level.clientError
  if (!error) throw new Error("the bench states no error of its own")
  if (answers.size !== level.requests) throw new Error(`${answers.size} of ${level.requests} requests are known`)
  const { ttft, e2e, itl, tpot, speed, lag } = pairsOf(answers, truth)
  const { ttftMsP50, ttftMsP99, itlMsP50, itlMsP99 } = error
  const gaps = Math.max(1, itl.said.length / ttft.said.length)
  const tpotP99 = (2 * ttftMsP99) / gaps
  const meanStreamMs = (sum(tpot.true) / tpot.true.length) * gaps
  return [
    ...singles("TTFT", ttft, ttftMsP50, ttftMsP99),
    ...singles("E2E latency", e2e, ttftMsP50, ttftMsP99),
    ...singles("gap between chunks", itl, itlMsP50, itlMsP99),
    ...singles("schedule error", lag, ttftMsP50, ttftMsP99),
    ...percentiles("TTFT", level.speed.ttftMs, ttft, ttftMsP99),
    ...percentiles("E2E latency", level.speed.e2eMs, e2e, ttftMsP99),
    ...percentiles("ITL", level.speed.itlMs, itl, itlMsP99),
    ...percentiles("TPOT", level.speed.tpotMs, tpot, tpotP99),
    ...percentiles("schedule error", level.lagMs, lag, ttftMsP99),
    ...relative("output tokens/s", level.speed.outputTokensPerSecond, speed, (2 * ttftMsP99) / meanStreamMs),
  ]
}

function pairsOf(answers: ReadonlyMap<string, Answer>, truth: ReadonlyMap<string, TruthStamps>) {
  const pairs = (): Pairs => ({ said: [], true: [] })
  const [ttft, e2e, itl, tpot, speed, lag] = [pairs(), pairs(), pairs(), pairs(), pairs(), pairs()]
  const put = (list: Pairs, said: number, real: number): void => {
    list.said.push(said)
    list.true.push(real)
  }
  for (const [id, answer] of answers) {
    const served = truth.get(id)
    const { ttftMs, e2eMs, iclMs, tpotMs, outputTokensPerSecond } = generationFigures(answer)
    if (!served || ttftMs === null || e2eMs === null) throw new Error(`request ${id} was not served or not answered`)
    const { arrivalMs, sendMs } = served
    if (iclMs.length !== sendMs.length - 1)
      throw new Error(`request ${id} has ${iclMs.length + 1} of ${sendMs.length} chunks`)
    const [first, last] = [sendMs[0] as number, sendMs.at(-1) as number]
    put(ttft, ttftMs, first - arrivalMs)
    put(e2e, e2eMs, last - arrivalMs)
    iclMs.forEach((gap, i) => void put(itl, gap, (sendMs[i + 1] as number) - (sendMs[i] as number)))
    const trueTpot = (last - first) / iclMs.length
    if (tpotMs !== null) put(tpot, tpotMs, trueTpot)
    if (outputTokensPerSecond !== null) put(speed, outputTokensPerSecond, 1000 / trueTpot)
    // On the client's log the arrival has another origin: that of the request which took the shortest way.
    put(lag, answer.log.sendMs - answer.log.scheduledMs, arrivalMs - answer.log.scheduledMs)
  }
  const shortest = lag.true.reduce((least, arrived, i) => Math.min(least, arrived - (lag.said[i] as number)), Infinity)
  return { ttft, e2e, itl, tpot, speed, lag: { said: lag.said, true: lag.true.map((arrived) => arrived - shortest) } }
}

function singles(name: string, { said, true: real }: Pairs, p50: number, p99: number): readonly Judged[] {
  const errors = sorted(said.map((value, i) => Math.abs(value - (real[i] as number))))
  const judge = (percent: number, stated: number): Judged => {
    const off = quantileOfSorted(errors, percent / 100)
    return {
      figure: `${name} of single requests, p${percent} of the error`,
      off: ms(off),
      stated: ms(stated),
      kept: off <= stated,
    }
  }
  return [judge(50, p50), judge(99, p99)]
}

function percentiles(name: string, reported: Distribution, { true: real }: Pairs, stated: number): readonly Judged[] {
  const ascending = sorted(real)
  return percents.map((percent) => {
    const off = Math.abs(knownValue(reported[`p${percent}`]) - quantileOfSorted(ascending, percent / 100))
    return { figure: `${name} p${percent}`, off: ms(off), stated: ms(stated), kept: off <= stated }
  })
}

function relative(name: string, reported: Distribution, { true: real }: Pairs, stated: number): readonly Judged[] {
  const off = Math.abs(knownValue(reported.p50) / quantileOfSorted(sorted(real), 0.5) - 1)
  const share = (value: number): string => `${(100 * value).toFixed(3)} %`
  return [{ figure: `${name} p50`, off: share(off), stated: share(stated), kept: off <= stated }]
}

/** A figure that is not there cannot be off. */
function knownValue(figure: Figure): number {
  const value = figureValue(figure)
  if (value === null) throw new Error(`a figure is unknown: ${figure.status === "unknown" ? figure.reason : ""}`)
  return value
}

function sorted(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort()
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function ms(value: number): string {
  return `${value.toFixed(3)} ms`
}
