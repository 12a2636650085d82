import { figureValue } from "../../../src/core/report/figure.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { readingThreshold, waitingThresholds } from "../../../src/perf/bench/experience.ts"
import { type Slo, sloShare } from "../../../src/perf/bench/slo.ts"
import { readableName } from "../../../src/words/metric.ts"
import { plainText } from "../../../src/words/text.ts"
import { msWords, shareWords, sloNames } from "../../bench/words/level-words.ts"
import type { Curve, CurvePoint, CurvesFigure } from "../charts/curves.ts"
import { byVariant, loadAxis, loadLabel, overLoad, type VariantLevels } from "./load-axis.ts"

/** The capacity of the endpoint: latency against throughput with the knee, both against load, SLO attainment. */
export function capacityFigures(result: BenchResult): readonly CurvesFigure[] {
  const variants = byVariant(result.levels)
  const xLabel = loadAxis(result.levels)
  const knees = kneesOf(result, variants)
  const overLoads = { xLabel, xScale: "doubling", verticals: knees } as const
  const many = variants.length > 1
  const isScored = result.levels.some(({ correctSloAttainment }) => correctSloAttainment.status === "known")
  const named = (variant: string, what: string) => (many ? `${variant}, ${what}` : what)
  return [
    throughputLatency(result, variants),
    {
      ...overLoads,
      title: "Throughput",
      note: "Sum of all requests. Where the line stops rising, further requests only wait in a queue.",
      yLabel: "tokens a second",
      series: variants.map((variantLevels) =>
        overLoad(variantLevels, variantLevels.variant, ({ speed }) => speed.systemTokensPerSecond),
      ),
    },
    {
      ...overLoads,
      title: "Time to first token",
      note: "Median, and the 99th percentile dashed, with 95 % intervals. What is below 0.1 s feels immediate, below 1 s keeps the thought, below 10 s the attention (Nielsen 1993).",
      yLabel: "milliseconds",
      horizontals: [
        ...objectives(result.slo, ["ttft", "ttft_from_intent", "ttft_any"]),
        ...waitingThresholds.map(({ ms, label }) => ({ y: ms, label })),
      ],
      series: variants.flatMap((variantLevels) => [
        overLoad(variantLevels, named(variantLevels.variant, "p50"), ({ speed }) => speed.ttftMs.p50),
        overLoad(variantLevels, named(variantLevels.variant, "p99"), ({ speed }) => speed.ttftMs.p99, { dashed: true }),
      ]),
    },
    {
      ...overLoads,
      title: "Time per token",
      note: "Median of each answer's decode speed, and its 99th percentile dashed. A token every 100 ms is faster than people read (Databricks 2023).",
      yLabel: "milliseconds",
      horizontals: [...objectives(result.slo, ["tpot"]), { y: readingThreshold.ms, label: readingThreshold.label }],
      series: variants.flatMap((variantLevels) => [
        overLoad(variantLevels, named(variantLevels.variant, "p50"), ({ speed }) => speed.tpotMs.p50),
        overLoad(variantLevels, named(variantLevels.variant, "p99"), ({ speed }) => speed.tpotMs.p99, { dashed: true }),
      ]),
    },
    {
      ...overLoads,
      title: "SLO attainment",
      note: `Share of all started requests that met every objective${isScored ? "; dashed: with a correct answer too" : ""}.`,
      yLabel: "per cent",
      yMax: 100,
      horizontals: [{ y: sloShare(result.slo) * 100, label: shareWords(result.slo) }],
      series: variants.flatMap((variantLevels) => [
        overLoad(variantLevels, named(variantLevels.variant, "SLO attainment"), ({ sloAttainment }) => sloAttainment, {
          scale: 100,
        }),
        overLoad(
          variantLevels,
          named(variantLevels.variant, "with a correct answer"),
          ({ correctSloAttainment }) => correctSloAttainment,
          {
            scale: 100,
            dashed: true,
          },
        ),
      ]),
    },
    qualityFigure(variants, overLoads, many),
  ]
}

