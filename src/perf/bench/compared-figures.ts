import type { ResourceUsage } from "../../core/provider.ts"
import { type Figure, figureValue, unknown } from "../../core/report/figure.ts"
import { quotientInterval } from "../../stats/intervals/quotient-interval.ts"
import { servingMethods, servingReasons } from "../../words/perf/serving.ts"
import { decodeSteps } from "../server/server-timings.ts"
import type { BenchLevel } from "./bench-level.ts"

/** Figures by which services and machines are compared elsewhere, derived from those of one level. @experimental */
export interface ComparedFigures {
  /** System throughput over the requests in flight of a closed loop: what each user gets, waiting included. Tokens a second. */
  readonly tokensPerSecondPerUser: Figure
  /** System throughput over the GPUs that run the server. */
  readonly tokensPerSecondPerGpu: Figure
  /** Output tokens for a dollar, failures paid. */
  readonly tokensPerUsd: Figure
  /** Reading the prompt, as llama-bench's pp: prompt tokens that no cache held, over the server's own time for them. Tokens a second. */
  readonly promptProcessing: Figure
  /** Writing the answer, as llama-bench's tg: output tokens but the first of each answer, over the server's own time for them. Tokens a second. */
  readonly tokenGeneration: Figure
}

/**
 * Derives the figures; each is unknown, with the reason, where one of its parts is. llama-bench itself reads and writes random tokens one request
 * at a time: compare its figures with a level of one request in flight.
 *
 * @param resources what the server of this level's variant used; absent where it is not evalkit's
 * @experimental
 */
export function comparedFigures(
  { speed, plan, tokens, cost, answered }: Pick<BenchLevel, "speed" | "plan" | "tokens" | "cost" | "answered">,
  resources: Pick<ResourceUsage, "gpu"> | undefined,
): ComparedFigures {
  const system = speed.systemTokensPerSecond
  const { server } = speed
  const prompt = figureValue(tokens.prompt)
  const cached = figureValue(tokens.cachedPrompt)
  const written = figureValue(tokens.completion)
  const steps = server && written !== null ? decodeSteps(server, written, answered) : null
  const serverSpeed = (mean: Figure | undefined, count: number | null, what: string): Figure => {
    const ms = figureValue(mean)
    if (!server || mean === undefined || ms === null) return unknown(servingReasons.noServerTimes)
    if (server.answers !== answered) return unknown(servingReasons.someServerTimes)
    if (count === null) return unknown(servingReasons.partUnknown(what))
    if (count <= 0 || ms <= 0) return unknown(servingReasons.nothingLeft(what))
    return {
      status: "known",
      value: (count * 1000) / (ms * answered),
      n: answered,
      method: servingMethods.overServerTime(what),
      by: "server",
    }
  }
  return {
    tokensPerSecondPerUser:
      plan.kind === "closed"
        ? scaledFigure(system, 1 / plan.concurrency, "requests in flight")
        : unknown(servingReasons.noUsers),
    tokensPerSecondPerGpu: perGpu(system, resources?.gpu),
    tokensPerUsd: tokensPerDollar(written, cost.totalUsd),
    // Without the cached part the rest is no count of what was read: Ollama's prompt tokens hold it, its time does not.
    promptProcessing:
      server?.prefillMs && cached === null
        ? unknown(servingReasons.noCacheShare)
        : serverSpeed(
            server?.prefillMs?.mean,
            prompt === null || cached === null ? null : prompt - cached,
            "prompt tokens",
          ),
    // The first token of an answer ends the reading of its prompt: llama.cpp states a microsecond for an answer of one.
    tokenGeneration:
      written !== null && written < 2 * answered
        ? unknown(servingReasons.singleTokens)
        : serverSpeed(server?.decodeMs?.mean, steps, steps === written ? "output tokens" : servingMethods.laterTokens),
  }
}

/** System throughput over the GPUs that ran the server. */
export function perGpu(system: Figure, gpu: ResourceUsage["gpu"] | undefined): Figure {
  if (!gpu) return unknown(servingReasons.noGpu)
  // Names are no number: several GPUs have one.
  return gpu.count ? scaledFigure(system, 1 / gpu.count, "GPUs") : unknown(servingReasons.noGpuCount)
}

/** A figure times a factor, its interval too. @param by what it is divided by, for its method */
export function scaledFigure(figure: Figure, factor: number, by: string): Figure {
  if (figure.status === "unknown") return figure
  const of = (value: number | null) => (value === null ? null : value * factor)
  const { value, low, high } = figure
  return {
    ...figure,
    value: value * factor,
    ...(low !== undefined && { low: of(low) }),
    ...(high !== undefined && { high: of(high) }),
    method: `${figure.method}, / ${by}`,
  }
}

/** Output tokens for a dollar; unknown where either is. */
export function tokensPerDollar(written: number | null, usd: Figure): Figure {
  if (usd.status === "unknown") return usd
  if (written === null) return unknown(servingReasons.partUnknown("output tokens"))
  if (usd.value <= 0) return unknown(servingReasons.nothingPaid)
  const { value, low, high, n } = usd
  const bounds =
    low === undefined || high === undefined ? {} : quotientInterval({ value: written }, { value, low, high })
  return { status: "known", value: written / value, ...bounds, n, method: "output tokens / dollars" }
}
