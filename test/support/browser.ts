import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, chromium, type Page } from "playwright-core"

/** The shell first: it draws the same pages with three quarters of the browser's processor time. */
const places = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map(
  (it) => `/usr/bin/${it}`,
)

/** Where a Chromium is installed; undefined on machines without one, where tests that need it say so and skip. */
export const chromiumPath = [process.env.CHROMIUM_PATH ?? "", ...places].find((path) => path !== "" && existsSync(path))

/** Says aloud that tests are skipped for want of Chromium. */
export function warnWithoutChromium(): void {
  if (!chromiumPath) console.warn("SKIPPED: no Chromium on this machine, the report's page is not opened")
}

/** Starts Chromium without a sandbox and without any connection of its own. */
export function openBrowser(): Promise<Browser> {
  const flags = "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update --no-first-run"
  return chromium.launch({ executablePath: chromiumPath as string, args: flags.split(" ") })
}

/** What a page did that it should not have done. */
export interface Watch {
  readonly problems: string[]
}

/** Notes console errors, exceptions and requests that leave the file. */
export function watch(page: Page, allowed: (url: string) => boolean = isLocalFile): Watch {
  const problems: string[] = []
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(`console: ${message.text()}`)
  })
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`))
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on("request", (request) => {
    if (!allowed(request.url())) problems.push(`request: ${request.url()}`)
  })
  return { problems }
}

/** A folder for files of a test, and how to remove it. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "evalkit-report-"))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

function isLocalFile(url: string): boolean {
  return url.startsWith("file:") || url.startsWith("data:")
}