/** Does the answer get worse when the server is busy? The same metrics at every load. */
function qualityFigure(
  variants: readonly VariantLevels[],
  shared: Pick<CurvesFigure, "xLabel" | "xScale" | "verticals">,
  many: boolean,
): CurvesFigure {
  const names = [
    ...new Set(variants.flatMap(({ levels }) => levels.flatMap(({ metrics }) => metrics.map((m) => m.name)))),
  ]
  const series = variants.flatMap((variant, i) =>
    names.map((name, j) => {
      const pick = ({ metrics }: BenchLevel) =>
        metrics.find((metric) => metric.name === name)?.figure ??
        ({ status: "unknown", reason: "not measured" } as const)
      const line = overLoad(variant, many ? `${variant.variant}, ${readableName(name)}` : readableName(name), pick)
      return { ...line, color: many ? i : j, dashed: many && j > 0 }
    }),
  )
  return {
    ...shared,
    title: "Quality under load",
    note: "The same metrics on the answers of every load, with 95 % intervals.",
    yLabel: "score",
    series,
  }
}

/** The curve that a capacity planner reads: further right is a higher throughput, further down a shorter latency. */
function throughputLatency(result: BenchResult, variants: readonly VariantLevels[]): CurvesFigure {
  const series = variants.flatMap((variantLevels): Curve[] => {
    const at = (name: string, share: "p50" | "p99", dashed: boolean): Curve => ({
      name: variants.length > 1 ? `${variantLevels.variant}, ${name}` : name,
      color: variantLevels.color,
      dashed,
      points: variantLevels.levels.flatMap((level): CurvePoint[] => {
        const x = figureValue(level.speed.systemTokensPerSecond)
        const y = figureValue(level.speed.e2eMs[share])
        return x === null || y === null ? [] : [{ x, y, ...(dashed ? {} : { label: loadLabel(level) }) }]
      }),
    })
    return [at("E2E p50", "p50", false), at("E2E p99", "p99", true)]
  })
  const verticals = variants.flatMap(({ variant, levels }) => {
    const knee = levels.find((level) => level === kneeLevel(result, variant, levels))
    const x = knee ? figureValue(knee.speed.systemTokensPerSecond) : null
    return x === null ? [] : [{ x, label: kneeWords(variant, variants) }]
  })
  return {
    wide: true,
    title: "Throughput against latency",
    note: `Each point is a load, labelled with its ${loadAxis(result.levels)}. Further right is a higher throughput, further up a longer latency.`,
    yScale: "logarithmic",
    xLabel: "tokens a second, all requests together",
    yLabel: "milliseconds for a whole answer",
    series,
    verticals,
    horizontals: objectives(result.slo, ["e2e"]),
  }
}

function kneesOf(result: BenchResult, variants: readonly VariantLevels[]) {
  return variants.flatMap(({ variant, levels }) => {
    const knee = kneeLevel(result, variant, levels)
    return knee && knee.plan.kind === "closed"
      ? [{ x: knee.plan.concurrency, label: kneeWords(variant, variants) }]
      : []
  })
}

function kneeWords(variant: string, all: readonly VariantLevels[]): string {
  return all.length > 1 ? `knee of ${plainText(variant, 14)}` : "knee"
}

/** The level at which a sweep found its saturation point; undefined where there was none. */
export function kneeLevel(
  { saturation }: BenchResult,
  variant: string,
  levels: readonly BenchLevel[],
): BenchLevel | undefined {
  const point = saturation.get(variant)
  if (!point?.reached) return undefined
  return levels.find(({ plan }) => plan.kind === "closed" && plan.concurrency === point.concurrency)
}

function objectives(slo: readonly Slo[], figures: readonly Slo["figure"][]) {
  return slo
    .filter(({ figure }) => figures.includes(figure))
    .map(({ figure, maxMs }) => ({ y: maxMs, label: `${sloNames[figure]} within ${msWords(maxMs)}` }))
}
