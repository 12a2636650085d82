import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import type { RunReport } from "../../../src/core/report/report.ts"
import { reading } from "./on-record.ts"

/** What two runs of one plan on recorded timings have in common, byte by byte: all but their ids, times and durations. */
export interface Comparable {
  /** The stored report as JSON. */
  readonly report: string
  /** The page, its packed texts unpacked; empty where none was asked for. */
  readonly page: string
}

/**
 * Reads the newest run of a project's store, or the one of an id.
 *
 * @throws {Error} when it has no report or no page
 */
export function comparable(folder: string, options: { readonly page: boolean; readonly id?: string }): Comparable {
  return reading(folder, (store, newest) => {
    const record = options.id === undefined ? newest : store.run(options.id)
    const report = record && store.report(record.id)
    if (!report) throw new Error(`no report in ${folder}`)
    const page = options.page ? readFileSync(join(folder, ".evalkit", "reports", `${report.run.id}.html`), "utf8") : ""
    return { report: JSON.stringify(timeless(report)), page: timelessPage(page, report.run.id) }
  })
}

function timeless({ run, ...report }: RunReport) {
  return { ...report, run: { ...run, id: "", startedAt: "", finishedAt: "", durationMs: 0 } }
}

function timelessPage(page: string, id: string): string {
  return page
    .replace(/H4sI[\w+/=]{50,}/g, (packed) => gunzipSync(Buffer.from(packed, "base64")).toString("utf8"))
    .replaceAll(id, "ID")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replace(/(<span class="whole">)?\d{4}-\d\d-\d\d(<\/span>)? [\d:]{8} UTC/g, "TIME")
    .replace(/"durationMs":[\d.]+/g, '"durationMs":0')
    .replace(/ took [^<]*</g, " took <")
}
