import { join } from "node:path"
import axe from "axe-core"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import type { ReportInput } from "../../../src/core/report/report.ts"
import { openBrowser, temporaryFolder, type Watch, watch } from "../browser.ts"
import { ensurePage, pageFile } from "../page.ts"

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
      await unfold(page)
      await page.waitForSelector(".sample-space .sample-row")
      return { page, watched, close: () => context.close() }
    },
  }
}

/** Opens the page's details, which are folded below its answer. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate(`document.getElementById("details")?.setAttribute("open", "")`)
}

/**
 * What axe objects to in a page, with the elements.
 *
 * @param what all rules, or those of colours alone: what else another theme has is what the first one had
 * @param part selector of what is looked at. The whole page takes seconds: where another test looks at the same page, its own part is
 * enough.
 */
export async function violations(page: Page, what: "all" | "colours" = "all", part = "html"): Promise<string[]> {
  // Through the protocol: the page's own policy forbids foreign scripts, and so it should.
  if (!(await page.evaluate("'axe' in window"))) {
    await page.evaluate(axe.source)
    // Else it writes down the whole text of each element that it looks at, within all that holds it.
    await page.evaluate("axe.configure({ noHtml: true })")
  }
  const options: axe.RunOptions = {
    // What passes is not written down: four fifths of the time.
    resultTypes: ["violations"],
    ...(what === "colours" && { runOnly: ["color-contrast", "link-in-text-block"] }),
  }
  const line = `axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)}).then(({ violations }) => {
    const text = ({ target }) => document.querySelector(target[0])?.outerHTML.slice(0, 160) ?? String(target)
    return violations.map((one) => one.id + ": " + one.nodes.map(text).join(" | "))
  })`
  return page.evaluate<string[]>(line)
}
