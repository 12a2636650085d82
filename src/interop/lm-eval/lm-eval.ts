import { readdir } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { UsageError } from "../../core/errors.ts"
import type { ForeignLog, ForeignMetric } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { member, objectOf, textOf, timeOf } from "../fields.ts"
import { jsonDocument } from "../json-file.ts"
import { type RowFile, rowFile } from "../row-file.ts"
import { type RowFormat, rowsLog } from "../row-format.ts"
import { filterOf, isParts, metricsOf, recordOf } from "./row.ts"

/** Samples that lm-eval-harness logged: lines, or a list (0.4.0 to 0.4.2). */
export const lmEval: RowFormat = {
  is: (row) => "doc_id" in row && "doc" in row && ("resps" in row || "filtered_resps" in row),
  open: (file) => samplesLog(file),
}

/** Whether a document is one of lm-eval's results. */
export function isLmEvalResults(document: JsonObject): boolean {
  if (!("results" in document && ("versions" in document || "n-shot" in document))) return false
  return "configs" in document || member(document, "config", "num_fewshot") !== undefined
}

/** Metrics of which less is better, where no results file says so. */
const lowerIsBetter = /perplexity|bits_per_byte|^ter$|^wer$|^cer$|brier/

/**
 * Samples (`samples_TASK_DATE.jsonl`), with the names and directions of the results file of their date beside them. A sample is known by the
 * hash of its document, so that two logs pair whatever the order in which they were asked.
 */
async function samplesLog(file: RowFile): Promise<ForeignLog> {
  const date = dateOf(basename(file.path))
  const all = await resultsIn(dirname(file.path))
  const results = date === null ? all.at(-1) : all.find((entry) => entry.date === date)
  return joinedLog([await taskOf(file)], results ? [results] : [], basename(file.file), file.file)
}

/**
 * All samples of a folder, or those of the date of a results file.
 *
 * @param own the name of the results file; null: the whole folder
 * @throws {UsageError} where there are no samples, or those of several runs of one task
 */
export async function lmEvalFolder(folder: string, label: string, own: string | null): Promise<ForeignLog> {
  const names = (await readdir(folder)).filter((name) => samplesName.test(name)).sort()
  const all = await resultsIn(folder)
  const date = own === null ? null : dateOf(own)
  const dated = names.filter((name) => date !== null && dateOf(name) === date)
  const used = dated.length > 0 ? dated : names
  if (used.length === 0)
    throw new UsageError("the results of lm-eval have no samples beside them: figures alone cannot be paired", {
      where: label,
      hint: "run lm_eval (0.4 or later) with --log_samples, and keep its samples_*.jsonl in the same folder",
    })
  const shown = (name: string) => join(own === null ? label : dirname(label), name)
  const tasks = []
  for (const name of used) tasks.push(await taskOf(await rowFile(join(folder, name), shown(name))))
  refuseRepeated(tasks, label)
  const results = all.filter(({ name, date: at }) => name === own || used.some((sample) => dateOf(sample) === at))
  return joinedLog(tasks, results.length > 0 ? results : all.slice(-1), basename(own === null ? folder : label), label)
}

/** Whether a folder is one of lm-eval: it has samples, or results of lm-eval and not of another tool. */
export async function isLmEvalFolder(folder: string, names: readonly string[]): Promise<boolean> {
  return names.some((name) => samplesName.test(name)) || (await resultsIn(folder)).length > 0
}

function refuseRepeated(tasks: readonly Task[], where: string): void {
  const names = tasks.map(({ name }) => name)
  const twice = tasks.filter(({ name }) => name !== null && names.indexOf(name) !== names.lastIndexOf(name))
  if (twice.length === 0) return
  throw new UsageError(`the folder holds several runs of ${twice[0]?.name}`, {
    where,
    hint: `name the samples of one: ${twice
      .slice(0, 4)
      .map(({ file }) => file.file)
      .join(", ")}`,
  })
}

/** A file of samples, and what its rows have. */
interface Task {
  readonly name: string | null
  readonly file: RowFile
  readonly filters: ReadonlySet<string>
  readonly metrics: ReadonlySet<string>
  /** Metrics whose rows hold the parts of a figure over all answers. */
  readonly parts: ReadonlySet<string>
}

