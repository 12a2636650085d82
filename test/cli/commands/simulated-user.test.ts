import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { main } from "../../../src/cli/main.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const folder = scratchDirectory()

const example = fileURLToPath(new URL("../../../examples/simulated-user/eval.config.ts", import.meta.url))
await writeFile(join(folder, "eval.config.ts"), await readFile(example, "utf8"))

async function evalkit(...args: string[]) {
  const io = fakeIo({ cwd: folder, environment: { EVALKIT_CACHE_DIR: join(folder, "cache") } })
  const code = await main(args, io)
  return { code, out: io.stdout(), err: io.stderr() }
}

describe("simulated users from the command line", { timeout: 180_000 }, () => {
  it("are counted in a dry run, with every call that an episode may take", async () => {
    const { code, out } = await evalkit("run", "--dry-run", "--json")
    expect(code).toBe(0)
    // 3 samples, 4 repeats, 5 turns of at most 20 answers; the user speaks at most 5 times.
    expect(JSON.parse(out)).toMatchObject({
      calls: 2 * 3 * 4 * 5 * 20,
      users: [
        { variant: "careful", model: "function customer", maxCalls: 3 * 4 * 5 },
        { variant: "hasty", model: "function customer", maxCalls: 3 * 4 * 5 },
      ],
    })
    const shown = await evalkit("run", "--dry-run")
    expect(shown.out).toContain("2,400 calls at most: 3 samples × 2 variants × 4 repeats")
    expect(shown.out).toContain("The simulated user of hasty asks function customer: 60 calls at most")
  })

  it("are tried by doctor", async () => {
    const { code, out } = await evalkit("doctor", "--json")
    const { checks } = JSON.parse(out) as { checks: { name: string; status: string }[] }
    expect(checks).toContainEqual(
      expect.objectContaining({ name: "the simulated user of variant careful", status: "ok" }),
    )
    expect(code).toBe(0)
  })

  it("are in the report with what they took, and in the thread of a sample", async () => {
    const run = await evalkit("run", "--json", "--no-html")
    expect([0, 3, 4], run.err).toContain(run.code)
    const report = JSON.parse(run.out)
    const section = report.sections.find(({ topic }: { topic: string }) => topic === "episodes")
    expect(section.sentences.join("\n")).toMatch(/Simulated users gave \d+ replies in \d+ requests/)
    const share = (name: string) =>
      report.variants.find((variant: { name: string }) => variant.name === name).quality[0].figure.value
    expect([share("careful"), share("hasty")]).toEqual([1, 1 / 3])
    const { out } = await evalkit("show", report.run.id, "move")
    expect(out).toContain("Please make it Monday.")
    expect(out).toContain("ended the conversation")
  })
})
