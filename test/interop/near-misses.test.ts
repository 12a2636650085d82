import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { scratchDirectory } from "../support/scratch.ts"
import { importJson } from "./support.ts"
import { writeZip } from "./zip-writer.ts"

const lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"
const tar = Buffer.alloc(1024)
tar.write("log.json", 0)
tar.write("ustar", 257)

function zipOf(name: string, data: string): Buffer {
  const path = join(scratchDirectory(), "a.zip")
  writeZip(path, [{ name, data }])
  return readFileSync(path)
}

/** A file that is nearly what is read, and the sentence that says what it is. */
const table: readonly (readonly [name: string, content: string | Buffer, sentence: RegExp])[] = [
  ["pointer.eval", lfs, /pointer of Git LFS.*git lfs pull/],
  [
    "report.html",
    "<!DOCTYPE html>\n<html><body>promptfoo</body></html>",
    /page of HTML.*promptfoo eval --output results\.json/,
  ],
  ["junit.xml", '<?xml version="1.0"?><testsuites/>', /is XML/],
  ["results.yaml", "evalId: eval-abc\nresults:\n  version: 3\n", /promptfoo's YAML.*export JSON/],
  [
    "results.csv",
    'question,"[openai:gpt-x] Say {{q}}"\n1,"[PASS] one"\n2,"[FAIL] two"\n',
    /promptfoo's CSV.*export JSON/,
  ],
  ["promptfoo.db", "SQLite format 3\u0000rest", /database of SQLite/],
  ["data.arrow", "ARROW1\u0000\u0000", /Arrow file.*to_json/],
  ["sheet.xlsx", zipOf("[Content_Types].xml", "<Types/>"), /Excel workbook.*CSV/],
  ["logs.tar.gz", gzipSync(tar), /tar archive.*tar -xf/],
  ["batch.jsonl", '{"custom_id":"1","response":{"status_code":200,"body":{}}}\n', /OpenAI's batch API/],
  [
    "results_2026-11-28T16-17-34.246930.json",
    '{"config_general":{"lighteval_sha":"?"},"results":{"t|0":{"em":0.5}},"versions":{}}',
    /results of lighteval without samples.*--save-details/,
  ],
  ["figures.json", '{"accuracy": 61.5,\n "n": 200}', /figures alone, without samples/],
  [
    "started.json",
    '{"version":2,"status":"started","eval":{"task":"t"},"results":{"total_samples":0},"samples":[]}',
    /before its first sample/,
  ],
  [
    "deepeval.json",
    '{"testCases":[{"name":"t","input":"q","actualOutput":"a","metricsData":null}]}',
    /no score could be read, though files of deepeval/,
  ],
  ["k6.json", '{"metric":"http_reqs","type":"Metric","data":{}}', /lines of k6.*--summary-export/],
  ["run_stats_history.csv", "Timestamp,User Count,Type,Name,Requests/s\n", /locust's history.*_stats\.csv/],
  ["run_failures.csv", "Method,Name,Error,Occurrences\n", /locust's history, or its table of failures/],
  ["results_swe.json", '{"no_generation":["a"],"no_logs":[],"resolved":["b"]}', /names what SWE-bench resolved/],
  ["bench.csv", "build_commit,n_prompt,n_gen,avg_ts\n", /llama-bench -o json/],
  ["k6.csv", "metric_name,timestamp,metric_value,check\nhttp_reqs,1595325560,1.0,\n", /lines of k6.*--summary-export/],
  [
    "mlperf_log_accuracy.json",
    '[\n{ "seq_id" : 0, "qsl_idx" : 7, "data" : "00", "token_count" : 1 }\n]',
    /LoadGen.*summary/,
  ],
  [
    "scores.csv",
    "id,timestamp,source,name,dataType,value,stringValue,traceId\ns,2026,API,ok,NUMERIC,1,,t\n",
    /scores of Langfuse/,
  ],
  [
    "scores.json",
    '{"data":[{"id":"s","traceId":"t","name":"ok","value":1,"dataType":"NUMERIC","source":"API"}]}',
    /scores of Langfuse/,
  ],
  [
    "traces.csv",
    "id,timestamp,name,bookmarked,input,output,sessionId,ok\nt,2026,n,false,q,a,,[1]\n",
    /traces without their calls/,
  ],
  ["responses.jsonl", '{"id":"resp_1","object":"response","output":[]}\n', /Responses API/],
  ["mlperf.txt", ':::MLLOG {"key": "loadgen_version"}', /LoadGen.*mlperf_log_summary/],
  ["ragas.csv", "user_input;response;faithfulness\nq;a;0,5\n", /parted by semicolons.*a point in numbers/],
  ["mteb.json", '{"mteb_version":"1","scores":{}}', /MTEB/],
  [
    "inspect.json",
    '{"eval":{"task":"t","model":"m"},"status":"success","results":{"total_samples":9}}',
    /no samples, only the figures of 9/,
  ],
  ["results_1.json", '{"results":{},"versions":{},"config":{"num_fewshot":0}}', /lm-eval have no samples/],
  ["u.json", '{"schema_version":"0.3.0","evaluation_results":[],"model_info":{}}', /no instances beside it/],
  ["cut.json", '{"results":{"version":3,\n"results":[', /not JSON: cut off/],
  ["cut.jsonl.gz", gzipSync("x".repeat(1000)).subarray(0, 20), /cannot be unpacked/],
  ["empty.json", "", /the file is empty/],
  ["notes.txt", "hello", /no log that evalkit knows/],
]

it.each(table)("%s is told what it is", async (name, content, sentence) => {
  const folder = scratchDirectory()
  writeFileSync(join(folder, name), content)
  await expect(importJson(folder, name)).rejects.toThrow(sentence)
})

it("a folder of nothing that is known says so", async () => {
  const folder = scratchDirectory()
  mkdirSync(join(folder, "empty"))
  writeFileSync(join(folder, "empty", "notes.txt"), "hello")
  await expect(importJson(folder, "empty")).rejects.toThrow(/folder holds no log of a tool/)
})

it("runs of MLflow without a table of answers hold figures alone", async () => {
  const folder = scratchDirectory()
  mkdirSync(join(folder, "mlruns", "1", "abc", "metrics"), { recursive: true })
  writeFileSync(join(folder, "mlruns", "1", "abc", "meta.yaml"), "run_name: a\n")
  writeFileSync(join(folder, "mlruns", "1", "abc", "metrics", "accuracy"), "1795852 0.66 0\n")
  await expect(importJson(folder, "mlruns")).rejects.toThrow(/figures alone \(accuracy\).*mlflow\.evaluate/)
})
