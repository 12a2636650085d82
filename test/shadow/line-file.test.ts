import { spawn } from "node:child_process"
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { openDailyFile, openLineFile } from "../../src/shadow/line-file.ts"
import { scratchDirectory } from "../support/scratch.ts"

it("makes a file for its user alone, and appends to it", () => {
  const path = join(scratchDirectory(), "lines")
  openLineFile(path).append("a\nb\n")
  openLineFile(path).append("c\n")
  expect(readFileSync(path, "utf8")).toBe("a\nb\nc\n")
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it("takes a line away that was cut off, and those before it that may not be last", () => {
  const path = join(scratchDirectory(), "lines")
  for (const [torn, kept] of [
    ["a1\na2\nb1\nb", "a1\na2\n"],
    ["a1\na2\nb1\n", "a1\na2\n"],
    ["a1\na2\n", "a1\na2\n"],
    ["a1", ""],
    ["a1\n", ""],
    ["", ""],
  ] as const) {
    writeFileSync(path, torn)
    const file = openLineFile(path, (line) => line.endsWith("2"))
    expect(readFileSync(path, "utf8")).toBe(kept)
    file.append("c1\nc2\n")
    expect(readFileSync(path, "utf8")).toBe(`${kept}c1\nc2\n`)
  }
})

it("throws what the system says, and leaves the file as it was", () => {
  const path = join(scratchDirectory(), "lines")
  const file = openLineFile(path)
  file.append("a\n")
  file.close()
  expect(() => file.append("b\n")).toThrow()
  appendFileSync(path, "")
  expect(readFileSync(path, "utf8")).toBe("a\n")
})

const day = 86_400_000
const noon = Date.parse("2026-11-29T12:00:00Z")

it("begins a file a day, heals the newest, and goes on with it when the clock is set back", () => {
  const folder = scratchDirectory()
  let ms = noon
  const open = () => openDailyFile(folder, "pairs", () => ms)
  const written = () =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]))
  const file = open()
  file.append("a\n")
  ms += day
  file.append("b\n")
  ms -= day
  file.append("c\n")
  file.close()
  appendFileSync(join(folder, "pairs-2026-11-30.jsonl"), "torn")
  ms += 3 * day
  open().append("d\n")
  expect(written()).toEqual({
    "pairs-2026-11-29.jsonl": "a\n",
    "pairs-2026-11-30.jsonl": "b\nc\n",
    "pairs-2026-12-02.jsonl": "d\n",
  })
})

const source = fileURLToPath(new URL("../../src/shadow/line-file.ts", import.meta.url))

/** Writes a line and says so, two to a day, until it is killed. */
const writer = (folder: string) => `
import { writeSync } from "node:fs"
import { openDailyFile } from ${JSON.stringify(source)}
let written = 0
const file = openDailyFile(${JSON.stringify(folder)}, "pairs", () => ${noon} + Math.floor(written / 2) * ${day})
for (; written < 4000; written++) {
  file.append(JSON.stringify({ number: written, text: "x".repeat(2000) }) + "\\n")
  try {
    writeSync(1, written + "\\n")
  } catch {
    // The reader is slower than the writer.
  }
}`

it("loses no line that was acknowledged when it is killed amid changes of day", { timeout: 60_000 }, async () => {
  const folder = scratchDirectory()
  const script = join(scratchDirectory(), "writer.ts")
  writeFileSync(script, writer(folder))
  const child = spawn(process.execPath, ["--import", "jiti/register", script], { stdio: ["ignore", "pipe", "inherit"] })
  let said = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text
    if (said.length > 500) child.kill("SIGKILL")
  })
  await new Promise((resolve) => child.on("close", resolve))
  const acknowledged = said.split("\n").slice(0, -1).map(Number)
  openDailyFile(folder, "pairs", () => noon).close()
  const lines = readdirSync(folder)
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean))
  const numbers = lines.map((line) => (JSON.parse(line) as { number: number }).number)
  expect(numbers).toEqual(numbers.map((_, i) => i))
  expect(numbers.length).toBeGreaterThan(acknowledged.at(-1) as number)
  expect(readdirSync(folder).length).toBeGreaterThan(20)
})
