import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { runCli } from "../../support/cli.ts"
import { scratchDirectory } from "../../support/scratch.ts"

let folder: string

beforeAll(async () => {
  folder = scratchDirectory()
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { defineConfig, exactMatch, inline, recorded, variant } from "evalkit"
export default defineConfig({
  dataset: inline([{ id: "a", input: "q", reference: "yes" }, { id: "b", input: "r", reference: "yes" }]),
  variants: ["x", "y"].map((name) => variant({ name, provider: recorded([{ id: "a", text: "yes" }, { id: "b", text: "no" }]) })),
  metrics: [exactMatch()],
})
`,
  )
  writeFileSync(join(folder, "outputs.jsonl"), '{"id":"a","output":"yes","reference":"yes"}\n')
  writeFileSync(join(folder, "file"), "as it was")
  mkdirSync(join(folder, "folder"))
  const made = await runCli(["run", "--no-html"], { cwd: folder })
  expect(made.code).toBe(0)
})

/** Paths that cannot be written, on this machine: Linux answers in /proc that folders which exist do not. */
const unwritable = [
  "folder",
  "file/below",
  ...(existsSync("/proc/self") ? ["/proc/evalkit/file", "/proc/self/evalkit/below/file"] : []),
  ...(existsSync("/dev/full") ? ["/dev/full"] : []),
]

const commands: readonly (readonly string[])[] = [
  ["report", "-f", "html", "--out"],
  ["report", "-f", "json", "--out"],
  ["export", "--format", "archive", "--out"],
  ["export", "--format", "jsonl", "--out"],
  ["gate", "--min", "exactMatch=0", "--junit"],
  ["score", "outputs.jsonl", "--rows"],
]

/** Every path with one command, and every command with a folder that cannot be made and with a full disk. */
const cases = commands.flatMap((command, i) =>
  (i === 0 ? unwritable : unwritable.slice(3)).map((path) => [command.join(" "), path, command] as const),
)

it.each(cases)("evalkit %s %s says that it cannot be written, with exit code 2", async (_, path, command) => {
  const { code, signal, stderr } = await runCli([...command, path], { cwd: folder })
  expect([code, signal, stderr]).toEqual([
    2,
    null,
    expect.stringMatching(/^evalkit: .*cannot be written: .+\([A-Z]+\)/m),
  ])
  expect(stderr).not.toMatch(/\n\s+at /)
})

describe("a store in a folder that cannot be made", () => {
  it.each(unwritable.filter((path) => path !== "folder" && path !== "/dev/full"))("%s", async (path) => {
    const { code, signal, stderr } = await runCli(["run", "--no-html", "--directory", path], { cwd: folder })
    expect([code, signal]).toEqual([2, null])
    expect(stderr).toContain("the store cannot be opened")
  })
})

describe("a file that is written", () => {
  it("stays as it was where the new one cannot be finished, and keeps its rights where it can", async () => {
    const path = join(folder, "kept.json")
    writeFileSync(path, "as it was")
    chmodSync(path, 0o644)
    const { code } = await runCli(["report", "-f", "papyrus", "--out", "kept.json"], { cwd: folder })
    expect([code, readFileSync(path, "utf8")]).toEqual([2, "as it was"])
    await runCli(["report", "-f", "json", "--out", "kept.json"], { cwd: folder })
    expect(JSON.parse(readFileSync(path, "utf8")).schema).toBe("evalkit.report/1")
  })

  it("a load test says before it measures that its file cannot be written", async () => {
    const bench = ["bench", "--url", "http://127.0.0.1:9/v1", "--model", "m", "--requests", "1", "--html", "folder"]
    const { code, stderr } = await runCli(bench, { cwd: folder })
    expect([code, stderr]).toEqual([2, expect.stringContaining("folder (EISDIR)")])
  })
})
