import { readdir } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { UsageError } from "../../core/errors.ts"
import type { ForeignLog, ForeignMetric } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { listOf, member, numberOf, objectOf, textOf, timeOf } from "../fields.ts"
import { jsonDocument } from "../json-file.ts"
import { rowFile } from "../row-file.ts"
import { type RowFormat, rowsLog } from "../row-format.ts"
import { instanceRecord } from "./instance.ts"

/** Instances of Every Eval Ever. */
export const everyEvalEver: RowFormat = {
  is: (row) => "schema_version" in row && "evaluation_id" in row && "sample_id" in row && "evaluation" in row,
  open: ({ path, file }) => everyEvalEverLog(path, file, "instances"),
}

/** Whether a document is an aggregate of Every Eval Ever. */
export function isAggregate(document: JsonObject): boolean {
  return "schema_version" in document && "evaluation_results" in document && "model_info" in document
}

/**
 * Results in the format of Every Eval Ever 0.3: an aggregate (`{uuid}.json`) and its instances (`{uuid}_samples.jsonl`), either of
 * which may be given. A sample is known by its hash, so that other ids do not keep two logs apart.
 *
 * @throws {UsageError} for an aggregate without instances
 */
export async function everyEvalEverLog(
  path: string,
  file: string,
  kind: "aggregate" | "instances",
): Promise<ForeignLog> {
  const folder = dirname(path)
  const names = await readdir(folder)
  const aggregatePath = kind === "aggregate" ? path : beside(path, names, /_samples\.jsonl$/, ".json")
  const aggregate = aggregatePath === null ? null : await aggregateOf(aggregatePath)
  const instances = kind === "instances" ? path : instancesOf(path, names, aggregate)
  if (instances === null)
    throw new UsageError("the file of Every Eval Ever has no instances beside it: figures alone cannot be paired", {
      where: file,
      hint: "keep its {uuid}_samples.jsonl in the same folder",
    })
  const metrics = metricsOf(aggregate)
  const variant =
    textOf(member(aggregate, "model_info", "name")) ?? textOf(member(aggregate, "model_info", "id")) ?? null
  const results = listOf(member(aggregate, "evaluation_results"))
  const datasets = results
    .map((result) => textOf(member(result, "source_data", "dataset_name")))
    .filter((name) => name !== undefined)
  return rowsLog(
    await rowFile(instances, kind === "instances" ? file : basename(instances)),
    {
      tool: "every-eval-ever",
      file,
      dataset: [...new Set(datasets)].join(", ") || "every-eval-ever",
      startedAt: timeOf(member(aggregate ?? undefined, "evaluation_timestamp")),
      metrics: new Map([...metrics.values()].map(({ name, facts }) => [name, facts])),
      notes: aggregate ? [] : ["no aggregate beside the instances: higher is taken to be better"],
    },
    (row, where, occasions) => instanceRecord(row, where, { variant, metrics }, occasions),
  )
}

/** A metric of an aggregate: the name that evalkit gives it, and what is said of it. */
export interface NamedMetric {
  readonly name: string
  readonly facts: ForeignMetric
}

/** Metrics by the id and by the name of their result. Of several results of one metric, each has the result's name before it. */
function metricsOf(aggregate: JsonValue | null): ReadonlyMap<string, NamedMetric> {
  const results = listOf(member(aggregate ?? undefined, "evaluation_results"))
  const names = results.map(
    (row) => textOf(member(row, "metric_config", "metric_name")) ?? textOf(member(row, "evaluation_name")) ?? "score",
  )
  const metrics = new Map<string, NamedMetric>()
  for (const [i, result] of results.entries()) {
    const own = names[i] as string
    const evaluation = textOf(member(result, "evaluation_name")) ?? own
    const isAlone = names.filter((name) => name === own).length === 1
    const config = member(result, "metric_config")
    const direction = member(config, "lower_is_better") === true ? "lower" : "higher"
    const range = [
      numberOf(member(config, "min_score")) ?? null,
      numberOf(member(config, "max_score")) ?? null,
    ] as const
    const unit = textOf(member(config, "metric_unit"))
    const named = {
      name: isAlone ? own : `${evaluation}/${own}`,
      facts: { direction, range, ...(unit !== undefined && { unit }) } as const,
    }
    const id = textOf(member(result, "evaluation_result_id"))
    if (id !== undefined) metrics.set(`id:${id}`, named)
    if (!metrics.has(`name:${evaluation}`)) metrics.set(`name:${evaluation}`, named)
  }
  return metrics
}

async function aggregateOf(path: string): Promise<JsonValue | null> {
  const document = await jsonDocument(path, basename(path)).catch(() => null)
  return document !== null && isAggregate(objectOf(document) ?? {}) ? document : null
}

/** The instances that an aggregate names, by their file name only, else those of its own name. */
function instancesOf(path: string, names: readonly string[], aggregate: JsonValue | null): string | null {
  const said = textOf(member(aggregate ?? undefined, "detailed_evaluation_results", "file_path"))
  const name = said === undefined ? undefined : said.split(/[/\\]/).at(-1)
  if (name !== undefined && names.includes(name)) return join(dirname(path), name)
  return beside(path, names, /\.json$/, "_samples.jsonl")
}

function beside(path: string, names: readonly string[], ending: RegExp, other: string): string | null {
  const name = basename(path).replace(ending, other)
  return name !== basename(path) && names.includes(name) ? join(dirname(path), name) : null
}
