import { existsSync, statSync } from "node:fs"
import { readdir, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { build } from "vite"
import { type HtmlOptions, renderHtml } from "../../reports/html.ts"
import type { ReportInput } from "../../src/core/report.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Builds the report's page when its source is newer than what was built. */
export async function ensurePage(): Promise<void> {
  const built = `${root}dist/reports/app/server.js`
  if (existsSync(built) && statSync(built).mtimeMs > (await newest(`${root}reports`))) return
  const configFile = `${root}reports/app/vite.config.ts`
  await build({ configFile })
  await build({ configFile, build: { ssr: true } })
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

async function newest(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return Math.max(
    ...entries.filter((entry) => entry.isFile()).map((entry) => statSync(`${entry.parentPath}/${entry.name}`).mtimeMs),
  )
}
