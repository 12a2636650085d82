import { type Outcome, outcomes } from "../../src/core/outcome.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import type { ReportAnswer, ReportSample } from "../../src/core/report/report-sample.ts"
import { answerLatency } from "../../src/perf/answer-latency.ts"
import { answerMarks, type PageIndex } from "./payload.ts"

/** Gathers the numbers of the answers, column by column, while the samples stream by. */
export function createIndexBuilder(report: RunReport) {
  const variants = report.variants.map((variant) => variant.name)
  const metrics = report.metrics.map((metric) => metric.name)
  const positions = new Map(variants.map((name, position) => [name, position]))
  const classes = new Map<Outcome, number>(outcomes.map((outcome, position) => [outcome, position]))
  const groups = new Map<string, number>()
  const sampleIds: string[] = []
  const groupOf: number[] = []
  const chunkStarts: number[] = []
  const columns = {
    sample: [] as number[],
    variant: [] as number[],
    outcome: [] as number[],
    ttftMs: [] as (number | null)[],
    e2eMs: [] as (number | null)[],
    costUsd: [] as (number | null)[],
    tokens: [] as (number | null)[],
    marks: [] as number[],
    values: metrics.map(() => [] as (number | null)[]),
  }
  return {
    /** Positions of the names, for the texts. */
    positions: { variants: positions, metrics: new Map(metrics.map((name, position) => [name, position])) },
    /** The next sample begins a new text chunk. */
    startChunk() {
      chunkStarts.push(sampleIds.length)
    },
    add({ sample, answers }: ReportSample) {
      if (sample.group !== undefined && !groups.has(sample.group)) groups.set(sample.group, groups.size)
      groupOf.push(sample.group === undefined ? -1 : (groups.get(sample.group) as number))
      for (const answer of answers) {
        const { generation, values } = answer
        const latency = answerLatency(generation)
        columns.sample.push(sampleIds.length)
        columns.variant.push(positions.get(generation.variant) ?? -1)
        columns.outcome.push(classes.get(generation.outcome) ?? -1)
        columns.ttftMs.push(short(latency.ttftMs))
        columns.e2eMs.push(short(latency.e2eMs))
        columns.costUsd.push(short(generation.cost.status === "known" ? generation.cost.usd : null))
        columns.tokens.push(generation.usage.completionTokens)
        columns.marks.push(marksOf(answer))
        metrics.forEach((metric, position) => {
          columns.values[position]?.push(short(Object.hasOwn(values, metric) ? (values[metric] ?? null) : null))
        })
      }
      sampleIds.push(sample.id)
    },
    build: (): PageIndex => ({
      sampleIds,
      groups: [...groups.keys()],
      groupOf,
      variants,
      outcomes,
      metrics,
      chunkStarts,
      answers: columns,
    }),
  }
}

function marksOf({ highlights = [], disputed = [] }: ReportAnswer): number {
  const bits = highlights.map(({ kind }) => answerMarks[kind])
  return bits.reduce((sum: number, bit) => sum | bit, disputed.length > 0 ? answerMarks.disputed : 0)
}

/** Four significant digits: what the page shows has three. */
function short(value: number | null): number | null {
  return value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(4))
}
