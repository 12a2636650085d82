import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { main } from "../../../src/cli/main.ts"
import { benchRow } from "../../support/bench-row.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const cwd = scratchDirectory()

/** A file for each run. */
const filesOf = (name: string, ...values: number[]) =>
  values.map((p50, i) => {
    const file = `${name}${i}.json`
    writeFileSync(join(cwd, file), JSON.stringify([benchRow(p50)]))
    return file
  })

async function bench(...args: string[]) {
  const io = fakeIo({ cwd })
  return { code: await main(["bench", ...args], io), out: io.stdout(), err: io.stderr() }
}

const old = filesOf("old", 200, 204, 198)

describe("evalkit bench --compare FILES --with FILES", () => {
  it.each([
    ["slower", 3, filesOf("slow", 300, 305, 296)],
    ["faster", 0, filesOf("fast", 150, 153, 149)],
    ["no clear difference", 0, filesOf("same", 201, 203, 197)],
  ])("says %s with exit code %i, and measures nothing", async (verdict, expected, now) => {
    const { code, out } = await bench("--compare", ...old, "--with", ...now, "--json")
    expect(code).toBe(expected)
    expect(JSON.parse(out).levels).toMatchObject([{ name: "ttft_ms", runs_a: 3, runs_b: 3, verdict }])
  })

  it("abstains with one file a side, and says what to give", async () => {
    const { code, out } = await bench("--compare", "old0.json", "--with", ...filesOf("single", 230))
    expect(code).toBe(4)
    expect(out).toContain("single runs: one run a side says nothing about the next one")
  })

  it.each([
    ["--with without --compare", ["--with", "old0.json"], /compare/],
    [
      "a target beside --with",
      ["--compare", "old0.json", "--with", "old1.json", "--url", "http://127.0.0.1:9/v1"],
      /url/,
    ],
    ["no file", ["--compare", "old0.json", "--with"], /--with/],
    ["a run twice", ["--compare", "old0.json", "old0.json", "--with", "old1.json"], /hold the same run/],
    ["a file that is no bench", ["--compare", "old0.json", "--with", "missing.json"], /missing\.json/],
  ])("refuses %s", async (_, args, message) => {
    const { code, err } = await bench(...args)
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })
})
