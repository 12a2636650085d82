/**
 * Whether the figures that evalkit reads from a log are those of its rows, summed here from the file itself without evalkit's readers.
 * Run: npx jiti benchmarks/foreign-logs/figures.ts FILE …
 */
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { isRecord } from "../../src/core/foreign/foreign-log.ts"
import { openForeignLog } from "../../src/interop/recognise.ts"

// biome-ignore lint/suspicious/noExplicitAny: files of many tools, each with a shape of its own
type Row = any

/** A score of one answer, by the tool's own name of its metric. */
type Score = readonly [metric: string, value: number]

/** The scores of a file, by tool: what each tool documents as its place for them. */
const scoresIn: Readonly<Record<string, (rows: Row) => readonly Score[]>> = {
  "lm-eval": (rows) => each(rows, (row) => named(row, row.metrics ?? ["exact_match"])),
  inspect: ({ samples }) =>
    each(samples, (sample) =>
      Object.entries<Row>(sample.scores ?? {}).map(([name, { value }]) => [
        name,
        { C: 1, I: 0 }[value as "C" | "I"] ?? value,
      ]),
    ),
  promptfoo: ({ results }) =>
    each(results.results, (row) =>
      row.response?.error
        ? []
        : [
            ["pass", Number(row.success)],
            ["score", row.score],
          ],
    ),
  deepeval: ({ testRunData }) =>
    each(testRunData.testCases, ({ metricsData }) => metricsData.map(({ name, score }: Row) => [name, score])),
  ragas: (rows) => each(rows, (row) => [["faithfulness", row.faithfulness]]),
  "mt-bench": (rows) => each(rows, (row) => [["score", row.score]]),
  "openai-evals": (rows) =>
    each(rows, ({ results }) =>
      results.filter(({ score }: Row) => score !== null).map(({ name, score }: Row) => [name, score]),
    ),
  "every-eval-ever": (rows) => each(rows, (row) => [[row.evaluation_name, row.evaluation.score]]),
  evalscope: (rows) =>
    each(
      rows,
      (row) => Object.entries(row.sample_score?.score.value ?? row.choices[0].review.result) as [string, number][],
    ),
  opencompass: ({ details }) => each(Object.values(details), (row) => [["correct", Number(row.correct)]]),
  "swe-bench": ({ resolved_ids, unresolved_ids }) => [
    ...each(resolved_ids, () => [["resolved", 1]]),
    ...each(unresolved_ids, () => [["resolved", 0]]),
  ],
  mlflow: (file) =>
    file.columns
      ? each(file.data, (row) =>
          file.columns.flatMap((name: string, i: number) =>
            name.endsWith("/score") ? [[name.slice(0, -6), row[i]]] : [],
          ),
        )
      : each(file, ({ trace }) =>
          JSON.parse(trace).info.assessments.flatMap(({ assessment_name: name, feedback }: Row) =>
            feedback ? [[name, Number(feedback.value)]] : [],
          ),
        ),
  "tau-bench": (rows) => each(rows, (row) => (row.info.error ? [] : [["reward", row.reward]])),
  langfuse: (rows) =>
    each(rows, (row) => Object.entries<Row>(row.scores ?? {}).map(([name, [value]]) => [name, value])),
  langsmith: (rows) =>
    each(rows, (row) => Object.entries<Row>(row.feedback_stats).map(([name, { avg }]) => [name, avg])),
  braintrust: ({ events }) => each(events, (row) => Object.entries(row.scores) as [string, number][]),
  phoenix: (rows) => each(rows, ({ annotations }) => annotations.map(({ name, score }: Row) => [name, score])),
  livecodebench: (rows) =>
    each(rows, ({ graded_list }) => graded_list.map((grade: boolean) => ["pass", Number(grade)])),
}

/** Of a list of rows, or of the only one of a file of one line. */
function each(rows: Row, scores: (row: Row) => readonly Score[]): readonly Score[] {
  return ([rows] as Row[]).flat().flatMap(scores)
}

function named(row: Row, names: readonly string[]): readonly Score[] {
  return names.map((name) => [name, row[name]] as const)
}

/** A figure of a file, as evalkit reads it and as its rows say. */
export interface ReadFigure {
  readonly tool: string
  readonly metric: string
  readonly evalkit: { readonly n: number; readonly mean: number }
  readonly file: { readonly n: number; readonly mean: number }
}

/** Mean of each metric of a file, twice. @throws for a file of a tool that has no sum here */
export async function figuresOf(path: string): Promise<readonly ReadFigure[]> {
  const log = await openForeignLog(path, path)
  if (!log) throw new Error(`no log of a tool: ${path}`)
  const read: Score[] = []
  for await (const record of log.records())
    if (isRecord(record))
      for (const [metric, score] of Object.entries(record.scores))
        if (typeof score === "number") read.push([metric, score])
  const sum = scoresIn[log.tool]
  if (!sum) throw new Error(`no independent sum for ${log.tool}`)
  const [ours, theirs] = [meansOf(read), meansOf(sum(parsed(readFileSync(path, "utf8"))))]
  const none = { n: 0, mean: Number.NaN }
  return [...new Set([...ours.keys(), ...theirs.keys()])].map((metric) => ({
    ...{ tool: log.tool, metric, evalkit: ours.get(metric) ?? none, file: theirs.get(metric) ?? none },
  }))
}

/** A document, or the list of a file's lines. */
function parsed(text: string): Row {
  try {
    return JSON.parse(text)
  } catch {
    const lines = text.split("\n").filter((line) => line.trim() !== "")
    return lines.map((line) => JSON.parse(line))
  }
}

function meansOf(scores: readonly Score[]): ReadonlyMap<string, { readonly n: number; readonly mean: number }> {
  const sums = new Map<string, { n: number; sum: number }>()
  for (const [metric, value] of scores) {
    const { n, sum } = sums.get(metric) ?? { n: 0, sum: 0 }
    sums.set(metric, { n: n + 1, sum: sum + value })
  }
  return new Map([...sums].map(([metric, { n, sum }]) => [metric, { n, mean: sum / n }]))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  console.log("| file | tool | metric | n, evalkit | n, file | mean, evalkit | mean, file | equal |")
  for (const path of process.argv.slice(2))
    for (const { tool, metric, evalkit, file } of await figuresOf(path)) {
      const equal = evalkit.n === file.n && Math.abs(evalkit.mean - file.mean) < 1e-12
      console.log(
        `| ${[path, tool, metric, evalkit.n, file.n, evalkit.mean, file.mean, equal ? "yes" : "NO"].join(" | ")} |`,
      )
    }
}
