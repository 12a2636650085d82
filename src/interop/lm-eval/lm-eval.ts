import { readdir } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { SkippedRow } from "../../core/dataset.ts"
import { UsageError } from "../../core/errors.ts"
import type { ForeignLog, ForeignMetric, ForeignRecord } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { listOf, member, objectOf, textOf, timeOf } from "../fields.ts"
import { jsonDocument, jsonLines } from "../json-file.ts"
import { createOccasions } from "../occasions.ts"
import { recordOf } from "./row.ts"

/** Whether a line is one of lm-eval's samples. */
export function isLmEvalRow(row: JsonObject): boolean {
  return "doc_id" in row && "doc" in row && ("resps" in row || "filtered_resps" in row)
}

/** Whether a document is one of lm-eval's results. */
export function isLmEvalResults(document: JsonObject): boolean {
  return "results" in document && "configs" in document && ("versions" in document || "n-shot" in document)
}

/** Metrics of which less is better, where no results file says so. */
const lowerIsBetter = /perplexity|bits_per_byte|^ter$|^wer$|^cer$|brier/

/**
 * Samples that lm-eval-harness logged (`samples_TASK_DATE.jsonl`), with the names and directions of the results file beside them. A
 * sample is known by the hash of its document, so that two logs pair whatever the order in which they were asked.
 *
 * @param given a samples file, a results file, or a folder of them
 * @throws {UsageError} where there are no samples
 */
export async function lmEvalLog(
  path: string,
  given: string,
  kind: "samples" | "results" | "folder",
): Promise<ForeignLog> {
  const folder = kind === "folder" ? path : dirname(path)
  const names = await readdir(folder)
  const results = await resultsBeside(
    kind === "results" ? basename(path) : null,
    folder,
    names,
    kind === "samples" ? basename(path) : null,
  )
  const files = kind === "samples" ? [path] : samplesOf(results?.name ?? null, names).map((name) => join(folder, name))
  if (files.length === 0)
    throw new UsageError("the results of lm-eval have no samples beside them: figures alone cannot be paired", {
      where: given,
      hint: "run lm_eval with --log_samples, and keep its samples_*.jsonl in the same folder",
    })
  const tasks = files.map((file) => taskOf(basename(file)))
  const filters = new Map<string, Set<string>>()
  const directions = new Map<string, ForeignMetric>()
  for (const [i, file] of files.entries()) {
    const found = await filtersOf(file, given)
    filters.set(file, found.filters)
    for (const metric of found.metrics)
      directions.set(metric, { direction: directionOf(metric, results?.document, tasks[i] ?? null) })
  }
  const severalFilters = [...filters.values()].some((one) => one.size > 1)
  const metrics = new Map<string, ForeignMetric>()
  for (const [metric, facts] of directions) {
    metrics.set(metric, facts)
    if (severalFilters)
      for (const names of filters.values()) for (const name of names) metrics.set(`${metric},${name}`, facts)
  }
  const model =
    textOf(member(results?.document, "model_name")) ?? (kind === "folder" ? basename(path) : basename(given))
  return {
    tool: "lm-eval",
    file: given,
    dataset: tasks.filter((task) => task !== null).join(", ") || "lm-eval",
    startedAt: timeOf(member(results?.document, "date")),
    metrics,
    notes: results ? [] : ["no results file beside the samples: directions of metrics are taken from their names"],
    async *records(): AsyncGenerator<ForeignRecord | SkippedRow> {
      for (const [i, file] of files.entries()) {
        const occasions = createOccasions()
        const shown =
          files.length === 1 && kind === "samples"
            ? given
            : join(kind === "folder" ? given : dirname(given), basename(file))
        const task = files.length > 1 ? (tasks[i] ?? basename(file)) : null
        for await (const line of jsonLines(file, shown)) {
          if (!("value" in line)) yield line
          else yield recordOf(line, { variant: model, task, severalFilters, occasions })
        }
      }
    },
  }
}

interface Results {
  readonly name: string
  readonly document: JsonValue
}

/** The results file that belongs to the samples: the one of the same date, or the only one. */
async function resultsBeside(
  own: string | null,
  folder: string,
  names: readonly string[],
  samples: string | null,
): Promise<Results | null> {
  const all = names.filter((name) => /^results.*\.json$/.test(name)).sort()
  const date = samples === null ? null : dateOf(samples)
  const name = own ?? (date === null ? all.at(-1) : all.find((one) => dateOf(one) === date))
  if (name === undefined) return null
  const document = await jsonDocument(join(folder, name), name).catch(() => null)
  return document === null || !isLmEvalResults(objectOf(document) ?? {}) ? null : { name, document }
}

/** Samples of the same date as the results, or all of them. */
function samplesOf(results: string | null, names: readonly string[]): readonly string[] {
  const all = names.filter((name) => /^samples_.*\.jsonl$/.test(name)).sort()
  const date = results === null ? null : dateOf(results)
  const own = all.filter((name) => dateOf(name) === date)
  return date === null || own.length === 0 ? all : own
}

function dateOf(name: string): string | null {
  return /_(\d{4}-\d{2}-\d{2}T[\d.:-]+)\.jsonl?$/.exec(name)?.[1] ?? null
}

function taskOf(name: string): string | null {
  return /^samples_(.+?)(?:_\d{4}-\d{2}-\d{2}T[\d.:-]+)?\.jsonl$/.exec(name)?.[1] ?? null
}

/** Filters and metrics that the rows of a file have. */
async function filtersOf(path: string, given: string): Promise<{ filters: Set<string>; metrics: Set<string> }> {
  const filters = new Set<string>()
  const metrics = new Set<string>()
  for await (const line of jsonLines(path, given)) {
    if (!("value" in line)) continue
    filters.add(textOf(member(line.value, "filter")) ?? "none")
    for (const metric of listOf(member(line.value, "metrics"))) if (typeof metric === "string") metrics.add(metric)
  }
  return { filters, metrics }
}

function directionOf(metric: string, results: JsonValue | undefined, task: string | null): "higher" | "lower" {
  const said = objectOf(member(results, "higher_is_better")) ?? {}
  const own = task === null ? undefined : member(said, task, metric)
  const any = Object.values(said)
    .map((one) => member(one, metric))
    .find((one) => typeof one === "boolean")
  const higher = own ?? any ?? !lowerIsBetter.test(metric)
  return higher === false ? "lower" : "higher"
}
