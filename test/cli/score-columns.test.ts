import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { main } from "../../src/cli/main.ts"
import { fakeIo } from "../support/fake-io.ts"
import { scratchDirectory } from "../support/scratch.ts"

const folder = scratchDirectory()

const reference = process.env.EVALKIT_REFERENCE_DATA
if (!reference) console.warn("skipped: tau-bench's trials need EVALKIT_REFERENCE_DATA")

for (const [name, more] of [
  ["score.config.ts", "exactMatch()"],
  ["tau.config.ts", ""],
] as const)
  await writeFile(
    join(folder, name),
    `import { column, defineConfig, exactMatch, passHatK } from "evalkit"
const passes = [1, 2, 3, 4].map((k) => passHatK({ k, correct: "reward" }))
export default defineConfig({ metrics: [column({ column: "reward" }), ...passes, ${more}] })
`,
  )

async function score(file: string, ...more: string[]) {
  const config = file === "tau.jsonl" ? "tau.config.ts" : "score.config.ts"
  const io = fakeIo({ cwd: folder, environment: { EVALKIT_CACHE_DIR: join(folder, "cache") } })
  const code = await main(["score", file, "--config", config, "--json", ...more], io)
  return { code, out: io.stdout(), err: io.stderr() }
}

interface Scored {
  readonly value: number
  readonly low: number
  readonly high: number
}

function metricsOf(out: string): Readonly<Record<string, Scored>> {
  return (JSON.parse(out) as { metrics: Record<string, Scored> }).metrics
}

/** Values by metric of what `score --json` prints. */
function valuesOf(out: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metricsOf(out)).map(([name, { value }]) => [name, value]))
}

const trials = (ending: string) =>
  ({
    "trials.jsonl": [
      { task: "a", trial: 0, reply: { text: "yes" }, gold: "yes", reward: 1 },
      { task: "a", trial: 1, reply: { text: "yes" }, gold: "yes", reward: 1 },
      { task: "b", trial: 0, reply: { text: "no" }, gold: "yes", reward: 0 },
      { task: "b", trial: 1, reply: { text: "yes" }, gold: "yes", reward: true },
      { task: "b", trial: 2, reply: { text: "yes" }, gold: "yes" },
    ]
      .map((row) => JSON.stringify(row))
      .join("\n"),
    "trials.csv":
      "task,trial,reply,gold,reward\na,0,yes,yes,1\na,1,yes,yes,true\nb,0,no,yes,0\nb,1,yes,yes,1.0\nb,2,yes,yes,\n",
  })[ending]

describe("evalkit score FILE --map", () => {
  it.each([
    ["trials.jsonl", "reply.text"],
    ["trials.csv", "reply"],
  ])("reads %s, whose columns have other names", async (name, output) => {
    await writeFile(join(folder, name), trials(name) ?? "")
    const { code, out, err } = await score(
      name,
      "--map",
      "id=task",
      "repeat=trial",
      `output=${output}`,
      "references=gold",
    )
    expect(err).toMatch(/reward.*no_value/)
    expect(code).toBe(0)
    expect(valuesOf(out)).toMatchObject({ reward: 0.75, passHatK1: 0.75, passHatK2: 0.5, exactMatch: 0.8 })
  })

  it("names a column that the file does not have, with its place", async () => {
    await writeFile(join(folder, "trials.jsonl"), trials("trials.jsonl") ?? "")
    const { code, err } = await score("trials.jsonl", "--map", "output=answer")
    expect(err).toMatch(/the row has no "answer", only task, trial, reply, gold, reward.*trials\.jsonl:1/)
    expect(code).toBe(2)
  })

  it.each([
    ["output", /FIELD=COLUMN/],
    ["=answer", /FIELD=COLUMN/],
    ["output=", /FIELD=COLUMN/],
  ])("refuses --map %s", async (map, message) => {
    const { code, err } = await score("trials.jsonl", "--map", map)
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
  })

  it("refuses a field that is named twice", async () => {
    const { code, err } = await score("trials.jsonl", "--map", "output=reply", "output=gold")
    expect([code, err]).toEqual([2, expect.stringMatching(/names output twice/)])
  })

  it.skipIf(!reference)("gives tau-bench's published pass^k, with intervals over its tasks", async () => {
    // tau-bench's README, airline, gpt-4o: pass^1 to pass^4 .420, .273, .220, .200.
    const file = join(reference ?? "", "tau_bench_airline_gpt4o.jsonl")
    await writeFile(join(folder, "tau.jsonl"), await readFile(file))
    const { out } = await score("tau.jsonl", "--map", "id=task_id", "repeat=trial", "output=reward")
    const published = { passHatK1: 0.42, passHatK2: 0.2733, passHatK3: 0.22, passHatK4: 0.2 }
    for (const [name, value] of Object.entries(published)) expect(valuesOf(out)[name]).toBeCloseTo(value, 4)
    const all = metricsOf(out).passHatK4
    // 50 tasks of four trials: an interval as wide as that of 50 observations, not of 200.
    expect((all?.high ?? 0) - (all?.low ?? 0)).toBeGreaterThan(0.2)
  })
})
