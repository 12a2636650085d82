import { createHash } from "node:crypto"
import type { Generation } from "../../core/generation.ts"
import { canonicalJson, contentHash, type JsonObject } from "../../core/json.ts"
import { isAnswered } from "../../core/outcome.ts"
import type { ReportInput, VariantReport } from "../../core/report/report.ts"
import type { ReportAnswer } from "../../core/report/report-sample.ts"
import type { MetricRecord } from "../../core/run/run-record.ts"
import type { Sample } from "../../core/sample.ts"
import { terminalJson } from "../../core/terminal-json.ts"
import type { Usage } from "../../core/usage.ts"
import { answerLatency } from "../../perf/answer-latency.ts"
import type { ExportedFile, ExportFacts } from "../exported-file.ts"

const schemaVersion = "0.3.0"

/**
 * A run in the format of Every Eval Ever 0.3.0: an aggregate and its instances for each variant, an instance an answer and metric.
 * What an answer's metric has no score for says so in `error`, since the format has no instance without a score.
 */
export function everyEvalEverFiles(input: ReportInput, { version, now }: ExportFacts): readonly ExportedFile[] {
  return input.report.variants.flatMap((variant): ExportedFile[] => {
    const id = uuidOf([input.report.run.id, variant.name])
    const samples = `${id}_samples.jsonl`
    return [
      { name: samples, chunks: () => instances(input, variant) },
      { name: `${id}.json`, chunks: () => aggregate(input, variant, { samples, version, now }) },
    ]
  })
}

/** The aggregate names its instances with their checksum: they are read twice, and never held. */
async function* aggregate(
  input: ReportInput,
  variant: VariantReport,
  { samples, version, now }: { readonly samples: string; readonly version: string; readonly now: string },
): AsyncGenerator<string> {
  const { report } = input
  const hash = createHash("sha256")
  let rows = 0
  for await (const chunk of instances(input, variant)) {
    hash.update(chunk)
    rows++
  }
  const document = {
    schema_version: schemaVersion,
    evaluation_id: evaluationId(input, variant),
    evaluation_timestamp: seconds(report.run.startedAt),
    retrieved_timestamp: seconds(now),
    source_metadata: {
      source_name: "evalkit",
      source_type: "evaluation_run",
      source_organization_name: "unknown",
      evaluator_relationship: "other",
    },
    eval_library: { name: "evalkit", version },
    model_info: {
      name: variant.name,
      id: variant.model,
      additional_details: {
        deployment_type: "unknown",
        model_availability: "unknown",
        provider: variant.provider,
        ...(variant.quantization !== null && { quantization: variant.quantization }),
      },
    },
    evaluation_results: report.metrics.flatMap((metric) => resultOf(input, variant, metric) ?? []),
    ...(rows > 0 && {
      detailed_evaluation_results: {
        format: "jsonl",
        file_path: `${storeFolder(variant)}/${samples}`,
        hash_algorithm: "sha256",
        checksum: hash.digest("hex"),
        total_rows: rows,
      },
    }),
  }
  yield `${terminalJson(document, 2)}\n`
}

/** The figure of a metric; null where there is none: the format has no result without a score. */
function resultOf({ report }: ReportInput, variant: VariantReport, metric: MetricRecord): JsonObject | null {
  const quality = variant.quality.find((qualityFigure) => qualityFigure.metric === metric.name)
  if (quality?.figure.status !== "known") return null
  const { value, low, high, method } = quality.figure
  const [least, most] = metric.range
  return {
    evaluation_result_id: resultId(report.run.id, variant.name, metric.name),
    evaluation_name: `${report.dataset.name}.${metric.name}`,
    source_data: {
      dataset_name: report.dataset.name,
      source_type: "other",
      additional_details: { fingerprint: report.dataset.fingerprint },
    },
    metric_config: {
      metric_id: metric.name,
      metric_name: metric.name,
      lower_is_better: metric.direction === "lower",
      score_type: "continuous",
      min_score: least ?? "-Infinity",
      max_score: most ?? "Infinity",
      ...(metric.unit !== null && { metric_unit: metric.unit }),
      additional_details: { signature: metric.signature, aggregation: metric.aggregation ?? "unknown" },
    },
    score_details: {
      score: value,
      details: { scored: String(quality.scored), total: String(quality.total) },
      uncertainty: {
        num_samples: quality.scored,
        ...(typeof low === "number" &&
          typeof high === "number" && {
            confidence_interval: { lower: low, upper: high, confidence_level: 1 - (report.run.alpha ?? 0.05), method },
          }),
      },
    },
  }
}

