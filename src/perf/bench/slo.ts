import { UsageError } from "../../core/errors.ts"
import { longestOf, type RequestFigures } from "../request-figures.ts"

/** A limit that a request must keep to count as good. @experimental */
export interface Slo {
  readonly figure: SloFigure
  /** Largest value, in milliseconds. */
  readonly maxMs: number
}

/** Figures of a request that can be limited. */
type SloFigure = "ttft" | "ttft_from_intent" | "ttft_any" | "tpot" | "e2e" | "stop" | "itl.max"

/**
 * Reads service-level objectives: `figure<limit` with a unit, joined by commas.
 *
 * @throws UsageError for a figure or a limit that it does not know
 * @example parseSlo("ttft<800ms, e2e<5s") // [{ figure: "ttft", maxMs: 800 }, { figure: "e2e", maxMs: 5000 }]
 * @experimental
 */
export function parseSlo(text: string): readonly Slo[] {
  return text.split(",").map((part) => {
    const match = /^\s*([a-z0-9_.]+)\s*<=?\s*(\d+(?:\.\d+)?)\s*(ms|s)\s*$/.exec(part)
    const figure = figures.find((name) => name === match?.[1])
    if (!match || !figure)
      throw new UsageError("an SLO cannot be read", {
        where: part.trim().slice(0, 60),
        hint: `write it as ttft<800ms or e2e<5s; figures: ${figures.join(", ")}`,
      })
    return { figure, maxMs: Number(match[2]) * (match[3] === "s" ? 1000 : 1) }
  })
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
