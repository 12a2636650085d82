import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { callCli } from "../../support/call-cli.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const cwd = scratchDirectory()

/** Thirty questions to a function that bills 150 tokens an answer, beside what else a config states. */
async function evalkit(name: string, members: string, ...args: string[]) {
  await writeFile(
    join(cwd, `${name}.config.ts`),
    `import { custom, defineConfig, exactMatch, fromFunction, recorded, unscored, variant } from "evalkit"
const price = { kind: "tokens", inputPerMillion: 1, cachedInputPerMillion: null, outputPerMillion: 10, source: "test", date: "2026-01-01" }
const usage = { promptTokens: 100, completionTokens: 50, cachedPromptTokens: null, reasoningTokens: null }
const app = (answer) => fromFunction(async () => ({ text: answer(), usage }), { name: "app" })
const broken = () => { throw new Error("the database is down") }
const ids = Array.from({ length: 30 }, (_, i) => \`s\${i}\`)
export default defineConfig({
  name: "${name}",
  dataset: ids.map((id) => ({ id, input: id, references: ["a"] })),
  retry: { retries: 0 },
  metrics: [exactMatch()],
  ${members}
})`,
  )
  return callCli(["run", `${name}.config.ts`, "--no-html", ...args], { cwd })
}

const answering = 'variants: [variant({ name: "m", provider: app(() => "a"), price })],'

describe("what a run says of its bill", () => {
  it("has the forecast of an earlier run beside it, in one line", { timeout: 60_000 }, async () => {
    // 30 answers of 100 and 50 tokens.
    const first = await evalkit("twice", answering, "--limit", "15", "--json")
    expect(first.stderr).toMatch(/^evalkit: paid \$0\.00900$/m)
    const { id } = JSON.parse(first.stdout).run
    const dry = await evalkit("twice", answering, "--dry-run")
    expect(dry.stdout).toContain(`As run ${id} was charged they will cost about $0.0180, its retries and failures in.`)
    const second = await evalkit("twice", answering)
    expect(second.stderr).toMatch(
      new RegExp(`^evalkit: paid \\$0\\.0180; forecast from run ${id}: \\$0\\.0180 \\(0 %\\)$`, "m"),
    )
  })
})

describe("evalkit run --aa", () => {
  it.each([
    [["--queue", "redis://127.0.0.1:1"], "--aa and --queue do not go together"],
    [["--until", "decided"], "--aa and --until do not go together"],
    [["--variant", "other"], "other"],
  ])("refuses %s", { timeout: 60_000 }, async (more, words) => {
    const { code, stderr } = await evalkit("aa", answering, "--aa", ...more)
    expect(code).toBe(2)
    expect(stderr).toContain(words)
  })

  it("refuses recorded answers and a config without a variant", { timeout: 60_000 }, async () => {
    const record = 'variants: [variant({ name: "log", provider: recorded(ids.map((id) => ({ id, text: "a" }))) })],'
    const recorded = await evalkit("recorded", record, "--aa")
    expect([recorded.code, recorded.stderr]).toEqual([
      2,
      expect.stringContaining("--aa cannot measure noise of recorded answers: variant log"),
    ])
    const none = await evalkit("none", "variants: [],", "--aa")
    expect(none.code).toBe(2)
  })
})

describe("a run without an answer to its question", () => {
  it.each([
    [
      "every call failed",
      'variants: [variant({ name: "m", provider: app(broken), price })],',
      "No call brought an answer",
    ],
    [
      "no metric could measure",
      `${answering} metrics: [custom({ name: "blind", direction: "higher", measure: () => unscored("no_value") })],`,
      "NO ANSWER",
    ],
  ])("ends with 5 and says NO ANSWER where %s", { timeout: 60_000 }, async (_, members, words) => {
    const { code, stdout, stderr } = await evalkit("whole", members)
    expect(code, stderr).toBe(5)
    expect(stdout).toContain("NO ANSWER")
    expect(stdout.replace(/\s+/g, " ")).toContain(words)
  })
})
