import type { Generation } from "../../core/generation.ts"
import { contentHash } from "../../core/json.ts"
import { isFailure } from "../../core/outcome.ts"
import type { ReportInput, VariantReport } from "../../core/report/report.ts"
import type { ReportAnswer } from "../../core/report/report-sample.ts"
import type { Sample } from "../../core/sample.ts"
import { terminalJson } from "../../core/terminal-json.ts"
import { answerLatency } from "../../perf/answer-latency.ts"
import { type ExportedFile, type ExportFacts, pathPart } from "../exported-file.ts"
import { ownFacts, ownMetrics } from "../own-facts.ts"

/**
 * A log of Inspect (version 2 of its format, as JSON) for each variant, with a sample for each answer; repeats are epochs. A metric is a
 * scorer: one that is a mean of answers has a score in each sample, any other its figure in the results alone. Names begin with the
 * run's start, since Inspect lists no other JSON files; the task of each variant has an id of its own, since logs of one are retries
 * to it. What the format has no place for (clusters, how an answer ended, why it has no score, times to the digit) stands in `metadata` as `evalkit_…`. A score that
 * is missing is left out: Inspect has no score without a value.
 */
export function inspectFiles(input: ReportInput, facts: ExportFacts): readonly ExportedFile[] {
  const { run, dataset, variants } = input.report
  const started = new Date(Date.parse(run.startedAt) || 0).toISOString().slice(0, 19).replaceAll(":", "-")
  return variants.map((variant) => ({
    name: `${started}_${[dataset.name, variant.name].map((name) => pathPart(name.replaceAll("_", "-"), new Set())).join("_")}_${taskId(input, variant)}.json`,
    chunks: () => logText(input, variant, facts),
  }))
}

function taskId({ report }: ReportInput, variant: VariantReport): string {
  return contentHash([report.run.id, variant.name], 22)
}

async function* logText(input: ReportInput, variant: VariantReport, facts: ExportFacts): AsyncGenerator<string> {
  // What stands behind the samples is not read with the head.
  const head = terminalJson({ ...headOf(input, variant, facts), stats: await statsOf(input, variant) })
  yield `${head.slice(0, -1)},"samples":[`
  let isFirst = true
  for await (const { sample, answers } of input.samples())
    for (const answer of answers) {
      if (answer.generation.variant !== variant.name) continue
      yield `${isFirst ? "\n" : ",\n"}${terminalJson(sampleOf(input, variant, sample, answer))}`
      isFirst = false
    }
  yield "\n]}\n"
}

async function statsOf(input: ReportInput, { name, model }: VariantReport): Promise<object> {
  let used: InspectUsage | null = null
  for await (const { answers } of input.samples())
    for (const { generation } of answers) {
      const usage = generation.variant === name ? usageOf(generation) : null
      if (usage) used = used ? sumOf(used, usage) : usage
    }
  const { startedAt, finishedAt } = input.report.run
  return { started_at: startedAt, completed_at: finishedAt ?? startedAt, model_usage: used ? { [model]: used } : {} }
}

function headOf(input: ReportInput, variant: VariantReport, { version }: ExportFacts): object {
  const { run, dataset, metrics } = input.report
  const answered = variant.finished
  return {
    version: 2,
    status: run.status === "finished" ? "success" : "cancelled",
    eval: {
      eval_id: taskId(input, variant),
      run_id: run.id,
      created: run.startedAt,
      task: dataset.name,
      task_id: taskId(input, variant),
      task_version: 0,
      task_attribs: {},
      task_args: {},
      dataset: { name: dataset.name, samples: dataset.samples, shuffled: false },
      model: variant.name,
      model_generate_config: {},
      model_args: { model: variant.model, provider: variant.provider },
      config: { epochs: run.repeats },
      packages: { evalkit: version },
      metadata: { evalkit_run: run.id, evalkit_metrics: ownMetrics(metrics) },
    },
    plan: { name: "plan", steps: [], config: {} },
    results: {
      total_samples: variant.planned,
      completed_samples: answered,
      scores: variant.quality.map(({ metric, figure, scored, total }) => ({
        name: metric,
        scorer: metric,
        params: {},
        scored_samples: scored,
        unscored_samples: total - scored,
        metrics:
          figure.status === "known"
            ? {
                value: {
                  name: "value",
                  value: figure.value,
                  params: {},
                  metadata: { low: figure.low ?? null, high: figure.high ?? null, method: figure.method },
                },
              }
            : {},
        ...(figure.status === "unknown" && { metadata: { evalkit_unknown: figure.reason } }),
      })),
    },
  }
}

