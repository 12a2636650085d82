import axe from "axe-core"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { renderChartSvg } from "../../reports/export/chart-svg.ts"
import { renderJunit } from "../../reports/export/junit.ts"
import { chromiumPath, openBrowser, temporaryFolder, warnWithoutChromium, watch } from "../support/browser.ts"
import { hostileTexts } from "../support/hostile-texts.ts"
import { ensurePage, pageFile } from "../support/page.ts"
import { dealt, poisoned } from "../support/poison.ts"
import { poisonedInput } from "../support/poisoned-input.ts"
import { pricedReport } from "../support/priced-report.ts"
import { syntheticInput } from "../support/synthetic/report.ts"

warnWithoutChromium()

describe.skipIf(!chromiumPath)("the page in Chromium", { timeout: 120_000 }, () => {
  let browser: Browser
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let url: string

  beforeAll(async () => {
    await ensurePage()
    folder = await temporaryFolder()
    url = await pageFile(syntheticInput({ samples: 300 }), `${folder.path}/report.html`)
    browser = await openBrowser()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await folder?.remove()
  })

  async function open(address: string, options: Parameters<Browser["newContext"]>[0] = {}) {
    const context: BrowserContext = await browser.newContext({
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
  }

  const violations = async (page: Page) => {
    // Through the protocol: the page's own policy forbids foreign scripts, and so it should.
    await page.evaluate(axe.source)
    const result = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run(document))
    return result.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`)
  }

  it("opens without an error, a warning or a request", async () => {
    const { page, watched, close } = await open(url)
    expect(await page.textContent("h1")).toContain("SWAP")
    expect(watched.problems).toEqual([])
    await close()
  })

  it.each(["light", "dark"] as const)("has no accessibility violation in the %s theme", async (colorScheme) => {
    const { page, close } = await open(`${url}#sample=sample-00008`, { colorScheme, reducedMotion: "reduce" })
    await page.waitForSelector(".pane .output")
    for (const summary of await page.$$("summary")) await summary.click()
    expect(await violations(page)).toEqual([])
    await close()
  })

  it.each([400, 768, 1280, 2000])("does not scroll sideways at %i pixels", async (width) => {
    const { page, close } = await open(`${url}#sample=sample-00008`, { viewport: { width, height: 900 } })
    await page.waitForSelector(".pane .output")
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await close()
  })

  it.each([
    [1280, "light"],
    [1280, "dark"],
    [400, "light"],
    [400, "dark"],
  ] as const)(
    "shows slices, confusions and citations whole at %i pixels, %s: nothing overlaps or is cut off",
    async (width, colorScheme) => {
      const { page, watched, close } = await open(url, { viewport: { width, height: 900 }, colorScheme })
      for (const summary of await page.$$("#slices summary, [data-kind=confusion] summary")) await summary.click()
      for (const part of [
        "[data-kind=slices]",
        "[data-kind=what_broke]",
        "[data-kind=confusion]",
        "[data-kind=citations]",
      ])
        expect({ part, ...(await page.evaluate(layoutFaults, part)) }).toEqual({
          part,
          shown: true,
          cut: [],
          overlaps: [],
        })
      expect(await page.textContent("#slices")).toContain("subject: law")
      expect(watched.problems).toEqual([])
      await close()
    },
  )

  it("sorts the variants and keeps the order in its address", async () => {
    const { page, watched, close } = await open(url)
    const names = () =>
      page.$$eval(".variants tbody th bdi:first-of-type", (cells) => cells.map((cell) => cell.textContent))
    await page.click(".variants thead button:has-text('E2E')")
    expect((await names())[0]).toBe("s-q8_0")
    expect(page.url()).toContain("sort=e2eMs")
    await page.reload()
    await page.waitForFunction(() => document.querySelector(".variants tbody th bdi")?.textContent === "s-q8_0")
    expect(watched.problems).toEqual([])
    await close()
  })

  it("changes the axes of the frontier and shades what a limit excludes", async () => {
    const { page, watched, close } = await open(url)
    await page.selectOption("#frontier select >> nth=1", "e2eMs")
    expect(await page.getAttribute("[data-chart=frontier] svg", "aria-label")).toContain("against E2E")
    expect(await page.textContent("#frontier .lead")).toContain("of 6 variants")
    await page.focus("[data-chart=frontier] .limit.x")
    for (let press = 0; press < 6; press++) await page.keyboard.press("Shift+ArrowLeft")
    expect(await page.$$("[data-chart=frontier] .excluded")).toHaveLength(1)
    expect(page.url()).toContain("xLimit=")
    await page.keyboard.press("Escape")
    expect(await page.$$("[data-chart=frontier] .excluded")).toHaveLength(0)
    const box = await page.locator("[data-chart=frontier] .limit.x .grip").boundingBox()
    await page.mouse.move((box?.x ?? 0) + 4, (box?.y ?? 0) + 60)
    await page.mouse.down()
    await page.mouse.move((box?.x ?? 0) - 300, (box?.y ?? 0) + 60, { steps: 4 })
    await page.mouse.up()
    expect(await page.$$("[data-chart=frontier] .excluded")).toHaveLength(1)
    expect(watched.problems).toEqual([])
    await close()
  })

  it("goes from a comparison to the samples that flipped, and compares two answers word by word", async () => {
    const { page, watched, close } = await open(url)
    await page.selectOption("#pair select >> nth=0", "s-q8_0")
    const lost = Number(await page.textContent(".flips .bad b"))
    const won = Number(await page.textContent(".flips .good b"))
    await page.click("text=read the samples that flipped")
    await page.waitForFunction(
      (flips) => document.querySelector("#samples [role=status]")?.textContent?.startsWith(`${flips} sample`),
      lost + won,
    )
    await page.click(".sample-space .sample-row >> nth=0")
    await page.waitForSelector(".output.right mark")
    expect(await page.$$eval(".pane select", (all) => all.map((one) => (one as HTMLSelectElement).value))).toEqual([
      "m-f16",
      "s-q8_0",
      "", // two answers, not those of all variants
    ])
    await page.click(".answer-pane >> nth=0 >> text=colour by probability")
    expect(await page.$$(".output.left [class^=lp]")).not.toHaveLength(0)
    expect(await page.$$(".timeline .event")).not.toHaveLength(0)
    expect(watched.problems).toEqual([])
    await close()
  })

  it("compares any two variants, the run's own or not, and keeps the pair in its address", async () => {
    const { page, watched, close } = await open(url)
    await page.selectOption("#pair select >> nth=0", "s-q8_0")
    await page.selectOption("#pair select >> nth=1", "m-q4_0")
    await page.waitForSelector("#pair [data-chart=forest]")
    expect(await page.textContent("#pair .finding")).toMatch(/^s-q8_0 against m-q4_0 on exact match: −\d/)
    expect(page.url()).toContain("candidate=s-q8_0&baseline=m-q4_0")
    await page.click("text=read the samples that flipped")
    const flipped = Number(await page.textContent(".flips .bad b")) + Number(await page.textContent(".flips .good b"))
    await page.waitForFunction(
      (flips) => document.querySelector("#samples [role=status]")?.textContent?.startsWith(`${flips} sample`),
      flipped,
    )
    await page.click("#pair th button >> text=m-q8_0")
    expect(await page.textContent("#pair .finding")).toMatch(/^SWAP/)
    expect(watched.problems).toEqual([])
    await close()
  })

  it("marks what no passage bears and says why beneath it", async () => {
    const { page, watched, close } = await open(`${url}#chip=unsupported`)
    await page.click(".sample-space .sample-row >> nth=0")
    await page.selectOption(".pane select >> nth=1", "m-q2_0")
    await page.waitForSelector(".output .objected")
    const marked = await page.textContent(".output .objected")
    const reason = await page.textContent(".objections li .foreign")
    expect(reason).toBe(`no passage says "${marked?.replace(/\d$/, "")}"`)
    expect(await violations(page)).toEqual([])
    expect(watched.problems).toEqual([])
    await close()
  })

  it("breaks the bill up and says from what volume on own hardware is cheaper", async () => {
    const { samples } = syntheticInput({ samples: 20 })
    const priced = await pageFile({ report: pricedReport(), samples }, `${folder.path}/priced.html`)
    const { page, watched, close } = await open(priced)
    expect(await page.textContent("#cost [data-chart=monthly] ~ ul li")).toMatch(/^From 424,710 requests a month on, /)
    expect(await page.textContent("#cost")).toContain("of which reasoning")
    await page.fill("#cost input", "1000000000")
    await page.waitForFunction(() =>
      document.querySelector("#cost tbody tr:last-child")?.textContent?.includes("$344,000"),
    )
    expect(page.url()).toContain("requests=1000000000")
    expect(await violations(page)).toEqual([])
    expect(watched.problems).toEqual([])
    await close()
  })

  it("searches all texts and walks the rows by the keyboard", async () => {
    const { page, watched, close } = await open(url)
    await page.fill("#samples input[type=search]", "sample-00042")
    await page.waitForFunction(() =>
      document.querySelector("#samples [role=status]")?.textContent?.startsWith("1 sample of"),
    )
    await page.fill("#samples input[type=search]", "")
    await page.focus(".sample-frame")
    for (let press = 0; press < 3; press++) await page.keyboard.press("ArrowDown")
    await page.waitForSelector(".pane")
    expect(page.url()).toContain("sample=sample-00002")
    expect(watched.problems).toEqual([])
    await close()
  })

  it("reads a sample beside the list, walks on by keys, and comes back to the list", async () => {
    const { page, watched, close } = await open(url)
    await page.click(".sample-space .sample-row >> nth=2")
    await page.waitForSelector(".pane .output")
    const [list, pane] = await Promise.all([
      page.locator(".samples").boundingBox(),
      page.locator(".pane").boundingBox(),
    ])
    expect(pane?.x).toBeGreaterThan((list?.x ?? 0) + (list?.width ?? 0))
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("pane")
    expect(await page.textContent(".pane h3")).toBe("sample-00002")
    await page.keyboard.press("j")
    await page.waitForFunction(() => document.querySelector(".pane h3")?.textContent === "sample-00003")
    expect(await page.textContent(".steps small")).toBe("4 of 300")
    await page.keyboard.press("k")
    await page.click(".steps >> text=previous")
    await page.waitForFunction(() => document.querySelector(".pane h3")?.textContent === "sample-00001")
    await page.focus("#samples input[type=search]")
    await page.keyboard.type("jk")
    expect(page.url()).toContain("sample=sample-00001")
    await page.focus(".sample-frame")
    await page.keyboard.press("Escape")
    await page.waitForSelector(".pane", { state: "detached" })
    expect(page.url()).not.toContain("sample=")
    expect(watched.problems).toEqual([])
    await close()
  })

  it("brings the sample that was clicked into view on a narrow screen", async () => {
    const { page, close } = await open(url, { viewport: { width: 400, height: 800 } })
    await page.click(".sample-space .sample-row >> nth=4")
    await page.waitForFunction(() => document.activeElement?.className === "pane")
    const box = await page.locator(".pane").boundingBox()
    expect(box?.y).toBeLessThan(700)
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(100)
    await close()
  })

  it("shows the answers of all variants side by side, each against one of them", async () => {
    const { page, watched, close } = await open(`${url}#sample=sample-00010&view=all`)
    await page.waitForSelector(".pane .output")
    expect(await page.$$(".pane .answer-pane")).toHaveLength(6)
    expect(await page.$$(".pane .answer-pane >> nth=0 >> mark")).toHaveLength(0)
    expect((await page.$$(".pane .answer-pane mark")).length).toBeGreaterThan(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280)
    expect(await violations(page)).toEqual([])
    await page.selectOption(".pane select >> nth=0", "m-q2_0")
    expect(page.url()).toContain("left=m-q2_0")
    expect(await page.textContent(".pane .answer-pane >> nth=0")).toContain("m-q2_0")
    expect(watched.problems).toEqual([])
    await close()
  })

  it("narrows the list to answers of a variant, an outcome, a range of values and lengths, kept in its address", async () => {
    const { page, watched, close } = await open(url)
    const listed = async () => Number.parseInt((await page.textContent("#samples [role=status]")) ?? "", 10)
    await page.click(".more-filters summary")
    await page.selectOption(".more-filters select >> nth=0", "m-q2_0")
    await page.fill(".more-filters input >> nth=1", "0.5")
    const wrong = await listed()
    expect(wrong).toBeGreaterThan(0)
    expect(wrong).toBeLessThan(300)
    expect(page.url()).toMatch(/by=m-q2_0.*to=0\.5/)
    await page.reload()
    await page.waitForSelector(".sample-space .sample-row")
    await page.waitForFunction(
      (count) => document.querySelector("#samples [role=status]")?.textContent?.startsWith(`${count} `),
      wrong,
    )
    await page.click(".more-filters summary")
    await page.click(".more-filters >> text=clear")
    expect(await listed()).toBe(300)
    expect(watched.problems).toEqual([])
    await close()
  })

  it("switches its theme and prints on A4", async () => {
    const { page, watched, close } = await open(url)
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

  it("reads the JUnit and SVG exports with its own XML parser, whatever the texts hold", async () => {
    const page = await browser.newPage()
    const { report } = syntheticInput({ samples: 60 })
    const documents = [renderJunit(report), await renderChartSvg(report, "frontier")]
    for (let deal = 0; deal < 6; deal++) documents.push(renderJunit(poisoned(report, dealt(hostileTexts, deal))))
    const roots = await page.evaluate(
      (all) =>
        all.map((text) => {
          const parsed = new DOMParser().parseFromString(text, "application/xml")
          return parsed.querySelector("parsererror")?.textContent ?? parsed.documentElement.nodeName
        }),
      documents,
    )
    expect(roots).toEqual(documents.map((_, index) => (index === 1 ? "svg" : "testsuites")))
    await page.close()
  })

  it("shows its content without JavaScript", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(url)
    expect(await page.textContent("h1")).toContain("SWAP")
    expect(await page.$$(".variants tbody tr")).toHaveLength(12)
    expect(await page.$$("[data-chart=frontier] .mark")).toHaveLength(6 - 1)
    await context.close()
  })

  it("runs nothing and keeps its layout whatever the texts hold", async () => {
    const small = syntheticInput({ samples: 3 })
    const context = await browser.newContext({ reducedMotion: "reduce", viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    const watched = watch(page)
    for (let deal = 0; deal < 14; deal++) {
      const payload = dealt(hostileTexts, deal)
      await page.goto(`${await pageFile(poisonedInput(small, payload), `${folder.path}/hostile.html`)}?${deal}`)
      await page.waitForSelector(".sample-space .sample-row")
      await page.click(".sample-space .sample-row >> nth=0")
      await page.waitForSelector(".pane .output")
      const state = await page.evaluate(() => ({
        owned: "__owned" in window,
        sideways: document.documentElement.scrollWidth > innerWidth,
        sections: document.querySelectorAll("main > section").length,
        foreign: document.querySelectorAll("iframe, img, object, embed, video, form, base, dialog, #page script")
          .length,
      }))
      expect({ deal, ...state }).toEqual({ deal, owned: false, sideways: false, sections: 12, foreign: 0 })
    }
    expect(watched.problems).toEqual([])
    await context.close()
  }, 300_000)

  it("opens a hundred thousand answers and stays usable", async () => {
    const large = await pageFile(syntheticInput({ samples: 16_666 }), `${folder.path}/large.html`)
    const { page, watched, close } = await open(large)
    expect(await page.textContent("#samples [role=status]")).toContain("16,666 samples of 16,666")
    expect(await page.$$eval("body *", (all) => all.length)).toBeLessThan(5000)
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

/** Runs in the page: texts of a part that lie on each other, and boxes that hide some of what they hold. */
function layoutFaults(selector: string) {
  const part = document.querySelector(selector)
  const name = (element: Element) => `${element.tagName} ${element.textContent?.slice(0, 40)}`
  const all = [...(part?.querySelectorAll<HTMLElement>("*") ?? [])]
  const cut = all.filter(
    (one) =>
      one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === "hidden",
  )
  const texts = all.filter(
    (one) => one.matches("h3, p, summary, th, td, li, caption") && one.getClientRects().length > 0,
  )
  const overlaps = texts.flatMap((one, i) =>
    texts.slice(i + 1).flatMap((other) => {
      if (one.contains(other)) return []
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()]
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      return wide > 2 && high > 2 ? [`${name(one)} / ${name(other)}`] : []
    }),
  )
  return { shown: part !== null && texts.length > 0, cut: cut.map(name), overlaps }
}
