import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { sharedBrowser, violations } from "../../support/browser/shared-browser.ts"
import { chromiumPath, warnWithoutChromium } from "../../support/browser.ts"
import { isNightly } from "../../support/nightly.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

warnWithoutChromium()

/** A person at a keyboard whose every action is counted: a key, or a text that is typed at once. */
function keyboard(page: Page) {
  let actions = 0
  return {
    actions: () => actions,
    async press(key: string) {
      actions++
      await page.keyboard.press(key)
    },
    async type(text: string) {
      actions++
      await page.keyboard.type(text)
    },
  }
}

describe.skipIf(!chromiumPath)("what people come to the page for, by the keyboard", { timeout: 120_000 }, () => {
  const shared = sharedBrowser()
  const url = shared.pageOf(() => syntheticInput({ samples: 300 }))

  it.each([400, 1280])("which of the two should I take: nothing is to be done at %i pixels", async (width) => {
    const { page, close } = await shared.open(url(), { viewport: { width, height: 900 } })
    expect(await page.textContent("h1")).toMatch(/SWAP.*m-q8_0 can replace m-f16/)
    const box = await page.locator("h1").boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(900)
    await close()
  })

  it("show me what broke: the answers that became wrong, the first of them open, in three actions", async () => {
    const { page, watched, close } = await shared.open(url())
    const hands = keyboard(page)
    await hands.press("Tab")
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(
      /^read what broke \(\d+ by [\w ]+\)$/,
    )
    expect(await violations(page, "all", "#answer")).toEqual([])
    await hands.press("Enter")
    await hands.press("ArrowDown")
    await page.waitForSelector(".pane .output")
    expect(hands.actions()).toBeLessThanOrEqual(4)
    const lost = Number(await page.textContent(".flips .bad b"))
    expect(lost).toBeGreaterThan(0)
    expect(await page.textContent("#samples [role=status]")).toContain(`${lost} sample`)
    const scores = await page.$$eval(".pane .answer-pane", (all) => all.map((entry) => entry.textContent ?? ""))
    expect(scores).toHaveLength(2)
    expect(scores[0]).toContain("m-f16")
    expect(scores[1]).toContain("m-q8_0")
    expect(watched.problems).toEqual([])
    await close()
  })

  it("what would it cost at 3 million a month: four actions", { skip: !isNightly }, async () => {
    const { page, watched, close } = await shared.open(url())
    const hands = keyboard(page)
    await hands.press("Tab")
    await hands.press("Tab")
    await hands.press("Enter")
    await hands.type("3000000")
    expect(hands.actions()).toBeLessThanOrEqual(4)
    await page.waitForFunction(() => location.hash.includes("requests=3000000"))
    expect(await page.inputValue("#briefing input")).toBe("3000000")
    const field = await page.locator("#briefing input").boundingBox()
    expect(field?.y).toBeGreaterThan(0)
    expect(field?.y).toBeLessThan(900)
    expect(await page.textContent("#briefing")).toMatch(/3,000,000 requests a month: \$[\d.,]+ before, \$[\d.,]+ after/)
    expect(watched.problems).toEqual([])
    await close()
  })

  it("is there for a mouse, too: a click each", async () => {
    const { page, close } = await shared.open(url())
    await page.click("#answer .tasks >> text=read what broke")
    expect(page.url()).toContain("chip=broke")
    await page.click("#answer .tasks >> text=cost at your volume")
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT")
    await close()
  })
})
