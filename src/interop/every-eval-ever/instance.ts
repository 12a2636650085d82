import type { SkippedRow } from "../../core/dataset.ts"
import type { ForeignAnswer, ForeignRecord, ForeignScore } from "../../core/foreign/foreign-log.ts"
import { contentHash, type JsonObject, type JsonValue } from "../../core/json.ts"
import { type Outcome, outcomes } from "../../core/outcome.ts"
import type { Sample } from "../../core/sample.ts"
import { countOf, figureOf, listOf, member, numberOf, objectOf, textOf, textsOf } from "../fields.ts"
import { foreignAnswer } from "../foreign-answer.ts"
import { foreignSample } from "../foreign-sample.ts"
import type { Occasions } from "../occasions.ts"
import { unscoredAs } from "../own-facts.ts"
import type { NamedMetric } from "./every-eval-ever.ts"

/** What instances are read with. */
export interface InstanceContext {
  /** The model's name; null: as the instance says. */
  readonly variant: string | null
  readonly metrics: ReadonlyMap<string, NamedMetric>
}

/** One instance: an answer with one score. Instances of one answer and several metrics are put together. */
export function instanceRecord(
  row: JsonObject,
  where: string,
  context: InstanceContext,
  occasions: Occasions,
): ForeignRecord | SkippedRow {
  const sampleId = textOf(row.sample_id)
  if (sampleId === undefined) return { where, field: "sample_id", reason: "the instance has no sample_id" }
  const score = figureOf(member(row.evaluation, "score"))
  const evaluation = textOf(row.evaluation_name) ?? "score"
  const input = member(row.input, "raw")
  const hash = textOf(row.sample_hash) ?? contentHash([input ?? null, member(row.input, "reference") ?? null])
  // Two evaluations may number their samples alike.
  const id = occasions.first(sampleId, hash) === hash ? sampleId : `${evaluation}/${sampleId}`
  const resultId = textOf(row.evaluation_result_id)
  const metric = context.metrics.get(`id:${resultId}`) ?? context.metrics.get(`name:${evaluation}`)
  const name = metric?.name ?? evaluation
  const variant = context.variant ?? textOf(row.model_id) ?? "model"
  const repeat = occasions.next(variant, id, name)
  const isFirst = occasions.next(variant, id, "", String(repeat)) === 0
  const unscored = textOf(member(row.metadata, "evalkit_unscored"))
  const foreignScore: ForeignScore =
    unscored !== undefined
      ? unscoredAs(unscored, outcomeOf(row) ?? "ok")
      : (score ?? { reason: "the instance has no score" })
  return {
    variant,
    sample: foreignSample({
      id,
      input: textOf(input) ?? null,
      references: textsOf(member(row.input, "reference")),
      choices: textsOf(member(row.input, "choices")),
      ...splitOf(row),
      metadata: objectOf(row.metadata) ?? {},
    }),
    repeat,
    answer: isFirst ? answerOf(row) : null,
    scores: { [name]: foreignScore },
    where,
  }
}

/** What evalkit itself wrote beside the instance: what belongs together, and what was to be read. */
function splitOf({ metadata }: JsonObject): Partial<Sample> {
  const cluster = textOf(member(metadata, "evalkit_cluster"))
  const group = textOf(member(metadata, "evalkit_group"))
  const context = textOf(member(metadata, "evalkit_context"))
  return {
    ...(cluster !== undefined && { cluster }),
    ...(group !== undefined && { group }),
    ...(context !== undefined && { context: [context] }),
  }
}

function answerOf(row: JsonObject): ForeignAnswer {
  const error = textOf(row.error)
  const outcome = outcomeOf(row) ?? (error === undefined ? undefined : "application_error")
  const text = textsOf(member(row.output, "raw"))[0] ?? lastOf(row.messages)
  const reasoning = textsOf(member(row.output, "reasoning_trace"))[0]
  const written = countOf(member(row.token_usage, "input_tokens_cache_write"))
  return foreignAnswer(
    {
      text: text ?? "",
      ...(reasoning !== undefined && { reasoning }),
      ...(outcome !== undefined && { outcome }),
      ...(error !== undefined && outcome !== "ok" && { failure: { message: error.slice(0, 2000) } }),
      usage: {
        promptTokens: countOf(member(row.token_usage, "input_tokens")),
        completionTokens: countOf(member(row.token_usage, "output_tokens")),
        cachedPromptTokens: countOf(member(row.token_usage, "input_tokens_cache_read")),
        reasoningTokens: countOf(member(row.token_usage, "reasoning_tokens")),
        ...(written !== null && written > 0 && { cacheWriteTokens: written }),
      },
      ttftMs: positive(member(row.performance, "time_to_first_token_ms")),
      e2eMs: positive(member(row.performance, "latency_ms")),
      costUsd: positive(member(row.metadata, "evalkit_cost_usd")),
    },
    "Every Eval Ever",
  )
}

/** How the answer ended, where evalkit itself wrote the instance. */
function outcomeOf(row: JsonObject): Outcome | undefined {
  const said = member(row.metadata, "evalkit_outcome")
  return outcomes.find((outcome) => outcome === said)
}

/** What the model said last, in a conversation. */
function lastOf(messages: JsonValue | undefined): string | undefined {
  const own = listOf(messages).filter((message) => member(message, "role") === "assistant")
  return textOf(member(own.at(-1), "content"))
}

function positive(value: JsonValue | undefined): number | undefined {
  const number = typeof value === "string" ? Number(value) : numberOf(value)
  return number !== undefined && Number.isFinite(number) && number >= 0 ? number : undefined
}