function sampleOf(
  { report }: ReportInput,
  variant: VariantReport,
  sample: Sample,
  { generation, values, reasons }: ReportAnswer,
): object {
  const { text, reasoning, outcome, toolCalls } = generation
  const means = report.metrics.filter(({ aggregation }) => aggregation === "mean")
  const scored = means.filter(({ name }) => typeof values[name] === "number")
  const missing = means.filter(({ name }) => typeof values[name] !== "number")
  const message = {
    role: "assistant",
    content:
      reasoning === ""
        ? text
        : [
            { type: "reasoning", reasoning },
            { type: "text", text },
          ],
    source: "generate",
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ id, name, arguments: input }, i) => ({
        id: id ?? `call_${i}`,
        function: name,
        arguments: input,
        type: "function",
      })),
    }),
  }
  const { e2eMs } = answerLatency(generation)
  const tokens = usageOf(generation)
  const seconds = e2eMs === null ? null : e2eMs / 1000
  return {
    id: sample.id,
    epoch: generation.repeat + 1,
    input: inputOf(sample),
    ...(sample.choices.length > 0 && { choices: [...sample.choices] }),
    target: sample.references.length === 1 ? (sample.references[0] as string) : [...sample.references],
    messages: [...messagesOf(sample), message],
    output: {
      model: generation.servedModel ?? variant.model,
      choices: [{ message, stop_reason: stopOf(generation) }],
      completion: text,
      ...(tokens && { usage: tokens }),
      ...(seconds !== null && { time: seconds }),
    },
    scores: Object.fromEntries(scored.map(({ name }) => [name, { value: values[name] as number, answer: text }])),
    metadata: ownFacts(
      sample,
      generation,
      Object.fromEntries(missing.map(({ name }) => [name, reasons[name] ?? "it has no score"])),
    ),
    store: {},
    events: [],
    ...(seconds !== null && { total_time: seconds, working_time: seconds }),
    model_usage: tokens ? { [variant.model]: tokens } : {},
    ...(isFailure(outcome) && {
      error: { message: generation.failure?.message ?? outcome, traceback: "", traceback_ansi: "" },
    }),
  }
}

/** A question as Inspect has it: a text, or messages. */
function inputOf(sample: Sample): string | readonly object[] {
  const { input } = sample
  return input === null ? "" : typeof input === "string" ? input : messagesOf(sample)
}

function messagesOf({ input }: Sample): readonly object[] {
  if (input === null) return []
  if (typeof input === "string") return [{ role: "user", content: input, source: "input" }]
  return input.map(({ role, content }) => ({ role, content, source: "input" }))
}

function stopOf({ outcome, toolCalls }: Generation): string {
  if (outcome === "length" || outcome === "length_empty") return "max_tokens"
  return outcome === "refused"
    ? "content_filter"
    : isFailure(outcome)
      ? "unknown"
      : toolCalls.length > 0
        ? "tool_calls"
        : "stop"
}

/** Counts of tokens and US dollars, by Inspect's names. */
type InspectUsage = Readonly<Record<string, number>>

/** Inspect counts what was read from a cache beside the input tokens; its total holds all. Null where a count is not known. */
function usageOf({ usage, cost }: Generation): InspectUsage | null {
  const { promptTokens, completionTokens, cachedPromptTokens, reasoningTokens } = usage
  if (promptTokens === null || completionTokens === null) return null
  return {
    input_tokens: promptTokens - (cachedPromptTokens ?? 0),
    output_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(cachedPromptTokens !== null && { input_tokens_cache_read: cachedPromptTokens }),
    ...(reasoningTokens !== null && { reasoning_tokens: reasoningTokens }),
    ...(cost.status === "known" && { total_cost: cost.usd }),
  }
}

/** The sums of what both know. */
function sumOf(a: InspectUsage, b: InspectUsage): InspectUsage {
  return Object.fromEntries(
    Object.entries(a).flatMap(([name, count]) => (b[name] === undefined ? [] : [[name, count + b[name]]])),
  )
}
