import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { main } from "../../../src/cli/main.ts"
import { sealed, wholeArchive } from "../../store/archive/archive-support.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const archive = await wholeArchive()

async function evalkit(cwd: string, ...argv: string[]) {
  const io = fakeIo({ cwd })
  const code = await main(argv, io)
  return { code, out: io.stdout(), err: io.stderr() }
}

/** A config that leaves a file behind when it is run; it names a gate and a report of its own. */
function withConfig(): { cwd: string; path: string; ran: () => boolean } {
  const cwd = scratchDirectory()
  const path = join(cwd, "other", "eval.config.ts")
  const mark = join(cwd, "ran")
  mkdirSync(join(cwd, "other"))
  writeFileSync(
    path,
    `import { writeFileSync } from "node:fs"
writeFileSync(${JSON.stringify(mark)}, "")
export default {
  gate: [{ figure: "availability", min: 0.1 }],
  reports: [{ name: "own", extension: "txt", binary: false, render: (_input, write) => write("in my own words") }],
}
`,
  )
  return { cwd, path, ran: () => existsSync(mark) }
}

/** The archive with this path as that of its config. */
function naming(path: string): string[] {
  const [run = "", ...rest] = archive.slice(0, -1)
  const line = JSON.parse(run)
  return sealed([JSON.stringify({ ...line, record: { ...line.record, configPath: path } }), ...rest])
}

const commands = [
  ["gate", "run1"],
  ["compare", "run1:a", "run1:a"],
  ["report", "run1", "--format", "own"],
  ["export", "run1", "--format", "own"],
  ["show", "run1"],
  ["score", "run1"],
  ["run", "--resume", "run1"],
]

describe("a config that an imported run names", () => {
  it("is run by no command: it would be a program of somebody else", async () => {
    const { cwd, path, ran } = withConfig()
    writeFileSync(join(cwd, "a.jsonl"), `${naming(path).join("\n")}\n`)
    expect((await evalkit(cwd, "import", "a.jsonl")).code).toBe(0)
    for (const argv of commands) {
      await evalkit(cwd, ...argv)
      expect(ran(), argv.join(" ")).toBe(false)
    }
    expect((await evalkit(cwd, "import", "a.jsonl")).out).toMatch(/in the store already, with the same content/)
  })

  it("is run where the user names it", async () => {
    const { cwd, path, ran } = withConfig()
    writeFileSync(join(cwd, "a.jsonl"), `${naming(path).join("\n")}\n`)
    await evalkit(cwd, "import", "a.jsonl")
    const { code, err } = await evalkit(cwd, "gate", "run1")
    expect(code).toBe(2)
    expect(err).toMatch(/there is no rule to check.*--config/s)
    expect(await evalkit(cwd, "gate", "run1", "--config", "other/eval.config.ts")).toMatchObject({
      out: expect.stringMatching(/availability/i),
      err: "",
    })
    expect(ran()).toBe(true)
    const shown = await evalkit(cwd, "report", "run1", "--format", "own", "--config", path)
    expect(shown).toMatchObject({ code: 0, out: "in my own words" })
    expect((await evalkit(cwd, "gate", "run1", "--config", "gone.ts")).err).toMatch(/there is no such config/)
  })
})

it("is not in an archive: a path tells of the machine", async () => {
  const cwd = scratchDirectory()
  writeFileSync(join(cwd, "data.jsonl"), '{"id":"s","input":"q","reference":"x"}\n')
  writeFileSync(join(cwd, "answers.jsonl"), '{"id":"s","text":"x"}\n')
  writeFileSync(
    join(cwd, "eval.config.ts"),
    `import { exactMatch, recorded, variant } from "evalkit"
export default {
  dataset: "data.jsonl",
  variants: [variant({ name: "a", provider: recorded(new URL("answers.jsonl", import.meta.url)) })],
  metrics: [exactMatch()],
  gate: [{ figure: "exactMatch", min: 0.1 }],
}
`,
  )
  expect((await evalkit(cwd, "run", "--no-html")).code).toBe(0)
  expect((await evalkit(cwd, "gate")).code).toBe(0)
  await evalkit(cwd, "export", "--format", "archive", "--out", "a.jsonl")
  expect(readFileSync(join(cwd, "a.jsonl"), "utf8")).not.toContain("eval.config.ts")
  expect((await evalkit(cwd, "import", "a.jsonl")).out).toMatch(/in the store already, with the same content/)
})
