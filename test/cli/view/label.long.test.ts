import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { main } from "../../../src/cli/main.ts"
import type { HumanLabel } from "../../../src/core/report/section-judge.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { takeWriterLock } from "../../../src/store/writer-lock.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { hostileTexts } from "../../support/hostile-texts.ts"
import { isNightly } from "../../support/nightly.ts"
import { ensurePage } from "../../support/page.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { seedJudgedStore } from "./judged-store.ts"
import { type RunningView, startView } from "./world.ts"

const cwd = scratchDirectory()

async function* press(keys: string): AsyncGenerator<string> {
  yield* keys
}

/** Labels in a terminal. */
async function inTerminal(directory: string, run: string, keys: string, args: readonly string[]): Promise<string> {
  const io = fakeIo({ cwd, keys: () => press(keys) })
  expect(await main(["label", run, "--directory", directory, ...args], io)).toBe(0)
  return io.stdout()
}

function labelsOf(directory: string, run: string): readonly HumanLabel[] {
  const store = openRunStore(directory, { readonly: true })
  try {
    return store.labels(run)
  } finally {
    store.close()
  }
}

const withoutTime = (labels: readonly HumanLabel[]) => labels.map(({ at: _, ...rest }) => rest)

/** Labels in the browser as its forms do: the buttons of these keys, and s. Returns the texts of the pages. */
async function inBrowser(
  view: RunningView,
  run: string,
  fields: Readonly<Record<string, string>>,
  keys: string,
): Promise<readonly string[]> {
  const begun = await view.post(`label/${run}`, fields)
  expect(begun.status).toBe(303)
  const pages: string[] = []
  let url = String(begun.headers.location)
  for (const key of keys) {
    const { text } = await view.get(url)
    pages.push(text)
    if (key === "s") url = /href="([^"]+)" data-key="s"/.exec(text)?.[1] as string
    else {
      const form = /name="form" value="([^"]+)"/.exec(text)?.[1] as string
      const chosen = new RegExp(`name="key" value="(\\d)" data-key="${key}"`).exec(text)?.[1] as string
      const said = await view.post(url, { form, key: chosen })
      expect(said.status).toBe(303)
      url = String(said.headers.location)
    }
  }
  pages.push((await view.get(url)).text)
  return pages
}

