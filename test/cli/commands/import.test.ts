import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { main } from "../../../src/cli/main.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { sealed, wholeArchive } from "../../store/archive/archive-support.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const archive = await wholeArchive()

async function evalkit(cwd: string, ...argv: string[]) {
  const io = fakeIo({ cwd })
  const code = await main(argv, io)
  return { code, out: io.stdout(), err: io.stderr() }
}

/** A folder with an archive of these lines. */
function withArchive(lines: readonly string[]): string {
  const cwd = scratchDirectory()
  writeFileSync(join(cwd, "a.jsonl"), `${lines.join("\n")}\n`)
  return cwd
}

describe("evalkit import", () => {
  it("reads what export wrote, answers with U+2028 included, and says when it is there already", async () => {
    const cwd = withArchive(archive)
    expect(await evalkit(cwd, "import", "a.jsonl")).toMatchObject({ code: 0, out: "run run1: 6 samples, 1 variant\n" })
    expect((await evalkit(cwd, "import", "a.jsonl")).out).toMatch(/in the store already, with the same content/)
    const { out } = await evalkit(cwd, "export", "run1", "--format", "archive")
    expect(out).toBe(`${archive.join("\n")}\n`)
    expect((await evalkit(cwd, "show", "run1")).code).toBe(0)
  })

  it("keeps nothing of a file that was cut off in a line, and takes the whole file next", async () => {
    const cwd = withArchive(archive)
    const whole = `${archive.join("\n")}\n`
    writeFileSync(join(cwd, "cut.jsonl"), whole.slice(0, whole.length / 2))
    const cut = await evalkit(cwd, "import", "cut.jsonl")
    expect(cut).toMatchObject({ code: 2, err: expect.stringMatching(/not JSON: cut\.jsonl:\d+/) })
    expect((await evalkit(cwd, "runs")).out).toMatch(/There are no runs yet/)
    expect((await evalkit(cwd, "import", "a.jsonl")).code).toBe(0)
  })

  it("makes no store for a file that is no log", async () => {
    const cwd = withArchive(archive)
    writeFileSync(join(cwd, "text.txt"), "nothing of ours\n")
    for (const file of ["text.txt", "missing.jsonl"]) {
      expect((await evalkit(cwd, "import", file)).code).toBe(2)
      expect(existsSync(join(cwd, ".evalkit"))).toBe(false)
    }
    mkdirSync(join(cwd, "kept"))
    expect((await evalkit(cwd, "import", "text.txt", "--directory", "kept")).code).toBe(2)
    expect(readdirSync(join(cwd, "kept"))).toEqual([])
    expect((await evalkit(cwd, "import", "a.jsonl", "text.txt")).code).toBe(5)
    expect((await evalkit(cwd, "show", "run1")).code).toBe(0)
    expect((await evalkit(cwd, "import", "text.txt")).code).toBe(2)
    expect((await evalkit(cwd, "show", "run1")).code).toBe(0)
  })

  it("says of a file that never was a log that it is none, and what import reads", async () => {
    const cwd = withArchive(archive)
    const others = {
      "one.json": '{"name":"x","version":"1.0.0"}',
      "several.json": '{\n  "kind": "Pod",\n  "metadata": {}\n}\n',
      "list.json": "[1, 2]",
      "rows.jsonl": '{"id":1,"output":"x"}\n{"id":2,"output":"y"}\n',
      "text.txt": "nothing of ours\n",
    }
    for (const [file, text] of Object.entries(others)) {
      writeFileSync(join(cwd, file), text)
      const { code, err } = await evalkit(cwd, "import", file)
      expect(code).toBe(2)
      expect(err).toMatch(
        new RegExp(
          `^evalkit: the file is no log that evalkit knows: ${file}; import reads archives; logs of lm-eval, .*Ragas, `,
        ),
      )
    }
    writeFileSync(join(cwd, "empty.json"), "")
    expect((await evalkit(cwd, "import", "empty.json")).err).toMatch(/^evalkit: the file is empty: empty\.json;/)
    // What begins as an archive is one that broke.
    writeFileSync(join(cwd, "broken.jsonl"), `${archive.slice(1).join("\n")}\n`)
    expect((await evalkit(cwd, "import", "broken.jsonl")).err).toMatch(/not a whole evalkit archive: the first line/)
  })

  it("says of rows that are no log where they go", async () => {
    const cwd = withArchive(archive)
    writeFileSync(join(cwd, "rows.csv"), "id,input,reference\na,x,y\n")
    const { code, err } = await evalkit(cwd, "import", "rows.csv")
    expect(code).toBe(2)
    expect(err).toMatch(/rows of your own need no import: .*evalkit score FILE, or .*evalkit compare A B/)
  })

  it("refuses a report that the published schema does not know, with its field", async () => {
    const lines = archive
      .slice(0, -1)
      .map((line) =>
        line.replace('"variants":[{"name":"a","model":"a","provider"', '"variants":[{"name":"a","model":7,"provider"'),
      )
    const report = lines.findLastIndex((line) => line.startsWith('{"kind":"report"'))
    const { code, err } = await evalkit(
      withArchive(sealed(lines.map((line, i) => (i === report ? line : (archive[i] as string))))),
      "import",
      "a.jsonl",
    )
    expect(code).toBe(2)
    expect(err).toMatch(new RegExp(`report\\.variants\\.0\\.model.*a\\.jsonl:${report + 1}`))
  })

  it("shows what a file says as plain text: no escape sequence of it reaches the terminal", async () => {
    const lines = sealed(
      archive.slice(0, -1).map((line) => line.replace('"variant":"a"', '"variant":"\\u001b[2J\u009bmb"')),
    )
    const { code, err } = await evalkit(withArchive(lines), "import", "a.jsonl")
    expect(code).toBe(2)
    expect(err).toMatch(/has no variant/)
    expect(err).not.toMatch(/[\u001b\u009b]/)
  })
})

