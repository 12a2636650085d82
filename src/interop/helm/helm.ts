import { stat } from "node:fs/promises"
import { join } from "node:path"
import type { SkippedRow } from "../../core/dataset.ts"
import type { ForeignLog, ForeignRecord, ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonValue } from "../../core/json.ts"
import { countOf, figureOf, listOf, member, numberOf, textOf, textsOf, timeOf } from "../fields.ts"
import { foreignAnswer } from "../foreign-answer.ts"
import { foreignSample } from "../foreign-sample.ts"
import { jsonDocument, notJson } from "../json-file.ts"
import { createOccasions, type Occasions } from "../occasions.ts"
import { type JsonDocument, openDocument } from "../row-file.ts"

/** Statistics that HELM keeps of every request beside its scores. */
const noScores =
  /^(?:num_|training_|inference_|finish_reason_|batch_size$|prompt_truncated$|max_prob$|logprob$|logprob_per_byte$|bits_per_byte$|perplexity$)/

/**
 * A run folder of HELM: `scenario_state.json` with what was asked and answered, `per_instance_stats.json` with the scores.
 *
 * @throws {UsageError} for files that are cut off
 */
export async function helmLog(folder: string, file: string): Promise<ForeignLog> {
  const document = await openWhole(folder, file, "scenario_state.json")
  const state = document.outline
  const hasSpec = (await stat(join(folder, "run_spec.json")).catch(() => null))?.isFile()
  const spec = hasSpec ? await jsonDocument(join(folder, "run_spec.json"), join(file, "run_spec.json")) : null
  const scores = await scoresOf(folder, file)
  const adapter = member(state, "adapter_spec")
  const variant = textOf(member(adapter, "model_deployment")) ?? textOf(member(adapter, "model")) ?? "model"
  return {
    tool: "helm",
    file,
    dataset: textOf(member(spec ?? undefined, "name")) ?? "helm",
    startedAt: timeOf(member(listOf(member(state, "request_states"))[0], "result", "request_datetime")),
    metrics: new Map(),
    notes: scores.size === 0 ? ["no per_instance_stats.json: the answers have no scores"] : [],
    async *records() {
      const occasions = createOccasions()
      for await (const { value, where } of document.values("request_states"))
        yield requestRecord(value, where, variant, scores, occasions)
    },
  }
}

async function openWhole(folder: string, file: string, name: string): Promise<JsonDocument> {
  const document = await openDocument(join(folder, name), join(file, name))
  if (!document) throw notJson(join(file, name))
  return document
}

/** What tells the requests of a folder apart. */
function keyOf(id: string, trial: number, perturbation: string): string {
  return JSON.stringify([id, trial, perturbation])
}

async function scoresOf(folder: string, file: string): Promise<ReadonlyMap<string, Record<string, ForeignScore>>> {
  const path = join(folder, "per_instance_stats.json")
  const byKey = new Map<string, Record<string, ForeignScore>>()
  if (!(await stat(path).catch(() => null))?.isFile()) return byKey
  const document = await openWhole(folder, file, "per_instance_stats.json")
  for await (const { value: entry } of document.values("")) {
    const key = keyOf(
      textOf(member(entry, "instance_id")) ?? "",
      numberOf(member(entry, "train_trial_index")) ?? 0,
      textOf(member(entry, "perturbation", "name")) ?? "",
    )
    const scores = Object.entries(byKey.get(key) ?? {})
    for (const row of listOf(member(entry, "stats"))) {
      const name = textOf(member(row, "name", "name"))
      if (name === undefined || noScores.test(name)) continue
      scores.push([name, figureOf(member(row, "mean")) ?? { reason: "HELM has no value for it" }])
    }
    byKey.set(key, Object.fromEntries(scores))
  }
  return byKey
}

function requestRecord(
  request: JsonValue,
  where: string,
  variant: string,
  scores: ReadonlyMap<string, Record<string, ForeignScore>>,
  occasions: Occasions,
): ForeignRecord | SkippedRow {
  const instance = member(request, "instance")
  const instanceId = textOf(member(instance, "id"))
  if (instanceId === undefined) return { where, field: "instance.id", reason: "the request has no instance id" }
  const perturbation = textOf(member(instance, "perturbation", "name")) ?? ""
  const trial = numberOf(member(request, "train_trial_index")) ?? 0
  const name = perturbation === "" ? instanceId : `${instanceId}/${perturbation}`
  const id = occasions.idOf(name, member(instance, "input", "text") ?? null)
  const references = listOf(member(instance, "references"))
  const right = references.filter((reference) => textsOf(member(reference, "tags")).includes("correct"))
  const outputs = (list: readonly JsonValue[]) => list.flatMap((entry) => textOf(member(entry, "output", "text")) ?? [])
  return {
    variant,
    sample: foreignSample({
      id,
      input: textOf(member(request, "request", "prompt")) ?? textOf(member(instance, "input", "text")) ?? null,
      references: outputs(right),
      choices: references.length > right.length ? outputs(references) : [],
      metadata: { split: member(instance, "split") ?? null, question: member(instance, "input", "text") ?? null },
    }),
    repeat: occasions.free(trial, id),
    answer: answerOf(member(request, "result")),
    scores: scores.get(keyOf(instanceId, trial, perturbation)) ?? {},
    where,
  }
}

function answerOf(result: JsonValue | undefined) {
  const completion = listOf(member(result, "completions"))[0]
  const seconds = numberOf(member(result, "request_time"))
  const isTimed = member(result, "cached") !== true && seconds !== undefined && seconds >= 0
  const error = textOf(member(result, "error"))
  const failed = member(result, "success") === false
  return foreignAnswer(
    {
      text: textOf(member(completion, "text")) ?? "",
      finishReason: textOf(member(completion, "finish_reason", "reason")) ?? null,
      failed: failed ? (error ?? "the request failed") : undefined,
      usage: { completionTokens: countOf(listOf(member(completion, "tokens")).length || null) },
      ...(isTimed && { e2eMs: seconds * 1000 }),
    },
    "HELM",
  )
}