describe("labelling in the browser", () => {
  const directories = { web: join(cwd, "web"), terminal: join(cwd, "terminal") }
  const runs = { web: "", terminal: "" }
  let view: RunningView

  beforeAll(async () => {
    await ensurePage()
    runs.web = await seedJudgedStore(directories.web)
    runs.terminal = await seedJudgedStore(directories.terminal)
    view = await startView(cwd, ["--directory", directories.web])
  }, 60_000)

  afterAll(() => view?.close())

  it("shows the same answers in the same order as evalkit label, blind, and leaves the same rows", async () => {
    const wish = { labeller: "ann", by: "doubt", limit: "4", scores: "0,0.5,1" }
    const pages = await inBrowser(view, runs.web, wish, "13s2")
    const out = await inTerminal(directories.terminal, runs.terminal, "13s2", [
      "--labeller",
      "ann",
      "--limit",
      "4",
      "--scores",
      "0,0.5,1",
    ])
    const shown = [...out.matchAll(/answer:\n(.+)/g)].map(([, text]) => text)
    expect(
      pages
        .slice(0, 4)
        .map((page) => /<h2>answer<\/h2><div class="answered"><pre class="foreign">([^<]*)/.exec(page)?.[1]),
    ).toEqual(shown)
    for (const page of pages) expect(page).not.toMatch(/variant-one|variant-two|model-|lenient|strict/)
    expect(pages[0]).toContain("<h1>Answer 1 of 4</h1>")
    expect(pages[0]).toContain('data-key="1"')
    expect(pages[4]).toContain("3 labels saved")
    expect(withoutTime(labelsOf(directories.web, runs.web))).toEqual(
      withoutTime(labelsOf(directories.terminal, runs.terminal)),
    )
    expect(labelsOf(directories.web, runs.web)).toHaveLength(3)
  })

  it("goes back to the answer before, and the later label takes the place of the earlier", async () => {
    const begun = await view.post(`label/${runs.web}`, { labeller: "undoer", by: "chance", limit: "2", scores: "0,1" })
    const url = String(begun.headers.location)
    const { text } = await view.get(url)
    const form = /name="form" value="([^"]+)"/.exec(text)?.[1] as string
    const second = await view.get(String((await view.post(url, { form, key: "1" })).headers.location))
    const back = /href="([^"]+)" data-key="u"/.exec(second.text)?.[1] as string
    expect(back).toBe(url)
    expect((await view.get(back)).text).toContain("you said 0 here")
    await view.post(back, { form, key: "2" })
    const own = labelsOf(directories.web, runs.web).filter(({ labeller }) => labeller === "undoer")
    expect(own).toMatchObject([{ score: 1, drawn: "chance" }])
    expect((await view.post(url, { form, key: "3" })).status).toBe(400)
    expect((await view.post(url.replace(/\d+$/, "7"), { form, key: "1" })).status).toBe(404)
    expect((await view.get(`label/${runs.web}/unknown-session1/0`)).text).toContain("the labelling session has ended")
  })

  it("by two people, each by a policy: rows and agreement are those of the terminal", {
    skip: !isNightly,
  }, async () => {
    const wish = { by: "chance", limit: "24", scores: "0,1", policy: "plain" }
    const args = ["--by", "chance", "--limit", "24", "--scores", "0,1", "--policy", "plain"]
    for (const [labeller, keys] of [
      ["bea", "1".repeat(20) + "0".repeat(4)],
      ["cem", `${"0".repeat(3) + "1".repeat(17)}0011`],
    ] as const) {
      await inBrowser(view, runs.web, { ...wish, labeller }, keys)
      await inTerminal(directories.terminal, runs.terminal, keys, [...args, "--labeller", labeller])
    }
    const of = (directory: string, run: string) =>
      withoutTime(labelsOf(directory, run)).filter(({ policy }) => policy === "plain")
    expect(of(directories.web, runs.web)).toEqual(of(directories.terminal, runs.terminal))
    expect(of(directories.web, runs.web)).toHaveLength(48)

    const { text } = await view.get(`label/${runs.web}`)
    const row = /bea and cem<\/th>(.*?)<\/tr>/.exec(text)?.[1] ?? ""
    const cells = [...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell)
    // By hand: 19 of 24 equal; 20 and 17 + 2 times "1": chance agrees in (20·19 + 4·5) / 576 = 0.6944.
    expect(cells[0]).toBe("24")
    expect(cells[1]).toContain("0.792")
    const kappa = (19 / 24 - 400 / 576) / (1 - 400 / 576)
    expect(cells[2]).toContain(kappa.toPrecision(3))
    const io = fakeIo({ cwd })
    expect(
      await main(
        [
          "judge",
          "validate",
          "--run",
          runs.terminal,
          "--directory",
          directories.terminal,
          "--policy",
          "plain",
          "--json",
        ],
        io,
      ),
    ).toBe(0)
    const { people } = JSON.parse(io.stdout()) as { people: { alpha: number } }
    expect(cells[3]).toContain(people.alpha.toPrecision(3))
  })

  it("the last word sees what others said, and is a row of its own", { skip: !isNightly }, async () => {
    const pages = await inBrowser(
      view,
      runs.web,
      { labeller: "chief", adjudicate: "yes", policy: "plain", scores: "0,1" },
      "1",
    )
    expect(pages[0]).toMatch(/bea: [01]/)
    expect(labelsOf(directories.web, runs.web).filter(({ role }) => role === "last_word")).toMatchObject([
      { labeller: "chief", score: 1, policy: "plain" },
    ])
  })

  it("says so while a run writes to the store, and loses nothing else", async () => {
    const begun = await view.post(`label/${runs.web}`, { labeller: "late", by: "doubt", limit: "2", scores: "0,1" })
    const url = String(begun.headers.location)
    const form = /name="form" value="([^"]+)"/.exec((await view.get(url)).text)?.[1] as string
    const lock = takeWriterLock(directories.web)
    try {
      const refused = await view.post(url, { form, key: "1" })
      expect(refused.status).toBe(409)
      expect(refused.text).toContain("the store is being written by another process")
    } finally {
      lock.release()
    }
    expect((await view.post(url, { form, key: "1" })).status).toBe(303)
  })

  it("shows every hostile text as a text, and takes no field that is too long", {
    skip: !isNightly,
    timeout: 60_000,
  }, async () => {
    const directory = join(cwd, "hostile")
    const run = await seedJudgedStore(directory, (sampleId, variant) =>
      hostileTexts
        .slice(Number(sampleId.slice(1)) * 9 + (variant === "x" ? 0 : 110))
        .slice(0, 9)
        .join("\n"),
    )
    const hostile = await startView(cwd, ["--directory", directory])
    try {
      const name = "<img src=x onerror=window.__owned=1>"
      const pages = await inBrowser(
        hostile,
        run,
        { labeller: name, by: "chance", limit: "24", scores: "0,1" },
        "1".repeat(24),
      )
      for (const page of pages) {
        const body = page.slice(page.indexOf("<main"), page.indexOf("</main>"))
        expect(
          body.replace(/<\/?(?:main|section|h1|h2|p|progress|div|pre|form|input|button|kbd|a|code)\b/g, ""),
        ).not.toMatch(/<[a-z!/]/i)
      }
      expect((await hostile.get(`label/${run}`)).text).not.toContain("<img")
      const wrong: readonly Record<string, string>[] = [
        { labeller: "x".repeat(200) },
        { labeller: "" },
        { labeller: "ann", limit: "0" },
        { labeller: "ann", by: "magic" },
        { labeller: "ann", scores: "a,b" },
      ]
      for (const fields of wrong) expect([400, 404]).toContain((await hostile.post(`label/${run}`, fields)).status)
    } finally {
      await hostile.close()
    }
  })
})
