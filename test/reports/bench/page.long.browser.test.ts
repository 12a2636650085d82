import { writeFile } from "node:fs/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { benchHtml } from "../../../reports/bench/html.ts"
import { sharedBrowser, violations } from "../../support/browser/shared-browser.ts"
import { chromiumPath, warnWithoutChromium, watch } from "../../support/browser.ts"
import { sweptBench } from "../../support/pages/swept-bench.ts"
import { layoutFaults } from "../page/layout-faults.tsx"

warnWithoutChromium()

describe.skipIf(!chromiumPath)("the page of a sweep in Chromium", { timeout: 120_000 }, () => {
  const shared = sharedBrowser()
  const urls: Record<string, string> = {}

  beforeAll(async () => {
    for (const [name, variants] of Object.entries({ one: ["tiny-s"], two: ["tiny-s", "a-much-longer-variant-name"] })) {
      const path = `${shared.folder()}/${name}.html`
      await writeFile(path, await benchHtml(await sweptBench(variants)))
      urls[name] = `file://${path}`
    }
  }, 120_000)

  async function open(name: string, width: number, colorScheme: "light" | "dark" = "light") {
    const context = await shared.browser().newContext({ viewport: { width, height: 900 }, colorScheme })
    const page = await context.newPage()
    const watched = watch(page)
    await page.goto(urls[name] as string)
    return { page, watched, close: () => context.close() }
  }

  // The page has no script, so that one page at each width in turn is what one opened there is.
  describe("has no accessibility violation and no fault of layout", () => {
    let opened: Awaited<ReturnType<typeof open>>
    beforeAll(async () => {
      opened = await open("two", 400)
      await opened.page.click("summary")
    })
    afterAll(() => opened.close())

    it.each(
      [400, 800, 1280, 1920].flatMap((width) => [
        { width, scheme: "light" as const },
        { width, scheme: "dark" as const },
      ]),
    )("at $width pixels in the $scheme theme", async ({ width, scheme }) => {
      const { page, watched } = opened
      expect(await page.$("script")).toBeNull()
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: scheme })
      expect(await violations(page, scheme === "light" ? "all" : "colours")).toEqual([])
      expect(await page.evaluate(layoutFaults, "body")).toEqual({
        cut: [],
        overlaps: [],
        charts: [],
        broken: [],
        sideways: 0,
      })
      expect(watched.problems).toEqual([])
    })
  })

  it("keeps each chart on one sheet with its title and its legend", async () => {
    const { page, close } = await open("two", 1280)
    await page.emulateMedia({ media: "print" })
    const cells = await page.$$eval("figure.chart", (charts) =>
      charts.map((chart) => {
        const cell = chart.closest(".curves") ?? chart
        return {
          hasTitle: cell.querySelector(".curves-title") !== null,
          breakInside: getComputedStyle(cell).breakInside,
        }
      }),
    )
    expect(cells.length).toBeGreaterThan(5)
    for (const cell of cells) expect(cell).toEqual({ hasTitle: true, breakInside: "avoid" })
    await close()
  })

  describe.each([400, 800, 1280, 1920])("at %i pixels", (width) => {
    it("scrolls its tables by themselves, never the page, and keeps their first column and their captions in sight", async () => {
      const { page, close } = await open("two", width)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      const tables = await page.$$eval(".table-frame", (frames) =>
        frames.map((frame) => {
          frame.scrollLeft = frame.scrollWidth
          const head = frame.querySelector("tbody th")?.getBoundingClientRect().left ?? Number.NaN
          const caption = frame.previousElementSibling?.getBoundingClientRect()
          return {
            head: Math.round(head - frame.getBoundingClientRect().left),
            isCaptionInSight: caption !== undefined && caption.left >= 0 && caption.right <= innerWidth,
          }
        }),
      )
      expect(tables.length).toBeGreaterThan(6)
      for (const table of tables) expect(table).toEqual({ head: 0, isCaptionInSight: true })
      await close()
    })

    it.each(["one", "two"])(
      "has texts in its charts that can be read and do not cover each other (%s)",
      async (name) => {
        const { page, close } = await open(name, width)
        const { smallest, collisions, charts } = await page.evaluate(textsOfCharts)
        expect(charts).toBeGreaterThan(6)
        expect(collisions).toEqual([])
        expect(smallest).toBeGreaterThanOrEqual(10)
        await close()
      },
    )
  })

  it("says at the top that figures are invalid, so that nobody plans with them", async () => {
    const { page, close } = await open("one", 1280)
    const doubt = await page.textContent(".doubt")
    expect(doubt).toContain("Invalid: the client's own error is over 5\u00a0% of")
    expect(doubt).toContain("TTFT p50 at 5 of 7 loads")
    expect(doubt).toContain("ITL p99 at every load")
    await close()
  })
})

/** Runs in the page: how small the smallest text of a chart is as it is shown, and which texts overlap. */
function textsOfCharts(): { smallest: number; collisions: string[]; charts: number } {
  const collisions: string[] = []
  let smallest = Number.POSITIVE_INFINITY
  const shown = [...document.querySelectorAll("figure svg")].filter((svg) => svg.getBoundingClientRect().width > 0)
  for (const svg of shown) {
    const scale = svg.getBoundingClientRect().width / (svg as SVGSVGElement).viewBox.baseVal.width
    const texts = [...svg.querySelectorAll("text")].map((text) => ({
      words: text.textContent ?? "",
      box: text.getBoundingClientRect(),
      size: Number.parseFloat(getComputedStyle(text).fontSize) * scale,
    }))
    for (const { size } of texts) smallest = Math.min(smallest, size)
    for (const [i, entry] of texts.entries())
      for (const other of texts.slice(i + 1)) {
        const across = Math.min(entry.box.right, other.box.right) - Math.max(entry.box.left, other.box.left)
        const down = Math.min(entry.box.bottom, other.box.bottom) - Math.max(entry.box.top, other.box.top)
        // A line of text is taller than its letters: boxes may touch by two pixels.
        if (across > 1 && down > 3)
          collisions.push(`${svg.getAttribute("aria-label")}: ${entry.words} / ${other.words}`)
      }
  }
  return { smallest, collisions, charts: shown.length }
}