/** A line for each answer and each metric that is a mean of answers: no other has a value for one. */
async function* instances(input: ReportInput, variant: VariantReport): AsyncGenerator<string> {
  const metrics = input.report.metrics.filter(
    ({ name, aggregation }) =>
      aggregation === "mean" &&
      variant.quality.some(({ metric, figure }) => metric === name && figure.status === "known"),
  )
  for await (const { sample, answers } of input.samples())
    for (const answer of answers) {
      if (answer.generation.variant !== variant.name) continue
      for (const metric of metrics) yield `${terminalJson(instanceOf(input, variant, sample, answer, metric))}\n`
    }
}

function instanceOf(
  input: ReportInput,
  variant: VariantReport,
  sample: Sample,
  { generation, values, reasons }: ReportAnswer,
  metric: MetricRecord,
): JsonObject {
  const { run, dataset } = input.report
  const value = values[metric.name] ?? null
  const reason = value === null ? (reasons[metric.name] ?? "it has no score") : null
  const worst = metric.direction === "lower" ? metric.range[1] : metric.range[0]
  const raw = textOfInput(sample)
  return {
    schema_version: schemaVersion,
    evaluation_id: evaluationId(input, variant),
    model_id: variant.model,
    evaluation_name: `${dataset.name}.${metric.name}`,
    evaluation_result_id: resultId(run.id, variant.name, metric.name),
    sample_id: sample.id,
    sample_hash: createHash("sha256")
      .update(`${raw}${sample.references.join("")}`)
      .digest("hex"),
    interaction_type: "single_turn",
    input: {
      raw,
      reference: [...sample.references],
      ...(sample.choices.length > 0 && { choices: [...sample.choices] }),
    },
    output: {
      raw: [generation.text],
      ...(generation.reasoning !== "" && { reasoning_trace: [generation.reasoning] }),
    },
    answer_attribution: [],
    evaluation: {
      score: value ?? worst ?? 0,
      is_correct: value !== null && value === (metric.direction === "lower" ? metric.range[0] : metric.range[1]),
    },
    ...(isAnswered(generation.outcome) && tokensOf(generation.usage)),
    performance: performanceOf(generation),
    ...(reason !== null && { error: generation.failure?.message ?? reason }),
    metadata: {
      evalkit_outcome: generation.outcome,
      evalkit_repeat: String(generation.repeat),
      ...(reason !== null && { evalkit_unscored: reason }),
      ...(sample.cluster !== undefined && { evalkit_cluster: sample.cluster }),
      ...(sample.group !== undefined && { evalkit_group: sample.group }),
      ...(sample.context.length > 0 && { evalkit_context: canonicalJson(sample.context) }),
      ...(generation.cost.status === "known" && { evalkit_cost_usd: String(generation.cost.usd) }),
    },
  }
}

function textOfInput({ input }: Sample): string {
  return input === null ? "" : typeof input === "string" ? input : canonicalJson(input)
}

/** All three counts, or none: the format asks for all of them. */
function tokensOf(usage: Usage): JsonObject {
  const { promptTokens, completionTokens, cachedPromptTokens, reasoningTokens } = usage
  if (promptTokens === null || completionTokens === null) return {}
  return {
    token_usage: {
      input_tokens: promptTokens,
      output_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      input_tokens_cache_read: cachedPromptTokens,
      reasoning_tokens: reasoningTokens,
    },
  }
}

function performanceOf(generation: Generation): JsonObject {
  const { ttftMs, e2eMs } = answerLatency(generation)
  return {
    latency_ms: e2eMs,
    time_to_first_token_ms: ttftMs,
    generation_time_ms: e2eMs === null || ttftMs === null ? null : e2eMs - ttftMs,
  }
}

function evaluationId({ report }: ReportInput, variant: VariantReport): string {
  return `${report.dataset.name}/${variant.name}/${report.run.id}`
}

function resultId(run: string, variant: string, metric: string): string {
  return `${run}/${variant}/${metric}`
}

/** Where the format's own store keeps a model: below its developer, whom the model's id names before a `/`. Facts: its validator, 0.3.0. */
function storeFolder({ model, provider }: VariantReport): string {
  const [developer = "", ...names] = (model.includes("/") ? model : `${provider}/${model}`).split("/")
  return `data/evalkit/${folderName(developer)}/${names.map(folderName).join("_")}`
}

function folderName(text: string): string {
  return text.replaceAll(":", "_").replace(/[^A-Za-z0-9._-]+/g, "-") || "unknown"
}

/** Seconds since 1970, as the format writes times. */
function seconds(iso: string): string {
  return String(Math.floor(Date.parse(iso) / 1000))
}

/** A name of the form that the format asks for (a UUID of version 4), the same for the same content. */
function uuidOf(content: readonly string[]): string {
  const hex = contentHash(content, 32)
  const variant = ((Number.parseInt(hex[16] as string, 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join("-")
}
