import type { ForeignScore } from "../../core/foreign/foreign-log.ts"
import { contentHash, type JsonObject, type JsonValue } from "../../core/json.ts"
import { countOf, figureOf, listOf, member, numberOf, objectOf, textOf, textsOf } from "../fields.ts"
import { type RowFacts, type RowFormat, rowRecord, rowsLog } from "../row-format.ts"
import { callFacts } from "./call.ts"

/**
 * Reviews of EvalScope (`reviews/MODEL/DATASET_SUBSET.jsonl`), of version 1 (`sample_score`) or before (a review in each choice). Facts: its
 * `ReviewResult` (1.14: messages with seconds and tokens of each call; before, a text), and the example runs of its repository.
 */
export const evalscope: RowFormat = {
  is: (row) =>
    objectOf(member(row.sample_score, "score")) !== undefined ||
    listOf(row.choices).some((choice) => objectOf(member(choice, "review")) !== undefined),
  open: (file) =>
    rowsLog(file, { tool: "evalscope", isUniform: true }, (row, where, occasions) =>
      rowRecord("sample_score" in row ? factsOf(row) : olderFacts(row), "EvalScope", where, occasions),
    ),
}

function factsOf(row: JsonObject): RowFacts {
  const score = member(row.sample_score, "score")
  const messages = listOf(row.messages)
  const generated = messages.filter((message) => member(message, "source") === "generate")
  const answer = generated.at(-1) ?? messages.findLast((message) => member(message, "role") === "assistant")
  const perf = generated.length === 1 ? member(answer, "perf_metrics") : undefined
  const facts = callFacts({
    input: row.input ?? messages.slice(0, messages.indexOf(generated[0] ?? answer ?? null)),
    output: answer,
    start: null,
    end: null,
    promptTokens: member(perf, "input_tokens"),
    completionTokens: member(perf, "output_tokens"),
  })
  const [e2eMs, ttftMs] = ["latency", "ttft"].map((name) => millisecondsOf(member(perf, name)))
  return {
    ...facts,
    variant: textOf(member(answer, "model")),
    references: textsOf(row.target).filter((text) => text !== ""),
    text: textOf(member(score, "prediction")) ?? facts.text,
    metadata: { extracted: member(score, "extracted_prediction") ?? null },
    e2eMs,
    ttftMs,
    scores: scoresOf(member(score, "value"), objectOf(member(score, "metadata", "metric_errors"))),
  }
}

function millisecondsOf(seconds: JsonValue | undefined): number | undefined {
  const value = numberOf(seconds)
  return value === undefined || value <= 0 ? undefined : value * 1000
}

function olderFacts(row: JsonObject): RowFacts {
  const [choice] = listOf(row.choices)
  const raw = row.raw_input
  return {
    // Questions of one wording differ in their choices, which stand beside it.
    ...(raw !== undefined && { id: contentHash(raw, 16) }),
    variant: textOf(member(row.model_spec, "model_id")) ?? textOf(row.model),
    input: textOf(member(raw, "question")) ?? (raw === undefined ? textOf(row.index) : JSON.stringify(raw)),
    references: textsOf(member(choice, "review", "gold")),
    text: textOf(member(choice, "message", "content")) ?? "",
    usage: {
      promptTokens: countOf(member(row.usage, "prompt_tokens")),
      completionTokens: countOf(member(row.usage, "completion_tokens")),
    },
    scores: scoresOf(member(choice, "review", "result")),
  }
}

/** `bleu-1` of `BLEU`, but not `accuracy` of `acc`. */
function isPartOf(name: string, metric: string): boolean {
  const rest = name.toLowerCase().startsWith(metric.toLowerCase()) ? name.slice(metric.length) : null
  return rest !== null && !/^\p{L}/u.test(rest)
}

/** A number, or one for each metric; EvalScope writes 0 for the figures of a metric that failed (`BLEU`: `bleu-1`, `bleu-2` …). */
function scoresOf(value: JsonValue | undefined, errors: JsonObject = {}): Record<string, ForeignScore> {
  const all = objectOf(value) ?? { score: value ?? null }
  const scores = Object.entries(all).map(([name, score]): [string, ForeignScore] => {
    const failed = Object.keys(errors).find((metric) => isPartOf(name, metric))
    if (failed === undefined) return [name, figureOf(score) ?? { reason: "EvalScope has no number for it" }]
    return [name, { reason: `${failed}: ${textOf(errors[failed])?.split("\n")[0]?.slice(0, 200)}` }]
  })
  return Object.fromEntries(scores)
}
