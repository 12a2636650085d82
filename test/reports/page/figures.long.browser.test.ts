import { describe, expect, it } from "vitest"
import { sharedBrowser, violations } from "../../support/browser/shared-browser.ts"
import { chromiumPath, warnWithoutChromium } from "../../support/browser.ts"
import { pageFile } from "../../support/page.ts"
import { pricedReport } from "../../support/priced-report.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"
import { layoutFaults } from "./layout-faults.tsx"

warnWithoutChromium()

describe.skipIf(!chromiumPath)("the figures of the page in Chromium", { timeout: 120_000 }, () => {
  const shared = sharedBrowser()
  const url = shared.pageOf(() => syntheticInput({ samples: 300 }))

  it.each([
    [1280, "light"],
    [1280, "dark"],
    [400, "light"],
    [400, "dark"],
  ] as const)(
    "shows slices, confusions and citations whole at %i pixels, %s: nothing overlaps or is cut off",
    async (width, colorScheme) => {
      const { page, watched, close } = await shared.open(url(), { viewport: { width, height: 900 }, colorScheme })
      for (const summary of await page.$$("#slices summary, [data-kind=confusion] summary")) await summary.click()
      for (const part of [
        "[data-kind=slices]",
        "[data-kind=what_broke]",
        "[data-kind=confusion]",
        "[data-kind=citations]",
      ])
        expect({ part, ...(await page.evaluate(layoutFaults, part)) }).toEqual({
          ...{ part, cut: [], overlaps: [], charts: [], broken: [], sideways: 0 },
        })
      expect(await page.textContent("#slices")).toContain("subject: law")
      expect(watched.problems).toEqual([])
      await close()
    },
  )

  it("sorts the variants and keeps the order in its address", async () => {
    const { page, watched, close } = await shared.open(url())
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
    const { page, watched, close } = await shared.open(url())
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
    // A limit in milliseconds is none in dollars, nor is a part of one picture a part of another.
    await page.getByRole("button", { name: "zoom in", exact: true }).click()
    await page.selectOption("#frontier select >> nth=1", "perThousandUsd")
    expect(page.url()).not.toMatch(/Limit=|zoom=/)
    expect(await page.$$("[data-chart=frontier] .excluded")).toHaveLength(0)
    expect(watched.problems).toEqual([])
    await close()
  })

  it("compares any two variants, the run's own or not, and keeps the pair in its address", async () => {
    const { page, watched, close } = await shared.open(url())
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

  it("breaks the bill up and says from what volume on own hardware is cheaper", async () => {
    const { samples } = syntheticInput({ samples: 20 })
    const priced = await pageFile({ report: pricedReport(), samples }, `${shared.folder()}/priced.html`)
    const { page, watched, close } = await shared.open(priced)
    expect(await page.textContent("#cost [data-chart=monthly] ~ ul li")).toMatch(/^From 424,710 requests a month on, /)
    expect(await page.textContent("#cost")).toContain("of which reasoning")
    for (const [typed, said] of [
      ["-5", "The bills are those of 0 requests"],
      ["300000000000000", "The bills are those of 1,000,000,000,000 requests"],
    ] as const) {
      await page.fill("#cost input", typed)
      expect(await page.textContent("#cost .controls [role=status]")).toContain(said)
    }
    await page.fill("#cost input", "1000000000")
    expect(await page.textContent("#cost .controls [role=status]")).toBe("")
    await page.waitForFunction(() =>
      document.querySelector("#cost tbody tr:last-child")?.textContent?.includes("$344,000"),
    )
    expect(page.url()).toContain("requests=1000000000")
    expect(await violations(page, "all", "#cost")).toEqual([])
    expect(watched.problems).toEqual([])
    await close()
  })
})
