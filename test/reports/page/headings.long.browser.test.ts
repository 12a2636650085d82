import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { benchHtml } from "../../../reports/bench/html.ts"
import { main } from "../../../src/cli/main.ts"
import { seedJudgedStore } from "../../cli/view/judged-store.ts"
import { sharedBrowser } from "../../support/browser/shared-browser.ts"
import { chromiumPath, warnWithoutChromium } from "../../support/browser.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { pageFile } from "../../support/page.ts"
import { pageOfConfig } from "../../support/pages/example-page.ts"
import { sweptBench } from "../../support/pages/swept-bench.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { type SyntheticVariant, syntheticVariants } from "../../support/synthetic/answers.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"
import { type PageHeading, pageHeadings } from "./page-headings.tsx"

warnWithoutChromium()

const root = fileURLToPath(new URL("../../..", import.meta.url))
const twelve = [0, 1].flatMap((copy) =>
  syntheticVariants.map((one): SyntheticVariant => ({ ...one, name: copy === 0 ? one.name : `${one.name}-tuned` })),
)

/** The page of an example, run as it is with a few samples. */
const exampleOf = (name: string, folder: string, limit: number) =>
  pageOfConfig(`examples/${name}/eval.config.ts`, folder, limit)

/** How each page is made; it gives the path of the file. */
const pages: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  "npm start\u2019s first run": (folder) => exampleOf("tiny-agent", folder, 8),
  "int8 and int4 of one model": (folder) => exampleOf("quantization", folder, 12),
  "an agent\u2019s episodes": (folder) => exampleOf("booking-agent", folder, 12),
  "retrieval-augmented answers": (folder) => exampleOf("rag", folder, 12),
  "a pipeline": (folder) => exampleOf("pipeline", folder, 12),
  "two hosted models": (folder) => exampleOf("hosted-a-or-b", folder, 20),
  "a section of every kind": async (folder) => {
    const path = join(folder, "every-kind.html")
    await pageFile(syntheticInput({ samples: 60 }), path)
    return path
  },
  "twelve variants": async (folder) => {
    const path = join(folder, "twelve.html")
    await pageFile(syntheticInput({ samples: 60, variants: twelve }), path)
    return path
  },
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

const plain = (text: string) => text.replace(/[`\s]+/g, " ").trim()

/** What `evalkit explain NAME` prints; empty where it knows no such name. */
const answers = new Map<string, Promise<string>>()
function explained(name: string): Promise<string> {
  const known = answers.get(name)
  if (known) return known
  const io = fakeIo({ cwd: root })
  const asked = main(["explain", name], io).then((code) => (code === 0 ? plain(io.stdout()) : ""))
  answers.set(name, asked)
  return asked
}

describe.skipIf(!chromiumPath)("every heading of a page", { timeout: 180_000 }, () => {
  const shared = sharedBrowser()

  it.each(Object.keys(pages))("is explained inside of the file, as evalkit explain explains it: %s", async (name) => {
    const path = await (pages[name] as (folder: string) => Promise<string>)(shared.folder())
    const page = await shared.browser().newPage({ viewport: { width: 1280, height: 900 } })
    await page.goto(`file://${path}`)
    if ((await readFile(path, "utf8")).includes('<script type="module">')) {
      await page.waitForSelector("html[data-ready]")
      await page.waitForSelector(".sample-space .sample-row")
    }
    const { headings, names } = await page.evaluate(pageHeadings)
    expect(headings.length).toBeGreaterThan(20)
    const faults: string[] = []
    for (const heading of headings) {
      const fault = await faultOf(heading, new Set(names))
      if (fault !== null) faults.push(`${heading.text}: ${fault}`)
    }
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
    expect(await word.getAttribute("title")).toMatch(/^Quality against cost or speed/)
    const column = page.locator("#variants th [data-word=word-ttft]")
    await column.hover()
    expect(await column.getAttribute("title")).toMatch(/^Time from the sending of a request/)
    const axis = page.locator("[data-chart=ecdf] text.title >> nth=0")
    await axis.hover()
    expect(await axis.locator("title").textContent()).toMatch(/^Time from the sending of a request/)
    await word.focus()
    await page.keyboard.press("Enter")
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("word-section-frontier")
    expect(page.url()).toContain("#q=law")
    await page.close()
  })
})

/** What is wrong with how a heading is explained; null: nothing. */
async function faultOf(
  { text, own, word, title, said }: PageHeading,
  names: ReadonlySet<string>,
): Promise<string | null> {
  if (own !== null) return names.has(text) ? null : `is marked as a name of the run's own and is none`
  if (word === null) return "is not explained"
  if (said === null) return `leads to ${word}, which is not in the file`
  // What a metric of the run is, its own page says; a page that nobody wrote cannot be asked for.
  if (word.startsWith("word-metric-")) return null
  if (!(await explained(word.replace(/^word-/, ""))).includes(plain(said)))
    return `is explained otherwise by evalkit explain`
  if (title !== null && plain(title) !== plain(said)) return "has another text on hover"
  return null
}
