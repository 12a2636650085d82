import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { benchHtml } from "../../../reports/bench/html.ts"
import { main } from "../../../src/cli/main.ts"
import { seedJudgedStore } from "../../cli/view/judged-store.ts"
import { sharedBrowser, unfold } from "../../support/browser/shared-browser.ts"
import { chromiumPath, warnWithoutChromium } from "../../support/browser.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { type CliProcess, startCliProcess } from "../../support/one-process/cli-process.ts"
import { pageFile } from "../../support/page.ts"
import { exampleRun, pageOfRun } from "../../support/pages/example-run.ts"
import { sweptBench } from "../../support/pages/swept-bench.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"
import { explainedHeadings } from "./explained-headings.tsx"

warnWithoutChromium()

const root = fileURLToPath(new URL("../../..", import.meta.url))
/** How each page is made; it gives the path of the file. Those of npm start, of many variants and of every section: layout.long.browser.test.ts. */
const pages: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  "int8 and int4 of one model": () => exampleOf("quantization"),
  "an agent\u2019s episodes": () => exampleOf("booking-agent"),
  "retrieval-augmented answers": () => exampleOf("rag"),
  "a pipeline": () => exampleOf("pipeline"),
  "two hosted models": () => exampleOf("hosted-a-or-b"),
  "two judges who disagree": async (folder) => {
    const store = scratchDirectory()
    const run = await seedJudgedStore(store)
    const path = join(folder, "judged.html")
    const io = fakeIo({ cwd: root })
    expect(await main(["report", run, "--format", "html", "--output", path, "--directory", store], io)).toBe(0)
    return path
  },
  "a bench": async (folder) => {
    const path = join(folder, "bench.html")
    await writeFile(path, await benchHtml(await sweptBench(["tiny-s", "tiny-m"])))
    return path
  },
}

let evalkit: CliProcess | undefined
/** The page of an example, run as it is. */
const exampleOf = async (name: string) => {
  evalkit ??= startCliProcess({ cwd: root })
  return pageOfRun(await exampleRun(name, evalkit.run))
}
afterAll(() => evalkit?.end())

describe.skipIf(!chromiumPath)("every term that a page marks", { timeout: 180_000 }, () => {
  const shared = sharedBrowser()

  it.each(Object.keys(pages))("is explained inside of the file, as evalkit explain explains it: %s", async (name) => {
    const path = await (pages[name] as (folder: string) => Promise<string>)(shared.folder())
    const page = await shared.browser().newPage({ viewport: { width: 1280, height: 900 } })
    await page.goto(`file://${path}`)
    await unfold(page)
    if ((await readFile(path, "utf8")).includes('<script type="module">')) {
      await page.waitForSelector("html[data-ready]")
      await page.waitForSelector(".sample-space .sample-row")
    }
    const { count, faults } = await explainedHeadings(page)
    expect(count).toBeGreaterThan(5)
    expect(faults).toEqual([])
    await page.close()
  })

  it("shows its explanation on hover and on focus, and leads to it", async () => {
    const path = join(shared.folder(), "hover.html")
    await pageFile(syntheticInput({ samples: 60 }), path)
    const page = await shared.browser().newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" })
    await page.goto(`file://${path}#q=law`)
    await page.waitForSelector("html[data-ready]")
    const word = page.locator("#frontier h2 a")
    await word.hover()
    expect(await word.getAttribute("title")).toMatch(/^Variants that no other beats/)
    const column = page.locator("#variants th [data-word=word-ttft]")
    await column.hover()
    expect(await column.getAttribute("title")).toMatch(/^Time from the sending of a request/)
    const axis = page.locator("[data-chart=ecdf] text.title >> nth=0")
    await axis.hover()
    expect(await axis.locator("title").textContent()).toMatch(/^Time from the sending of a request/)
    await word.focus()
    await page.keyboard.press("Enter")
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("word-frontier")
    expect(page.url()).toContain("#q=law")
    await page.close()
  })
})
