import type { CopyOf } from "../../src/core/copy-of.ts"
import type { ReportInput } from "../../src/core/report/report.ts"
import type { ReportAnswer, ReportSample } from "../../src/core/report/report-sample.ts"
import { inputText } from "../../src/core/sample.ts"
import { answerLatency } from "../../src/perf/answer-latency.ts"
import { restOfFirstToken, serverTimings } from "../../src/perf/server/server-timings.ts"

/** One answer as a flat row: what CSV, JSONL and Parquet hold. Times in milliseconds, money in US dollars. */
export interface AnswerRow {
  readonly sampleId: string
  readonly repeat: number
  readonly variant: string
  readonly group: string | null
  /** Where the sample is a changed copy: of which sample, and how it was changed. */
  readonly copyOf: CopyOf | null
  readonly outcome: string
  readonly source: string
  readonly input: string
  readonly references: readonly string[]
  readonly text: string
  readonly ttftMs: number | null
  readonly e2eMs: number | null
  readonly tpotMs: number | null
  /** What its server states of its own time; null where it states nothing. */
  readonly serverQueueMs: number | null
  readonly serverPrefillMs: number | null
  readonly serverDecodeMs: number | null
  /** What of the time to the first token that leaves: network, HTTP and the tokenizer, and the queue where the server states none. */
  readonly serverRestMs: number | null
  readonly promptTokens: number | null
  readonly completionTokens: number | null
  readonly costUsd: number | null
  readonly retries: number
  readonly failure: string | null
  /** Value per metric; null where it is unscored. */
  readonly values: Readonly<Record<string, number | null>>
  /** Why a metric has no value, by metric. */
  readonly unscored: Readonly<Record<string, string>>
}

/** The answers of a run as flat rows, in plan order. */
export async function* answerRows(input: ReportInput): AsyncGenerator<AnswerRow> {
  for await (const sample of input.samples()) for (const answer of sample.answers) yield answerRow(sample, answer)
}

/** One answer with its sample as a flat row. */
export function answerRow({ sample }: ReportSample, { generation, values, reasons }: ReportAnswer): AnswerRow {
  const latency = answerLatency(generation)
  const server = serverTimings(generation.server)
  return {
    sampleId: sample.id,
    repeat: generation.repeat,
    variant: generation.variant,
    group: sample.group ?? null,
    copyOf: sample.copyOf ?? null,
    outcome: generation.outcome,
    source: generation.source,
    input: inputText(sample),
    references: sample.references,
    text: generation.text,
    ttftMs: latency.ttftMs,
    e2eMs: latency.e2eMs,
    tpotMs: latency.tpotMs,
    serverQueueMs: server?.queueMs ?? null,
    serverPrefillMs: server?.prefillMs ?? null,
    serverDecodeMs: server?.decodeMs ?? null,
    serverRestMs: server && restOfFirstToken(server, latency.ttftMs),
    promptTokens: generation.usage.promptTokens,
    completionTokens: generation.usage.completionTokens,
    costUsd: generation.cost.status === "known" ? generation.cost.usd : null,
    retries: generation.retries.length,
    failure: generation.failure?.message ?? null,
    values,
    unscored: Object.fromEntries(Object.entries(reasons).filter(([metric]) => values[metric] == null)),
  }
}
