import { readdir, stat } from "node:fs/promises"
import { basename } from "node:path"
import { UsageError } from "../core/errors.ts"
import { jsonValue } from "../core/json-members.ts"
import { firstBytes } from "./beginning.ts"
import { objectOf } from "./fields.ts"

/** A file that is nearly what is read: what it is, and what to do. */
interface NearMiss {
  readonly what: string
  readonly hint: string
  is(head: string): boolean
}

const asJson = "export JSON: promptfoo eval --output results.json, or promptfoo export eval ID --output results.json"
const line = (head: string) => head.split(/\r?\n/, 1)[0] ?? ""
const has =
  (...names: readonly string[]) =>
  (head: string) =>
    head.startsWith("{") && names.every((name) => head.includes(`"${name}"`))

const nearMisses: readonly NearMiss[] = [
  {
    what: "the file is a pointer of Git LFS, and not what it points to",
    hint: "run git lfs pull in its repository",
    is: (head) => head.startsWith("version https://git-lfs.github.com/spec/"),
  },
  {
    what: "the lines are no JSON: nginx wrote quotes as \\x22",
    hint: "add escape=json to its log_format, and log anew",
    is: (head) => head.startsWith("{") && /[^\\]\\x22/.test(line(head)),
  },
  {
    what: "the file is a page of HTML, not a log",
    hint: `where promptfoo wrote it, ${asJson}`,
    is: (head) => /^<(?:!doctype html|html)/i.test(head),
  },
  {
    what: "the file is XML, not a log",
    hint: `where promptfoo wrote it, ${asJson}; of JUnit reports there are no answers to be read`,
    is: (head) => head.startsWith("<?xml") || head.startsWith("<testsuite"),
  },
  {
    what: "the file is promptfoo's YAML",
    hint: asJson,
    is: (head) => /^(?:evalId|results|version|prompts|providers|description|config):/.test(head),
  },
  {
    what: "the file is promptfoo's CSV, which has no scores of assertions and no provider of its own",
    hint: asJson,
    is: (head) => line(head).includes("[") && /(?:^|[,\n"])\[(?:PASS|FAIL|ERROR)\]/.test(head),
  },
  {
    what: "the file is a database of SQLite",
    hint: "export from the tool that wrote it: promptfoo export eval ID, mlflow's eval_results_table.json, evalkit export RUN --format archive",
    is: (head) => head.startsWith("SQLite format 3"),
  },
  {
    what: "the file is an Excel workbook",
    hint: "save its sheet as CSV",
    is: (head) => head.startsWith("PK\u0003\u0004") && head.includes("[Content_Types].xml"),
  },
  {
    what: "the file is a tar archive",
    hint: "unpack it first: tar -xf FILE",
    is: (head) => head.slice(257, 262) === "ustar",
  },
  {
    what: "the file is an Arrow file",
    hint: "save it as Parquet or JSON lines: Dataset.to_parquet() or to_json()",
    is: (head) => head.startsWith("ARROW1"),
  },
  {
    what: "the file is a report of evalkit, which holds no answers",
    hint: "take the run along as an archive: evalkit export RUN --format archive",
    is: (head) => /^\{\s*"schema":\s*"evalkit\.report\//.test(head),
  },
  {
    what: "the file names what SWE-bench resolved, and not what it did not",
    hint: "give the report of the evaluation (MODEL.RUN.json), or the report.json of its instances",
    is: has("no_generation", "resolved"),
  },
  {
    what: "the file holds answers of OpenAI's batch API without their questions and scores",
    hint: "score them: evalkit score FILE --map output=response.body.choices --metric …, or name the questions in a config with recorded()",
    is: has("custom_id", "response", "status_code"),
  },
  {
    what: "the file holds figures of LiveCodeBench without its answers",
    hint: "give the file whose name ends in _eval_all.json",
    is: (head) => /^[[{][\s\S]*"(?:pass@1|pass_at_1)"/.test(head) && !head.includes('"graded_list"'),
  },
  {
    what: "the file is an export of traces without their calls (Langfuse): a trace alone names no model",
    hint: "export the observations, or download the trace as JSON",
    is: (head) =>
      (/"(?:htmlPath|projectId|project_id)"/.test(head) && /"(?:sessionId|session_id)"/.test(head)) ||
      (/\bbookmarked\b/.test(head) && /\bsessionId\b/.test(head)),
  },
  {
    what: "the file holds scores of Langfuse without the answers that they are of",
    hint: "export the observations, whose rows hold their scores, or download the trace as JSON",
    is: (head) => /\bdataType\b/.test(head) && /\bstringValue\b|"source"/.test(head) && /\btraceId\b/.test(head),
  },
  {
    what: "the file holds responses of OpenAI's Responses API, which is not read",
    hint: "score them: evalkit score FILE --metric …, or name their questions in a config with recorded()",
    is: (head) => /"object"\s*:\s*"response"/.test(head),
  },
  {
    what: "the file holds examples of a data set (LangSmith), which nobody has answered",
    hint: "export the runs of an experiment",
    is: (head) => head.includes('"dataset_id"') && head.includes('"inputs"') && !head.includes('"run_type"'),
  },
  {
    what: "the file holds figures of a benchmark without samples (MTEB): figures alone cannot be paired",
    hint: "compare the answers or predictions of each sample",
    is: has("mteb_version", "scores"),
  },
  {
    what: "the file holds results of lighteval without samples: figures alone cannot be paired",
    hint: "run it with --save-details, and give its details: details_TASK_DATE.parquet",
    is: has("config_general", "lighteval_sha"),
  },
  {
    what: "the file is a table or text of llama-bench",
    hint: "write it as JSON: llama-bench -o json",
    is: (head) => /\bn_prompt\b.*\bavg_ts\b/.test(line(head)) || /^\| model +\| +size \|/.test(head),
  },
  {
    what: "the file is a detailed log of MLPerf's LoadGen, or its answers as bytes",
    hint: "give its summary: mlperf_log_summary.txt",
    is: (head) => head.startsWith(":::MLLOG") || /^\[\s*\{\s*"seq_id"\s*:[^}]*"qsl_idx"/.test(head),
  },
  {
    what: "the file is lines of k6, a measurement each",
    hint: "give its summary: k6 run --summary-export FILE",
    is: (head) => /^(?:\{"metric":"|\{"type":"Metric"|metric_name,timestamp,metric_value)/.test(head),
  },
  {
    what: "the file is locust's history, or its table of failures or exceptions",
    hint: "give the table of requests beside it, whose name ends in _stats.csv",
    is: (head) =>
      /^(?:Timestamp,User Count,Type,Name|Method,Name,Error,Occurrences|Count,Message,Traceback)/.test(head),
  },
  {
    what: "the columns of the table are parted by semicolons",
    hint: "save it with commas or tabs between columns, and a point in numbers",
    is: (head) => /^"?[\w ./]+"?(?:;"?[\w ./]*"?){2,}$/.test(line(head)),
  },
  {
    what: "the file holds figures alone, without samples: figures alone cannot be paired",
    hint: "give the file with the answers or scores of each sample; OpenCompass writes it with --dump-eval-details",
    is: (head) => {
      const figures = Object.values(objectOf(jsonValue(head, null) ?? undefined) ?? {})
      return figures.length > 0 && figures.every((figure) => typeof figure === "number")
    },
  },
]

/**
 * Refuses a file or folder of no known format that is known all the same.
 *
 * @throws {UsageError} with what it is, and what to do
 */
export async function refuseNearMiss(path: string, where: string): Promise<void> {
  if (!(await stat(path)).isFile()) return refuseFigures(await readdir(path, { recursive: true }), where)
  const bytes = (await firstBytes(path)).toString("utf8")
  const head = bytes.replace(/^\uFEFF/, "").trimStart()
  const nearMiss = nearMisses.find(({ is }) => is(head))
  if (nearMiss) throw new UsageError(nearMiss.what, { where, hint: nearMiss.hint })
}

/** Runs of MLflow (`mlruns`) that hold traces, or metrics and parameters, in files, and no table of answers. */
function refuseFigures(names: readonly string[], where: string): void {
  if (names.some((name) => basename(name) === "trace_info.yaml"))
    throw new UsageError("the folder holds traces of MLflow, a file for each of their facts", {
      where,
      hint: "write them into one: mlflow.search_traces(run_id=…).to_json(FILE, orient='records', lines=True)",
    })
  const metrics = names.filter((name) => /(?:^|[/\\])metrics[/\\][^/\\]+$/.test(name)).map((name) => basename(name))
  if (metrics.length === 0 || !names.some((name) => basename(name) === "meta.yaml")) return
  const shown = [...new Set(metrics)].slice(0, 4).join(", ")
  throw new UsageError(
    `the folder holds runs of MLflow with figures alone (${shown}): figures alone cannot be paired`,
    {
      where,
      hint: "have a run keep its answers and scores: mlflow.evaluate() writes eval_results_table.json",
    },
  )
}