describe("evalkit rm", () => {
  it("removes everything of a run, its reports too, and nothing of another run", async () => {
    const cwd = withArchive(archive)
    await evalkit(cwd, "import", "a.jsonl")
    const reports = join(cwd, ".evalkit", "reports")
    mkdirSync(reports)
    for (const name of ["run1.html", "run1.json", "run10.html"]) writeFileSync(join(reports, name), "")
    expect(await evalkit(cwd, "rm", "run1", "--yes")).toMatchObject({
      code: 0,
      out: "run run1 is removed, with 2 reports\n",
    })
    expect(existsSync(join(reports, "run1.html"))).toBe(false)
    expect(existsSync(join(reports, "run10.html"))).toBe(true)
    expect((await evalkit(cwd, "doctor", "--store")).out).toMatch(/orphans: every row belongs to a run/)
    expect((await evalkit(cwd, "import", "a.jsonl")).code).toBe(0)
  })

  it("does not remove a run when nobody can say yes", async () => {
    const cwd = withArchive(archive)
    await evalkit(cwd, "import", "a.jsonl")
    expect(await evalkit(cwd, "rm", "run1")).toMatchObject({ code: 2, err: expect.stringMatching(/add --yes/) })
    expect((await evalkit(cwd, "rm", "other", "--yes")).code).toBe(2)
    expect((await evalkit(cwd, "runs")).out).toMatch(/run1/)
  })
})

describe("evalkit doctor --store", () => {
  it("finds rows without a run and runs without a process, and puts them right", async () => {
    const cwd = withArchive(archive)
    await evalkit(cwd, "import", "a.jsonl")
    const store = openRunStore(join(cwd, ".evalkit"))
    store.saveEvent("gone", { at: "2026-01-01T00:00:00.000Z", kind: "resumed", data: {} })
    store.saveSamples("nobody", [...store.samples(store.run("run1")!.dataset.fingerprint)], 0)
    store.setStatus("run1", "running", null)
    store.close()

    const result = await evalkit(cwd, "doctor", "--store")
    expect(result.code).toBe(2)
    expect(result.out).toMatch(/FAILED {3}orphans: 1 row of events without a run; 6 samples of no run/)
    expect(result.out).toMatch(/FAILED {3}stuck runs: 1 run says that it is running/)

    expect((await evalkit(cwd, "doctor", "--store", "--repair")).code).toBe(0)
    expect((await evalkit(cwd, "doctor", "--store", "--json")).out).toMatch(/^{"ok":true/)
    expect((await evalkit(cwd, "runs")).out).toMatch(/run1.*stopped/)
  })

  it("says of a folder without a store that there is none, and of a file that is no store that it cannot be opened", async () => {
    const cwd = scratchDirectory()
    expect(await evalkit(cwd, "doctor", "--store")).toMatchObject({ code: 0, out: expect.stringMatching(/no store/) })
    mkdirSync(join(cwd, ".evalkit"))
    writeFileSync(join(cwd, ".evalkit", "evalkit.db"), "no database at all, whatever its name says ".repeat(50))
    expect(await evalkit(cwd, "doctor", "--store")).toMatchObject({
      code: 2,
      out: expect.stringMatching(/this is no store of evalkit/),
    })
  })
})
