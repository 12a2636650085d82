import type { Figure } from "../core/report/figure.ts"
import type { Distribution, SpeedFigures } from "../core/report/report.ts"
import type { Variant } from "../core/variant.ts"
import { callWords } from "../words/run/calls.ts"

type Asked = Pick<Variant, "parameters" | "provider">

/**
 * What a reader must know of speeds that were measured while log-probabilities were asked for: a server of one's own computes them for
 * every token, and decodes at about half its speed meanwhile (llama.cpp with a small model). None where none were asked for.
 */
export function logprobRemarks(variant: Asked): readonly string[] {
  return slowsDecoding(variant) ? [callWords.logprobs] : []
}

/** The figures with the same said beside each speed that it concerns: decode speed of an answer and of all answers. */
export function markLogprobs<Speed extends Pick<SpeedFigures, "outputTokensPerSecond" | "systemTokensPerSecond">>(
  speed: Speed,
  variant: Asked,
): Speed {
  if (!slowsDecoding(variant)) return speed
  const { outputTokensPerSecond, systemTokensPerSecond } = speed
  return {
    ...speed,
    outputTokensPerSecond: markAll(outputTokensPerSecond),
    systemTokensPerSecond: mark(systemTokensPerSecond),
  }
}

function slowsDecoding({ parameters, provider }: Asked): boolean {
  return parameters.topLogprobs !== undefined && provider.traits?.isFreePerCall === true
}

function markAll({ percentiles, mean, p50, p90, p95, p99 }: Distribution): Distribution {
  return { mean: mark(mean), p50: mark(p50), p90: mark(p90), p95: mark(p95), p99: mark(p99), percentiles }
}

function mark(figure: Figure): Figure {
  return figure.status === "known" ? { ...figure, withLogprobs: true } : figure
}
