import type { Generation } from "../../core/generation.ts"
import type { ServerPhases } from "../../core/report/server-phases.ts"
import { createCompactList } from "../../stats/compact-list.ts"
import type { NumberList } from "../../stats/number-list.ts"
import { seriesDistribution } from "../distribution.ts"
import type { RequestFigures } from "../request-figures.ts"
import {
  decodeSteps,
  restOfFirstToken,
  type ServerTimings,
  serverDecodeSpeed,
  serverTimings,
} from "./server-timings.ts"

/** What servers say of their own time, over many answers. */
export interface ServerPhasesCollector {
  add(generation: Pick<Generation, "log" | "server">, figures: RequestFigures): void
  /** Undefined when no answer came with timings. */
  figures(): ServerPhases | undefined
  /** Tokens a second of each answer by its server's clock. */
  readonly decodeSpeeds: NumberList
}

/**
 * Splits the time of answers by what their server states: queue, prefill, decode, and the rest of the time to the first token, which
 * is the network, HTTP and the tokenizer. Only durations are compared, never clocks. `alpha` is 1 − the level of the intervals.
 */
export function createServerPhases(alpha = 0.05): ServerPhasesCollector {
  const lists = new Map<ListName, NumberList>(listNames.map((name) => [name, createCompactList()]))
  const decodeSpeeds = createCompactList()
  const drafts = { drafted: 0, accepted: 0 }
  const sources = new Set<string>()
  let answers = 0
  const push = (name: ListName, value: number | null): void => {
    if (value !== null) lists.get(name)?.push(value)
  }
  return {
    decodeSpeeds,
    add({ log, server }, { ttftAnyMs: ttftMs, e2eMs }) {
      const timings = serverTimings(server)
      if (timings === null) return
      answers++
      sources.add(timings.source)
      const { queueMs, loadMs, prefillMs, decodeMs, totalMs, draftTokens, acceptedTokens } = timings
      push("queueMs", queueMs)
      push("loadMs", loadMs)
      push("prefillMs", prefillMs)
      push("decodeMs", decodeMs)
      const speed = serverDecodeSpeed(timings)
      if (speed !== null) decodeSpeeds.push(speed)
      push("networkMs", restOfFirstToken(timings, ttftMs))
      // The end of the body: a server stops its clock after the last token, and may send that late.
      if (e2eMs !== null && totalMs !== null) push("beyondServerMs", log.endMs - log.sendMs - totalMs)
      if (ttftMs !== null && e2eMs !== null && decodeMs !== null)
        push("streamLessDecodeMs", e2eMs - ttftMs - streamed(timings, decodeMs))
      if (draftTokens !== null && acceptedTokens !== null && acceptedTokens <= draftTokens) {
        drafts.drafted += draftTokens
        drafts.accepted += acceptedTokens
      }
    },
    figures() {
      if (answers === 0) return undefined
      const of = (name: ListName) => {
        const list = lists.get(name) as NumberList
        return list.length === 0 ? {} : { [name]: seriesDistribution(list.values(), "", alpha) }
      }
      return {
        answers,
        source: [...sources].sort().join(", "),
        ...Object.assign({}, ...listNames.map(of)),
        ...(drafts.drafted > 0 && { drafted: drafts.drafted, accepted: drafts.accepted }),
      }
    },
  }
}

/** The end of an answer is a token without a chunk, and the last word may wait for it: the time of two tokens is not in the stream. */
function streamed(timings: ServerTimings, decodeMs: number): number {
  const { decodeTokens } = timings
  const steps = decodeTokens === null ? 0 : decodeSteps(timings, decodeTokens)
  return steps < 2 ? 0 : decodeMs * (1 - 2 / steps)
}

const listNames = [
  "queueMs",
  "loadMs",
  "prefillMs",
  "decodeMs",
  "networkMs",
  "beyondServerMs",
  "streamLessDecodeMs",
] as const
type ListName = (typeof listNames)[number]
