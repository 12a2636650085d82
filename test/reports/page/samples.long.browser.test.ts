import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { ReportInput } from "../../../src/core/report/report.ts"
import { sharedBrowser, violations } from "../../support/browser/shared-browser.ts"
import { chromiumPath, warnWithoutChromium } from "../../support/browser.ts"
import { pageFile } from "../../support/page.ts"
import { syntheticVariants } from "../../support/synthetic/answers.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

warnWithoutChromium()

/** Whether the answers of a variant, by its position, to the first samples are right, as the list writes it. */
async function scoresOf(input: ReportInput, variant: number, count: number): Promise<string[]> {
  const texts: string[] = []
  for await (const { answers } of input.samples()) {
    texts.push(String(answers[variant]?.values.exact_match ?? "unscored"))
    if (texts.length === count) break
  }
  return texts
}

describe.skipIf(!chromiumPath)("the samples of the page in Chromium", { timeout: 120_000 }, () => {
  const shared = sharedBrowser()
  const url = shared.pageOf(() => syntheticInput({ samples: 300 }))

  it("goes from a comparison to the samples that flipped, and compares two answers word by word", async () => {
    const { page, watched, close } = await shared.open(url())
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
    expect(await page.$$eval(".pane select", (all) => all.map((entry) => (entry as HTMLSelectElement).value))).toEqual([
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

  it("marks what no passage bears and says why beneath it", async () => {
    const { page, watched, close } = await shared.open(`${url()}#chip=unsupported`)
    await page.click(".sample-space .sample-row >> nth=0")
    await page.selectOption(".pane select >> nth=1", "m-q2_0")
    await page.waitForSelector(".output .objected")
    const marked = await page.textContent(".output .objected")
    const reason = await page.textContent(".objections li .foreign")
    expect(reason).toBe(`no passage says "${marked?.replace(/\d$/, "")}"`)
    expect(await violations(page, "all", ".pane")).toEqual([])
    expect(watched.problems).toEqual([])
    await close()
  })

  it("calls a metric by its title in the pane of a sample and in the filters", async () => {
    const input = syntheticInput({ samples: 20 })
    const [first, ...others] = input.report.metrics
    const titled = {
      ...input,
      report: { ...input.report, metrics: [{ ...first!, title: "right as written" }, ...others] },
    }
    const { page, close } = await shared.open(await pageFile(titled, join(shared.folder(), "titled.html")))
    await page.click(".sample-space .sample-row >> nth=0")
    await page.waitForSelector(".pane .scores")
    expect(await page.textContent(".pane .scores dt >> nth=0")).toBe("right as written")
    expect(await page.locator(".more-filters option", { hasText: "right as written" }).count()).toBe(1)
    await close()
  })

  it("says in a line what an address asks for that is not there, and goes on without it", async () => {
    const { page, watched, close } = await shared.open(
      `${url()}#sample=nowhere&left=nobody&chip=wrong&x=exact_match&candidate=nobody`,
    )
    await page.waitForSelector("#unknown-in-address >> text=nowhere")
    expect(await page.textContent("#unknown-in-address")).toBe(
      'The address of this page asks for something that this report does not have: sample "nowhere", variant "nobody". go on without it',
    )
    // One figure on both axes is no picture: another one is across.
    expect(await page.locator("#frontier").isVisible()).toBe(true)
    expect(await page.locator("#pair select >> nth=0").inputValue()).not.toBe("nobody")
    expect(await violations(page, "all", "#unknown-in-address")).toEqual([])
    await page.focus("#unknown-in-address button")
    await page.keyboard.press("Enter")
    await page.waitForSelector("#unknown-in-address", { state: "detached" })
    expect(new URL(page.url()).hash).toBe("#chip=wrong&x=exact_match")
    await page.click(".sample-space .sample-row >> nth=0")
    await page.waitForSelector(".pane .output")
    expect(await page.locator("#unknown-in-address").count()).toBe(0)
    expect(watched.problems).toEqual([])
    await close()
  })

  it("lists the variants that a reader chooses among many, by the keyboard, kept in its address", async () => {
    const more = syntheticVariants.map((variant) => ({ ...variant, name: `${variant.name}-tuned` }))
    const input = syntheticInput({ samples: 20, variants: [...syntheticVariants, ...more] })
    const { page, watched, close } = await shared.open(await pageFile(input, join(shared.folder(), "many.html")))
    const heads = () => page.$$eval(".sample-row.head .value", (all) => all.map((entry) => entry.getAttribute("title")))
    expect(await heads()).toHaveLength(8)
    expect(await heads()).not.toContain("hosted-70b-tuned")
    await page.focus("text=variants in the list (8 of 12)")
    await page.keyboard.press("Enter")
    const box = (name: string) => page.getByRole("checkbox", { name, exact: true })
    expect(await box("hosted-70b-tuned").isDisabled()).toBe(true)
    await box("m-q8_0").focus()
    await page.keyboard.press("Space")
    await box("hosted-70b-tuned").focus()
    await page.keyboard.press("Space")
    const chosen = await heads()
    expect(chosen).toHaveLength(8)
    expect(chosen).toContain("hosted-70b-tuned")
    expect(chosen).not.toContain("m-q8_0")
    // Each column has the answers of its own variant.
    const last = input.report.variants.findIndex(({ name }) => name === "hosted-70b-tuned")
    // A narrow list keeps the end of an id: ids begin alike.
    await page.setViewportSize({ width: 400, height: 900 })
    const isEndShown = await page.$eval(".sample-space .id", (cell) => {
      const text = cell.firstElementChild?.firstChild as Text
      const range = document.createRange()
      range.setStart(text, text.length - 3)
      range.setEnd(text, text.length)
      return range.getBoundingClientRect().right <= cell.getBoundingClientRect().right + 1
    })
    expect(isEndShown).toBe(true)
    await page.setViewportSize({ width: 1280, height: 900 })
    const marks = await page.$$eval(".sample-space .sample-row", (rows) =>
      rows.slice(0, 8).map((row) => row.querySelector(".value:last-child .hidden")?.textContent),
    )
    expect(marks).toEqual(await scoresOf(input, last, marks.length))
    expect(await violations(page, "all", "#samples")).toEqual([])
    expect(page.url()).toContain("listed=")
    await page.reload()
    await page.waitForSelector(".sample-space .sample-row")
    await page.waitForFunction(
      () => document.querySelectorAll('.sample-row.head [title="hosted-70b-tuned"]').length === 1,
    )
    expect(await heads()).toEqual(chosen)
    await page.click("text=variants in the list (8 of 12)")
    await page.click(".listed >> text=as at first")
    expect(page.url()).not.toContain("listed=")
    expect(watched.problems).toEqual([])
    await close()
  })

  it("searches all texts and walks the rows by the keyboard", async () => {
    const { page, watched, close } = await shared.open(url())
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
    const { page, watched, close } = await shared.open(url())
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
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("pane")
    const walk = async (key: "j" | "k", places: readonly number[]) => {
      for (const index of places) {
        await page.keyboard.press(key)
        const id = `sample-${String(index).padStart(5, "0")}`
        await page.waitForFunction((text) => document.querySelector(".pane h3")?.textContent === text, id)
      }
    }
    await walk(
      "j",
      Array.from({ length: 16 }, (_, i) => 4 + i),
    )
    const inView = () =>
      page.evaluate(() => {
        const [frame, row] = [".sample-frame", ".sample-row.chosen"].map((text) =>
          document.querySelector(text)?.getBoundingClientRect(),
        )
        return frame && row ? row.top >= frame.top - 1 && row.bottom <= frame.bottom + 1 : false
      })
    await page.waitForFunction(() =>
      document.querySelector(".sample-row.chosen")?.textContent?.includes("sample-00019"),
    )
    expect(await inView()).toBe(true)
    await walk(
      "k",
      Array.from({ length: 16 }, (_, i) => 18 - i),
    )
    expect(await inView()).toBe(true)
    await page.keyboard.press("k")
    await page.click(".steps >> text=previous")
    await page.waitForFunction(() => document.querySelector(".pane h3")?.textContent === "sample-00001")
    await page.focus("#samples input[type=search]")
    await page.keyboard.type("jk")
    expect(page.url()).toContain("sample=sample-00001")
    await page.focus(".pane")
    await page.keyboard.press("Escape")
    await page.waitForSelector(".pane", { state: "detached" })
    expect(page.url()).not.toContain("sample=")
    // The keyboard goes on in the list, not at the top of the page.
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("sample-frame")
    expect(watched.problems).toEqual([])
    await close()
  })

  it("brings the sample that was clicked into view on a narrow screen", async () => {
    const { page, close } = await shared.open(url(), { viewport: { width: 400, height: 800 } })
    await page.click(".sample-space .sample-row >> nth=4")
    await page.waitForFunction(() => document.activeElement?.className === "pane")
    const box = await page.locator(".pane").boundingBox()
    expect(box?.y).toBeLessThan(700)
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(100)
    await close()
  })

  it("shows the answers of all variants side by side, each against one of them", async () => {
    const { page, watched, close } = await shared.open(`${url()}#sample=sample-00010&view=all`)
    await page.waitForSelector(".pane .output")
    expect(await page.$$(".pane .answer-pane")).toHaveLength(6)
    expect(await page.$$(".pane .answer-pane >> nth=0 >> mark")).toHaveLength(0)
    expect((await page.$$(".pane .answer-pane mark")).length).toBeGreaterThan(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280)
    expect(await violations(page, "all", ".pane")).toEqual([])
    await page.selectOption(".pane select >> nth=0", "m-q2_0")
    expect(page.url()).toContain("left=m-q2_0")
    expect(await page.textContent(".pane .answer-pane >> nth=0")).toContain("m-q2_0")
    expect(watched.problems).toEqual([])
    await close()
  })

  it("narrows the list to answers of a variant, an outcome, a range of values and lengths, kept in its address", async () => {
    const { page, watched, close } = await shared.open(url())
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

  it("says of a text that shows nothing that it does, and of a cut one that it was cut and where the whole is", async () => {
    const { report, samples } = syntheticInput({ samples: 3 })
    const texts = ["", " \n\t", `${"a line of a long answer\n".repeat(300)}its end`]
    const odd: ReportInput = {
      report,
      async *samples() {
        for await (const sample of samples()) {
          const text = texts.shift() as string
          const answers = sample.answers.map((answer) => ({ ...answer, generation: { ...answer.generation, text } }))
          yield { sample: { ...sample.sample, input: text, references: [text] }, answers }
        }
      },
    }
    const address = await pageFile(odd, `${shared.folder()}/odd-texts.html`)
    const { page, watched, close } = await shared.open(`${address}#sample=sample-00000`)
    const unseen = () =>
      page.$$eval(".pane :is(.block, .output) .unknown", (all) => all.map((entry) => entry.textContent))
    await page.waitForSelector(".pane .output")
    expect(await unseen()).toEqual(Array(4).fill("no text"))
    expect(await page.getByText("Long texts are cut").count()).toBe(0)
    await page.keyboard.press("j")
    await page.waitForFunction(() => document.querySelector(".pane h3")?.textContent === "sample-00001")
    expect(await unseen()).toEqual(Array(4).fill("only white space"))
    await page.keyboard.press("j")
    await page.waitForFunction(() => document.querySelector(".pane h3")?.textContent === "sample-00002")
    expect(await page.textContent(".pane > .note")).toMatch(
      /^Long texts are cut at \u2026 here: .* report --full-texts /,
    )
    await page.keyboard.press("Escape")
    await page.waitForSelector(".pane", { state: "detached" })
    expect(await page.$$eval(".sample-row .input", (all) => all.slice(0, 2).map((entry) => entry.textContent))).toEqual(
      ["no text", "only white space"],
    )
    expect(watched.problems).toEqual([])
    await close()
  })
})
