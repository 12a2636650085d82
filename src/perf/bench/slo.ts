import { UsageError } from "../../core/errors.ts"
import { longestOf, type RequestFigures } from "../request-figures.ts"

/** A limit that a request must keep to count as good. @experimental */
export interface Slo {
  readonly figure: SloFigure
  /** Largest value, in milliseconds. */
  readonly maxMs: number
  /** Share of the requests that must keep all limits together, 0.5 to 0.9999, where it was named; see {@link sloShare}. */
  readonly share?: number
}

/** Share of the started requests that must keep the limits where none is named. */
const defaultSloShare = 0.95

/** The share of the started requests that must keep all limits together, for the limits to hold at a load. */
export function sloShare(slo: readonly Slo[]): number {
  return slo.find(({ share }) => share !== undefined)?.share ?? defaultSloShare
}

/** Figures of a request that can be limited. */
type SloFigure = "ttft" | "ttft_from_intent" | "ttft_any" | "tpot" | "e2e" | "stop" | "itl.max"

/**
 * Reads service-level objectives: `figure<limit` with a unit, joined by commas. `figure.p99` names the percentile that must keep the limit;
 * several limits have one, since they are kept by the same requests.
 *
 * @throws UsageError for a figure or a limit that it does not know, and for several percentiles
 * @example parseSlo("ttft<800ms, e2e<5s") // [{ figure: "ttft", maxMs: 800 }, { figure: "e2e", maxMs: 5000 }]
 * @experimental
 */
export function parseSlo(text: string): readonly Slo[] {
  const slo = text.split(",").map((part): Slo => {
    const match = /^\s*([a-z0-9_.]+?)(?:\.p(\d+(?:\.\d+)?))?\s*<=?\s*(\d+(?:\.\d+)?)\s*(ms|s)\s*$/.exec(part)
    const figure = figures.find((name) => name === match?.[1])
    const percentile = match?.[2] === undefined ? null : Number(match[2])
    if (!match || !figure || (percentile !== null && !(percentile >= 50 && percentile <= 99.99)))
      throw new UsageError("an SLO cannot be read", {
        where: part.trim().slice(0, 60),
        hint: `write it as ttft<800ms, ttft.p99<800ms (p50 to p99.99; p95 where none is named) or e2e<5s; figures: ${figures.join(", ")}`,
      })
    const maxMs = Number(match[3]) * (match[4] === "s" ? 1000 : 1)
    return percentile === null ? { figure, maxMs } : { figure, maxMs, share: Number((percentile / 100).toFixed(6)) }
  })
  if (new Set(slo.flatMap(({ share }) => share ?? [])).size > 1)
    throw new UsageError("several objectives have one percentile: the share of the requests that keep all of them", {
      where: text.slice(0, 100),
    })
  return slo
}

/** Figures that an answer in one chunk does not have, and does not break. */
const betweenChunks: ReadonlySet<SloFigure> = new Set<SloFigure>(["tpot", "stop", "itl.max"])

/**
 * Whether an answered request met every objective. The time to the first token and to the end counts from when the request was due, also
 * where it had to wait for a free slot. A time between tokens that does not exist, because the answer came in one chunk, breaks none.
 */
export function meetsSlo(figures: RequestFigures, objectives: readonly Slo[]): boolean {
  return objectives.every(({ figure, maxMs }) => {
    const value = sloValue(figures, figure)
    return value === null ? betweenChunks.has(figure) : value <= maxMs
  })
}

const figures: readonly SloFigure[] = ["ttft", "ttft_from_intent", "ttft_any", "tpot", "e2e", "stop", "itl.max"]

function sloValue(request: RequestFigures, figure: SloFigure): number | null {
  if (figure === "stop") return request.longestStopMs
  if (figure === "itl.max") return longestOf(request.itlMs)
  if (figure === "tpot") return request.tpotMs
  const [sent, waited] = [
    figure === "e2e" ? request.e2eMs : figure === "ttft_any" ? request.ttftAnyMs : request.ttftMs,
    request.queueWaitMs,
  ]
  return sent === null ? null : sent + waited
}
