import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { callCli } from "../../../support/call-cli.ts"
import { scratchDirectory } from "../../../support/scratch.ts"

const cwd = scratchDirectory()
const evalkit = (...words: string[]) => callCli(words, { cwd })

interface ListedRun {
  readonly id: string
  readonly samples: number
}
const listed = async (): Promise<readonly ListedRun[]> => JSON.parse((await evalkit("runs", "--json")).stdout)

let merged: string
let shards: readonly string[]

beforeAll(async () => {
  writeFileSync(
    join(cwd, "eval.config.ts"),
    `import { defineConfig, exactMatch, recorded, variant } from "evalkit"
const ids = Array.from({ length: 91 }, (_, i) => "s" + i)
export default defineConfig({
  dataset: ids.map((id) => ({ id, input: "q", references: ["a"] })),
  variants: ["v", "w"].map((name) =>
    variant({ name, provider: recorded(ids.map((id, i) => ({ id, text: i % 3 ? "a" : "b" }))) })),
  metrics: [exactMatch()],
})`,
  )
  for (const shard of ["1/3", "2/3", "3/3"]) {
    const { stderr } = await evalkit("run", "--shard", shard, "--no-html")
    expect(stderr).not.toContain("of 182")
  }
  shards = (await listed()).map(({ id }) => id)
  const { stdout } = await evalkit("merge", ...shards)
  merged = /^run (\w+): 182 answers of 3 runs, finished/.exec(stdout)?.[1] as string
})

describe("after a merge", () => {
  it.each([
    ["report", "--format", "json"],
    ["export", "--format", "csv"],
    ["show", "--json"],
    ["gate", "--min", "exactMatch=0.5", "--json"],
    ["compare", "v", "w", "--json"],
  ])("%s without a run takes the merged run", async (...words) => {
    const unnamed = await evalkit(...words)
    const [command, ...options] = words
    const named = await evalkit(
      command as string,
      ...(command === "compare" ? [...options, "--run", merged] : [merged, ...options]),
    )
    expect(unnamed.stdout).not.toBe("")
    expect(unnamed).toEqual(named)
  })

  it("the list of runs begins with it, and says of each shard what it asked", async () => {
    expect((await listed()).map(({ id, samples }) => [id, samples])).toEqual([
      [merged, 91],
      ...shards.map((id, i) => [id, [30, 30, 31][i]]),
    ])
    const { stdout } = await evalkit("runs")
    expect(stdout).toMatch(new RegExp(`${merged} .* 91 +2`))
    expect(stdout).toMatch(new RegExp(`${shards[2]} .* 31 of 91 +2`))
  })

  it("a trend counts the run that was joined, not its parts beside it", async () => {
    const { stdout } = await evalkit("trend", "v", "--json")
    expect(JSON.parse(stdout).points.map(({ run }: { run: string }) => run)).toEqual([merged])
  })
})
