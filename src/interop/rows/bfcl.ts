import { existsSync } from "node:fs"
import { basename } from "node:path"
import { UsageError } from "../../core/errors.ts"
import type { ForeignLog } from "../../core/foreign/foreign-log.ts"
import type { JsonObject } from "../../core/json.ts"
import { countOf, numberOf, textOf } from "../fields.ts"
import { type RowFile, rowFile } from "../row-file.ts"
import { type RowFormat, rowRecord, rowsLog } from "../row-format.ts"

/**
 * The Berkeley Function Calling Leaderboard, versions 3 and 4. Its score file names what failed, and its result file what was asked: the score is
 * read from both (`result/MODEL/…_result.json`, `score/MODEL/…_score.json`). Facts: files of public runs of version 4.
 */
export const bfcl: RowFormat = {
  is: (row) => isHead(row) || ("id" in row && "result" in row && ("latency" in row || "input_token_count" in row)),
  open: bfclLog,
}

function isHead(row: JsonObject): boolean {
  return "accuracy" in row && "correct_count" in row && "total_count" in row
}

async function bfclLog(file: RowFile): Promise<ForeignLog> {
  const [results, scores] = [otherFile(file, "score", "result"), otherFile(file, "result", "score")]
  if (!existsSync(results.path))
    throw new UsageError("the scores of BFCL name only what failed, and the results beside them are missing", {
      where: file.file,
      hint: `keep the folder result beside the folder score: ${results.file}`,
    })
  const isScored = existsSync(scores.path)
  const failed = isScored ? await failedIds(await rowFile(scores.path, scores.file)) : null
  const asked = await rowFile(results.path, results.file)
  if (failed !== null) await checkCount(asked, failed.total, scores.file)
  return rowsLog(
    { ...asked, file: file.file },
    {
      tool: "bfcl",
      isUniform: isScored,
      hasScores: isScored,
      dataset: basename(results.file).replace(/_result\.jsonl?$/, ""),
      metrics: new Map([["valid", { direction: "higher", range: [0, 1] }]]),
      notes: isScored ? [] : [`results have no scores: ${scores.file} is missing`],
    },
    (row, where, occasions) => {
      const id = textOf(row.id)
      const text = textOf(row.result) ?? JSON.stringify(row.result ?? "")
      const seconds = numberOf(row.latency)
      const error = text.startsWith("Error during inference") ? text : undefined
      return rowRecord(
        {
          ...(id !== undefined && { id }),
          input: id,
          variant: modelOf(results.path),
          text,
          failed: error,
          ...(seconds !== undefined && { e2eMs: seconds * 1000 }),
          usage: {
            promptTokens: countOf(row.input_token_count ?? null),
            completionTokens: countOf(row.output_token_count ?? null),
          },
          scores: failed === null ? {} : { valid: Number(!failed.ids.has(id ?? "")) },
        },
        "BFCL",
        where,
        occasions,
      )
    },
  )
}

/** The same file in the other folder; the file itself where it is already there. */
function otherFile(
  { path, file }: RowFile,
  from: string,
  to: string,
): { readonly path: string; readonly file: string } {
  const ending = new RegExp(`_${from}(?=\\.jsonl?$)`)
  const other = (name: string) =>
    ending.test(name)
      ? name.replace(ending, `_${to}`).replace(new RegExp(`(.*(?:^|/))${from}(?=[^/]*/)`, "s"), `$1${to}`)
      : name
  return { path: other(path), file: other(file) }
}

function modelOf(path: string): string {
  return /\/result[^/]*\/([^/]+)\/(?:[^/]+\/)?[^/]+$/.exec(path)?.[1] ?? "model"
}

async function failedIds(file: RowFile): Promise<{ readonly ids: ReadonlySet<string>; readonly total: number | null }> {
  const ids = new Set<string>()
  let total: number | null = null
  for await (const read of file.rows()) {
    if (!("row" in read)) continue
    if (isHead(read.row)) total = countOf(read.row.total_count ?? null)
    else if (read.row.valid !== true) ids.add(textOf(read.row.id) ?? "")
  }
  return { ids, total }
}

async function checkCount(results: RowFile, total: number | null, where: string): Promise<void> {
  let count = 0
  for await (const read of results.rows()) if ("row" in read) count++
  if (total !== null && total !== count)
    throw new UsageError(`the scores of BFCL count ${total} answers, and the results hold ${count}`, {
      where,
      hint: "score the results again, so that both are of one run",
    })
}
