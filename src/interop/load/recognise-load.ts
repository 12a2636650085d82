import { readFile, stat } from "node:fs/promises"
import type { JsonValue } from "../../core/json.ts"
import { firstBytes } from "../beginning.ts"
import { listOf, objectOf } from "../fields.ts"
import { jsonDocument, jsonLines } from "../json-file.ts"
import { openBraced, openDocument } from "../row-file.ts"
import { unpacked } from "../unpacked.ts"
import { aiperfRecords, aiperfSummary, isAiperfRecord, isAiperfSummary } from "./aiperf.ts"
import { guidellmLog, isGuidellm } from "./guidellm.ts"
import { inferencePerfLog, isLifecycleRow } from "./inference-perf.ts"
import { openLoadFolder } from "./load-folder.ts"
import type { LoadLog } from "./load-log.ts"
import { isLocustRow, isLocustStats, locustRows, locustStats } from "./locust.ts"
import { genaiPerfLog, isGenaiPerf, isLlmperfResponse, llmperfLog } from "./requests.ts"
import { isLlamaBench, isLoadgen, llamaBenchLog, loadgenLog, summaryLog } from "./summaries.ts"
import { isVllmBench, vllmLog } from "./vllm.ts"

/**
 * Finds out by what is in it which load tool wrote a file, or the files of a folder, and opens it.
 *
 * @param packed absolute; what is packed is unpacked into a temporary folder
 * @param file the path as a person gave it, for messages
 * @returns null for what no load tool that is known here wrote
 * @throws {UsageError} for a file of one that cannot be read, and a folder with files of several tools or models
 */
export async function openLoadLog(packed: string, file: string): Promise<LoadLog | null> {
  const path = await unpacked(packed, file)
  const stats = await stat(path).catch(() => null)
  if (stats?.isDirectory()) return openLoadFolder(path, file, openLoadLog)
  if (!stats?.isFile() || stats.size === 0) return null
  const start = (await firstBytes(path))
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trimStart()
  if (start.startsWith("[")) {
    if (!listMembers.test(start)) return null
    const first = objectOf(listOf((await openDocument(path, file))?.outline)[0]) ?? {}
    return rowLogs.find(([is]) => is(first))?.[1](listOf(await jsonDocument(path, file)), file) ?? null
  }
  if (isLocustStats(start)) return locustStats(await readFile(path, "utf8"), file)
  if (isLoadgen(start)) return loadgenLog(await readFile(path, "utf8"), file)
  if (!start.startsWith("{")) return null
  const isKnown = members.some((name) => start.includes(`"${name}"`))
  const braced = await openBraced(path, file, isKnown)
  if (!braced) return null
  if (!("document" in braced)) {
    if (isAiperfRecord(braced.firstLine)) return aiperfRecords(path, file)
    if (isLlamaBench(braced.firstLine)) return llamaBenchLog(await linesOf(path, file), file)
    return isVllmBench(braced.firstLine) ? vllmLog(path, file, null) : null
  }
  const outline = objectOf(braced.document.outline) ?? {}
  if (isLlamaBench(outline)) return llamaBenchLog([outline], file)
  if (isAiperfRecord(outline)) return aiperfRecords(path, file)
  if (isVllmBench(outline)) return vllmLog(path, file, await jsonDocument(path, file))
  if (isGuidellm(outline)) return guidellmLog(await jsonDocument(path, file), file)
  if (isGenaiPerf(outline)) return genaiPerfLog(outline, file)
  return isAiperfSummary(outline) ? aiperfSummary(outline, file) : summaryLog(outline, file)
}

/** The values of a short file of lines. */
async function linesOf(path: string, file: string): Promise<readonly JsonValue[]> {
  const values: JsonValue[] = []
  for await (const line of jsonLines(path, file)) if ("value" in line) values.push(line.value)
  return values
}

/** Lists of requests, or of tests. */
const rowLogs = [
  [isLifecycleRow, inferencePerfLog],
  [isLlmperfResponse, llmperfLog],
  [isLlamaBench, llamaBenchLog],
  [isLocustRow, locustRows],
] as const

const listMembers = /"(?:start_time|end_to_end_latency_s|avg_ts|num_requests)"/

/** Members that one of the documents known here has near its beginning. */
const members = [
  ...["request_throughput", "request_latency", "aiperf_version", "time_to_first_token", "records"],
  ...["benchmarks", "guidellm_version", "backend", "input_lens", "duration", "metadata"],
  ...["load_summary", "root_group", "results", "experiments", "results_inter_token_latency_s_quantiles_p50"],
]
