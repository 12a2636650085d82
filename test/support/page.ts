import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { type HtmlOptions, renderHtml } from "../../reports/export/html.ts"
import type { ReportInput } from "../../src/core/report/report.ts"

/** Builds the report's page unless it is current. */
export async function ensurePage(): Promise<void> {
  const script = fileURLToPath(new URL("../../reports/app/build.mjs", import.meta.url))
  await promisify(execFile)(process.execPath, [script])
}

/** The page of an input as one text. */
export async function pageOf(input: ReportInput, options?: HtmlOptions): Promise<string> {
  const chunks: string[] = []
  await renderHtml(input, (chunk) => void chunks.push(chunk), options)
  return chunks.join("")
}

/** Writes the page of an input to a file and returns its URL. */
export async function pageFile(input: ReportInput, path: string): Promise<string> {
  await writeFile(path, await pageOf(input))
  return `file://${path}`
}

/** A page without its links: words that the page explains read as those that it does not. */
export function withoutLinks(page: string): string {
  return page.replace(/<\/?a(?: [^>]*)?>/g, "")
}
