import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { commandTable } from "../../src/cli/command-table.ts"
import { questionText } from "../../src/cli/init/init.ts"
import { main } from "../../src/cli/main.ts"
import { runCli } from "../support/cli.ts"
import { fakeIo } from "../support/fake-io.ts"
import { scratchDirectory } from "../support/scratch.ts"

describe("evalkit", () => {
  it("shows every command in its help", async () => {
    const io = fakeIo({ cwd: scratchDirectory() })
    expect(await main(["--help"], io)).toBe(0)
    for (const { usage, describe } of commandTable) {
      expect(io.stdout()).toContain(usage)
      expect(io.stdout()).toContain(describe)
    }
    expect(
      Math.max(
        ...io
          .stdout()
          .split("\n")
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(100)
  })

  it("loads no package and no command for its help", async () => {
    const coverage = scratchDirectory()
    const { code } = await runCli(["--help"], { cwd: coverage, environment: { NODE_V8_COVERAGE: coverage } })
    expect(code).toBe(0)
    const loaded = readdirSync(coverage)
      .flatMap(
        (file) => (JSON.parse(readFileSync(join(coverage, file), "utf8")) as { result: { url: string }[] }).result,
      )
      .map(({ url }) => url)
      .filter((url) => url.startsWith("file:"))
    expect(loaded.some((url) => url.endsWith("src/cli/bin.js"))).toBe(true)
    const bytes = loaded.reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0)
    expect(bytes).toBeLessThan(45_000) // a command with what it needs is ten times as large
  })

  it("gives every command a help with an example", async () => {
    for (const { usage } of commandTable) {
      const io = fakeIo({ cwd: scratchDirectory() })
      const [name = ""] = usage.split(" ")
      expect(await main([name, "--help"], io), name).toBe(0)
      expect(io.stdout(), name).toContain("Examples:")
    }
  })

  it.each([60, 80, 100])("shows the examples so that they can be copied at %i columns", async (columns) => {
    for (const { usage } of commandTable) {
      const io = fakeIo({ cwd: scratchDirectory() })
      const [name = ""] = usage.split(" ")
      await main([name, "--help"], { ...io, columns })
      const examples = io.stdout().slice(io.stdout().indexOf("Examples:")).trimEnd().split("\n").slice(1)
      const lines = examples.filter((line) => !line.startsWith("      "))
      for (const [i, line] of lines.entries()) {
        const goesOn = i > 0 && lines[i - 1]?.endsWith(" \\")
        expect(line).toMatch(goesOn ? /^ {4}\S/ : /^ {2}(evalkit|npx evalkit|\S+ ?[|&]?) /)
        // The words that say what it is for are never beside it.
        expect(line).not.toMatch(/\S {2,}\S/)
      }
    }
  })

  it("shows the help of a command that is named behind help", async () => {
    const cwd = scratchDirectory()
    const [asked, usual, wrong] = [fakeIo({ cwd }), fakeIo({ cwd }), fakeIo({ cwd })]
    expect(await main(["help", "runs"], asked)).toBe(0)
    await main(["runs", "--help"], usual)
    expect(asked.stdout()).toBe(usual.stdout())
    expect(asked.stdout()).toContain("evalkit runs")
    expect(await main(["help", "rnu"], wrong)).toBe(2)
    expect(wrong.stderr()).toContain('there is no command "rnu"; did you mean run?')
  })

  it("names a near command for a wrong one and ends with 2", async () => {
    const io = fakeIo({ cwd: scratchDirectory() })
    expect(await main(["rnu"], io)).toBe(2)
    expect(io.stderr()).toBe('evalkit: there is no command "rnu"; did you mean run? all commands: npx evalkit --help\n')
  })

  it("names a wrong option and ends with 2", async () => {
    const io = fakeIo({ cwd: scratchDirectory() })
    expect(await main(["runs", "--colour"], io)).toBe(2)
    expect(io.stderr()).toContain("there is no option --colour: npx evalkit runs; see: npx evalkit runs --help")
  })

  it("shows a percentage as the share that an option takes", async () => {
    const io = fakeIo({ cwd: scratchDirectory() })
    expect(await main(["compare", "a.jsonl", "b.jsonl", "--margin", "5%"], io)).toBe(2)
    expect(io.stderr()).toContain('--margin takes a number, not "5%": npx evalkit compare; write --margin 0.05; see')
    // Of a count no share can be meant.
    expect(await main(["run", "--limit", "50%"], io)).toBe(2)
    expect(io.stderr()).toContain('--limit takes a number, not "50%": npx evalkit run; write --limit 5; see')
    expect(await main(["compare", "a.jsonl", "b.jsonl", "--margin=wide"], io)).toBe(2)
    expect(io.stderr()).toContain('--margin takes a number, not "wide": npx evalkit compare; write --margin 5; see')
  })

  it.each([
    ["compare", "a", "b", "--alpha"],
    ["compare", "a", "b", "--smallest-gain"],
    ["run", "--margin"],
    ["run", "--batch", "--live-share"],
    ["frontier", "rows.jsonl", "--alpha"],
    ["judge", "validate", "--alpha"],
    ["plan", "--difference"],
    ["plan", "--difference", "0.05", "--flips"],
    ["plan", "--difference", "0.05", "--alpha"],
    ["plan", "--difference", "0.05", "--power"],
    ["bench", "--availability-target"],
    ["bench", "--shared-prefix"],
    ["watch", "--target"],
  ])("shows a percentage as a share: %s %s %s %s", async (...argv) => {
    const io = fakeIo({ cwd: scratchDirectory() })
    expect(await main([...argv, "12.5%"], io)).toBe(2)
    expect(io.stderr()).toContain(`write ${argv.at(-1)} 0.125; see`)
  })

  it("lists the examples where none is named, as its messages advise", async () => {
    const io = fakeIo({ cwd: scratchDirectory() })
    expect(await main(["init", "--example"], io)).toBe(0)
    expect(io.stdout()).toContain("hosted-a-or-b")
    expect(io.stderr()).toBe("")
  })

  it("says what to do where there are no runs", async () => {
    const io = fakeIo({ cwd: scratchDirectory() })
    expect(await main(["show"], io)).toBe(2)
    expect(io.stderr()).toBe(
      `evalkit: there are no runs yet: looked in ${join(io.cwd, ".evalkit")}; make one with: npx evalkit run; a store elsewhere is named with --directory FOLDER\n`,
    )
  })

  it("makes no store to say that there are no runs to change", async () => {
    for (const line of [
      ["tag", "x", "y"],
      ["note", "x", "y"],
      ["rm", "x", "--yes"],
    ]) {
      const io = fakeIo({ cwd: scratchDirectory() })
      expect(await main(line, io)).toBe(2)
      expect(io.stderr()).toContain(`there are no runs yet: looked for x in ${join(io.cwd, ".evalkit")};`)
      expect(readdirSync(io.cwd)).toEqual([])
    }
  })

  it("says that the store's folder is a file, and that a file is no store", async () => {
    const io = fakeIo({ cwd: scratchDirectory() })
    writeFileSync(join(io.cwd, "file"), "text")
    mkdirSync(join(io.cwd, "other"))
    writeFileSync(join(io.cwd, "other", "evalkit.db"), "this is no database, but long enough to be one".repeat(50))
    for (const command of ["runs", "show"]) expect(await main([command, "--directory", "file"], io)).toBe(2)
    expect(io.stderr().match(/the store's folder is a file: .*file; move it away, or name another/g)).toHaveLength(2)
    expect(await main(["runs", "--directory", "other"], io)).toBe(2)
    expect(io.stderr()).toContain(`this is no store of evalkit: ${join(io.cwd, "other", "evalkit.db")}; move it away`)
    expect(await main(["doctor", "--no-call", "--directory", "file"], io)).toBe(2)
    expect(io.stdout()).toMatch(/FAILED +store: .*file cannot be written/)
  })

  it("breaks no row of a table and no word of a question on a narrow screen", async () => {
    const io = fakeIo({ cwd: scratchDirectory() })
    const narrow = { ...io, takesBytes: false, columns: 60 }
    expect(await main(["prices", "gpt-4.1"], narrow)).toBe(0)
    expect(io.stdout()).toMatch(/^ {2}provider +model +input +cached +output/m)
    expect(
      Math.max(
        ...io
          .stdout()
          .split("\n")
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(60)
    expect(io.stdout()).not.toMatch(/^ {4}/m)
    const asked = questionText("Provider (openai, anthropic-compatible, gemini, llama.cpp, ollama)", "openai", 40)
    expect(asked.split("\n")).toEqual([
      "Provider (openai, anthropic-compatible,",
      "  gemini, llama.cpp, ollama) [openai]:",
    ])
  })

  it("says that a file is not there, not that its format is unknown", async () => {
    const io = fakeIo({ cwd: scratchDirectory() })
    expect(await main(["judge", "validate", "labels"], io)).toBe(2)
    expect(io.stderr()).toBe(`evalkit: there is no such data file: labels; looked at ${join(io.cwd, "labels")}\n`)
  })

  it("asks what was meant without a semicolon behind the question", async () => {
    const io = fakeIo({ cwd: scratchDirectory() })
    expect(await main(["run", "--limt", "5"], io)).toBe(2)
    expect(io.stderr()).toBe(
      "evalkit: there is no option --limt: npx evalkit run; did you mean --limit? see: npx evalkit run --help\n",
    )
  })

  it("says that a word to score is neither a run nor a file", async () => {
    const io = fakeIo({ cwd: scratchDirectory() })
    expect(await main(["score", "newest"], io)).toBe(2)
    expect(io.stderr()).toBe("evalkit: there is no such run or file: newest; list the runs with: npx evalkit runs\n")
  })

  it("prints its version", async () => {
    const io = fakeIo({ cwd: scratchDirectory() })
    expect(await main(["--version"], io)).toBe(0)
    expect(io.stdout()).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})
