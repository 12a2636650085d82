import { describe, expect, it } from "vitest"
import { sharedBrowser, unfold, violations } from "../../support/browser/shared-browser.ts"
import { chromiumPath, warnWithoutChromium } from "../../support/browser.ts"
import { isNightly } from "../../support/nightly.ts"
import { pageFile } from "../../support/page.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

warnWithoutChromium()

describe.skipIf(!chromiumPath)("the page in Chromium", { timeout: 120_000 }, () => {
  const shared = sharedBrowser()
  const url = shared.pageOf(() => syntheticInput({ samples: 300 }))

  it("opens without an error, a warning or a request", async () => {
    const { page, watched, close } = await shared.open(url())
    expect(await page.textContent("h1")).toContain("SWAP")
    expect(watched.problems).toEqual([])
    await close()
  })

  it("has no accessibility violation in either theme, and does not scroll sideways at any width", async () => {
    const { page, close } = await shared.open(`${url()}#sample=sample-00008&left=nobody`)
    await page.waitForSelector(".pane .output")
    await page.waitForSelector("#unknown-in-address")
    for (const width of [400, 768, 2000, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      // What follows the window's width does so in the next frames.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      const scroll = await page.evaluate(() => document.documentElement.scrollWidth)
      expect({ width, fits: scroll <= width }).toEqual({ width, fits: true })
    }
    await page.evaluate(() => {
      for (const entry of document.querySelectorAll("details")) entry.open = true
    })
    expect(await violations(page)).toEqual([])
    await page.emulateMedia({ colorScheme: "dark" })
    expect(await violations(page, "colours")).toEqual([])
    await close()
  })

  it("switches its theme and prints on A4", async () => {
    const { page, watched, close } = await shared.open(url())
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await page.click(".theme")
    await page.click(".theme")
    expect(await page.textContent(".theme")).toBe("theme: dark")
    expect(await ground()).toBe("rgb(18, 18, 18)")
    const pdf = await page.pdf({ format: "A4" })
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-")
    await page.emulateMedia({ media: "print" })
    expect(await ground()).toBe("rgb(255, 255, 255)")
    expect(watched.problems).toEqual([])
    await close()
  })

  it("leaves no heading alone at the end of a sheet and splits no row", { skip: !isNightly }, async () => {
    const { page, close } = await shared.open(url())
    await page.emulateMedia({ media: "print" })
    const kept = await page.evaluate(() => {
      const styles = (selector: string) =>
        [...document.querySelectorAll(`main ${selector}`)]
          .filter((entry) => entry.checkVisibility())
          .map((entry) => getComputedStyle(entry))
      return {
        headings: styles(":is(h2, h3)").map(({ breakAfter }) => breakAfter),
        rows: styles(":is(tr, p, li, .facts > div)").map(({ breakInside }) => breakInside),
        last: styles("tbody > tr:nth-last-child(1):nth-child(n + 2)").map(({ breakBefore }) => breakBefore),
      }
    })
    expect(kept.headings.length).toBeGreaterThan(5)
    expect(kept.rows.length).toBeGreaterThan(10)
    expect(kept.last.length).toBeGreaterThan(3)
    for (const values of Object.values(kept)) expect(new Set(values)).toEqual(new Set(["avoid"]))
    await close()
  })

  it("draws its charts anew for the sheet, so that their words are not shrunk, and for the window afterwards", {
    skip: !isNightly,
  }, async () => {
    const { page, close } = await shared.open(url(), { viewport: { width: 1920, height: 900 } })
    const widths = () =>
      page.evaluate(() =>
        [...document.querySelectorAll(".chart > svg")].map((entry) => Number(entry.getAttribute("width"))),
      )
    const before = await widths()
    expect(Math.max(...before)).toBeGreaterThan(1000)
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")))
    expect(Math.max(...(await widths()))).toBeLessThanOrEqual(688)
    await page.evaluate(() => dispatchEvent(new Event("afterprint")))
    expect(await widths()).toEqual(before)
    await close()
  })

  it("shows its content without JavaScript", async () => {
    const context = await shared.browser().newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(url())
    await unfold(page)
    expect(await page.textContent("h1")).toContain("SWAP")
    expect(await page.$$(".variants tbody tr")).toHaveLength(12)
    expect(await page.$$("[data-chart=frontier] .mark")).toHaveLength(6 - 1)
    await context.close()
  })

  it("opens a hundred thousand answers and stays usable", { skip: !isNightly }, async () => {
    const large = await pageFile(syntheticInput({ samples: 16_666 }), `${shared.folder()}/large.html`)
    const { page, watched, close } = await shared.open(large)
    expect(await page.textContent("#samples [role=status]")).toContain("16,666 samples of 16,666")
    // Most are sections, charts and explanations, of which a page of twenty samples has as many.
    expect(await page.$$eval("body *", (all) => all.length)).toBeLessThan(6000)
    await page.click("text=slowest 1 %")
    await page.evaluate(() => {
      const frame = document.querySelector(".sample-frame")
      if (frame) frame.scrollTop = 30_000
    })
    await page.waitForFunction(
      () => !document.querySelector(".sample-space .sample-row .input")?.textContent?.startsWith("…"),
    )
    expect(watched.problems).toEqual([])
    await close()
  })
})
