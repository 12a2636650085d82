import { readdir } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { UsageError } from "../../core/errors.ts"
import { byText } from "../../stats/order.ts"
import type { LoadLog } from "./load-log.ts"

/** Files of a folder that are looked at. */
const maxFiles = 500

/**
 * The results of one load tool in a folder, and in folders within it, as one log: their levels in the order of the files' names. Where the
 * requests of a load stand beside its summary, the summary is left out.
 *
 * @param open opens a file; null for one that no load tool wrote
 * @returns null where the folder holds no result of a load tool
 * @throws {UsageError} for results of several tools or models, and for one that cannot be read beside others that can
 */
export async function openLoadFolder(
  path: string,
  file: string,
  open: (path: string, file: string) => Promise<LoadLog | null>,
): Promise<LoadLog | null> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true })
  const files = entries
    .filter((entry) => entry.isFile() && /^[^.].*\.(?:jsonl?|csv|txt|gz|zst)$/i.test(entry.name))
    .map(({ parentPath, name }) => relative(path, join(parentPath, name)))
    .sort(byText)
  const logs: LoadLog[] = []
  let fault: unknown = null
  for (const name of files.slice(0, maxFiles)) {
    const log = await open(join(path, name), join(file, name)).catch((error: unknown) => {
      fault ??= error
      return null
    })
    if (log) logs.push(log)
  }
  if (logs.length === 0) return null
  if (fault !== null) throw fault
  if (files.length > maxFiles)
    throw new UsageError(`the folder holds more than ${maxFiles} files`, { where: file, hint: "name the results" })
  const results = withoutSummaries(logs)
  const [first] = results as [LoadLog, ...LoadLog[]]
  for (const kind of ["tool", "model"] as const)
    if (new Set(results.map((log) => log[kind])).size > 1) throw severalOf(kind, results, file)
  return results.length === 1 ? first : joined(results, file)
}

/** A summary beside the requests of the same tool is of the same load. */
function withoutSummaries(logs: readonly LoadLog[]): readonly LoadLog[] {
  const folderOf = ({ tool, file }: LoadLog) => `${tool} ${dirname(file)}`
  const detailed = new Set(logs.filter((log) => !log.isSummary).map(folderOf))
  return logs.filter((log) => !log.isSummary || !detailed.has(folderOf(log)))
}

function severalOf(kind: "tool" | "model", results: readonly LoadLog[], file: string): UsageError {
  const byKind = new Map(results.map((log) => [log[kind], log.file]))
  const hint = `name the results of one: ${[...byKind.values()].slice(0, 6).join(", ")}`
  return new UsageError(`the folder holds results of ${byKind.size} ${kind === "tool" ? "load tools" : "models"}`, {
    where: file,
    hint,
  })
}

function joined(results: readonly LoadLog[], file: string): LoadLog {
  const [first] = results as [LoadLog, ...LoadLog[]]
  const starts = results.map((_, i) => results.slice(0, i).reduce((sum, { levels }) => sum + levels.length, 0))
  return {
    tool: first.tool,
    name: first.name,
    file,
    model: first.model,
    levels: results.flatMap(({ levels }) => levels),
    notes: [`${results.length} results of the folder`, ...new Set(results.flatMap(({ notes }) => notes))],
    async *requests() {
      for (const [i, { requests }] of results.entries())
        for await (const read of requests())
          yield "answer" in read ? { ...read, level: read.level + (starts[i] as number) } : read
    },
  }
}