function joinedLog(tasks: readonly Task[], results: readonly Results[], fallback: string, file: string): ForeignLog {
  const severalFilters = tasks.some(({ filters }) => filters.size > 1)
  const counts = new Map<string, number>()
  for (const { metrics } of tasks) for (const metric of metrics) counts.set(metric, (counts.get(metric) ?? 0) + 1)
  const shared = new Set([...counts].filter(([, count]) => count > 1).map(([metric]) => metric))
  const directions = new Map<string, ForeignMetric>()
  for (const { name, metrics, filters } of tasks)
    for (const metric of metrics) {
      const direction = { direction: directionOf(metric, results, name) }
      for (const own of [metric, ...(severalFilters ? [...filters].map((filter) => `${metric},${filter}`) : [])])
        for (const key of [own, `${name}/${own}`]) directions.set(key, direction)
    }
  const parts = [...new Set(tasks.flatMap((task) => [...task.parts]))]
  const variant = results
    .map(({ document }) => textOf(member(document, "model_name")))
    .find((name) => name !== undefined)
  const log = (task: Task) =>
    rowsLog(
      task.file,
      {
        tool: "lm-eval",
        file,
        dataset: tasks.flatMap(({ name }) => name ?? []).join(", ") || "lm-eval",
        startedAt: timeOf(member(results[0]?.document, "date")),
        metrics: directions,
        isUniform: tasks.length === 1,
        notes: [
          ...(results.length > 0
            ? []
            : ["no results file beside the samples: directions of metrics are taken from their names"]),
          ...[...shared].map(
            (metric) =>
              `${metric}: the mean over all samples of ${counts.get(metric)} tasks; each task has a figure of its own`,
          ),
          ...parts.map(
            (metric) => `${metric} is a figure over all answers, of which a single one has no score: left out`,
          ),
        ],
      },
      (row, where, occasions) =>
        recordOf(
          row,
          where,
          {
            variant: variant ?? fallback,
            task: tasks.length > 1 ? (task.name ?? basename(task.file.path)) : null,
            severalFilters,
            shared,
          },
          occasions,
        ),
    )
  return {
    ...log(tasks[0] as Task),
    async *records() {
      for (const task of tasks) yield* log(task).records()
    },
  }
}

interface Results {
  readonly name: string
  readonly date: string | null
  readonly document: JsonValue
}

async function resultsIn(folder: string): Promise<readonly Results[]> {
  const names = (await readdir(folder)).filter((name) => /^results.*\.json$/.test(name)).sort()
  const results: Results[] = []
  for (const name of names) {
    const document = await jsonDocument(join(folder, name), name).catch(() => null)
    if (isLmEvalResults(objectOf(document ?? undefined) ?? {}))
      results.push({ name, date: dateOf(name), document: document as JsonValue })
  }
  return results
}

const samplesName = /^samples_.*\.jsonl?$/

function dateOf(name: string): string | null {
  return /_(\d{4}-\d{2}-\d{2}T[\d.:-]+)\.jsonl?$/.exec(name)?.[1] ?? null
}

/** A file with the filters and metrics that its rows have. */
async function taskOf(file: RowFile): Promise<Task> {
  const [filters, metrics, parts] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for await (const read of file.rows()) {
    if (!("row" in read)) continue
    filters.add(filterOf(read.row))
    for (const metric of metricsOf(read.row)) (isParts(read.row[metric]) ? parts : metrics).add(metric)
  }
  const name = /^samples_(.+?)(?:_\d{4}-\d{2}-\d{2}T[\d.:-]+)?\.jsonl?$/.exec(basename(file.path))?.[1] ?? null
  return { name, file, filters, metrics, parts }
}

function directionOf(metric: string, results: readonly Results[], task: string | null): "higher" | "lower" {
  const said = results.map(({ document }) => objectOf(member(document, "higher_is_better")) ?? {})
  const own = task === null ? undefined : said.map((entry) => member(entry, task, metric))
  const any = said.flatMap((entry) => Object.values(entry)).map((value) => member(value, metric))
  const higher = [...(own ?? []), ...any].find((value) => typeof value === "boolean") ?? !lowerIsBetter.test(metric)
  return higher === false ? "lower" : "higher"
}
