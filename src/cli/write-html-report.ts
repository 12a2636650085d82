import type { Writable } from "node:stream"
import { finished } from "node:stream/promises"
import type { ReportInput } from "../core/report/report.ts"
import { streamWriter } from "./stream-writer.ts"

/** Streams the HTML report into a file (or any other stream) and waits until it is written. */
export async function writeHtmlReport(input: ReportInput, stream: Writable): Promise<void> {
  const { renderHtml } = await import("../../reports/export/html.ts")
  await renderHtml(input, streamWriter(stream))
  stream.end()
  await finished(stream)
}
