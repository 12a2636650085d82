import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import axe from "axe-core"
import { type Browser, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import type { ReportInput } from "../../src/core/report/report.ts"
import { ensurePage, pageFile } from "./page.ts"

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** Where a Chromium is installed; undefined on machines without one, where tests that need it say so and skip. */
export const chromiumPath = [process.env.CHROMIUM_PATH ?? "", ...places].find((path) => path !== "" && existsSync(path))

/** Says aloud that tests are skipped for want of Chromium. */
export function warnWithoutChromium(): void {
  if (!chromiumPath) console.warn("SKIPPED: no Chromium on this machine, the report's page is not opened")
}

/** Options of a page that a test opens: those of a context of Playwright. */
type OpenOptions = Parameters<Browser["newContext"]>[0]

/** What the tests of one file share: a browser, a folder, and ways to open pages. */
export interface SharedBrowser {
  browser(): Browser
  /** A folder for files, removed at the end. */
  folder(): string
  /** The address of a report's page, written once before the tests. */
  pageOf(input: () => ReportInput): () => string
  /** Opens a report's page in a context of its own and waits until it can be used. */
  open(address: string, options?: OpenOptions): Promise<OpenedPage>
}

/** A page with what it did that it should not have done, and how to close it. */
export interface OpenedPage {
  readonly page: Page
  readonly watched: Watch
  close(): Promise<void>
}

/** Starts one Chromium for the tests of a file, and ends it after them; the report's page is built first. */
export function sharedBrowser(): SharedBrowser {
  let browser: Browser | undefined
  let folder: Awaited<ReturnType<typeof temporaryFolder>> | undefined
  beforeAll(async () => {
    await ensurePage()
    folder = await temporaryFolder()
    browser = await openBrowser()
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await folder?.remove()
  })
  const pages = { written: 0 }
  const started = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error("the browser has not started yet")
    return value
  }
  return {
    browser: () => started(browser),
    folder: () => started(folder).path,
    pageOf(input) {
      let address = ""
      const path = `report-${pages.written++}.html`
      beforeAll(async () => {
        address = await pageFile(input(), join(started(folder).path, path))
      }, 120_000)
      return () => address
    },
    async open(address, options = {}) {
      const context = await started(browser).newContext({
        reducedMotion: "reduce",
        viewport: { width: 1280, height: 900 },
        ...options,
      })
      const page = await context.newPage()
      const watched = watch(page)
      await page.goto(address)
      await page.waitForSelector("html[data-ready]")
      await page.waitForSelector(".sample-space .sample-row")
      return { page, watched, close: () => context.close() }
    },
  }
}

/** What axe objects to in a page, with the elements. */
export async function violations(page: Page): Promise<string[]> {
  // Through the protocol: the page's own policy forbids foreign scripts, and so it should.
  await page.evaluate(axe.source)
  const result = await page.evaluate<axe.AxeResults>("axe.run(document)")
  return result.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`)
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
