import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { main } from "../../../src/cli/main.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { startCliProcess } from "../../support/one-process/cli-process.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const cwd = scratchDirectory()
const index = new URL("../../../dist/src/index.js", import.meta.url).href
/** Every command of a person, in the folder of the project. */
const evalkit = startCliProcess({ cwd })
afterAll(() => evalkit.end())

beforeAll(async () => {
  writeFileSync(
    join(cwd, "eval.config.ts"),
    `import { defineConfig, exactMatch, fromFunction, rubric, rubrics } from ${JSON.stringify(index)}
const price = (outputPerMillion: number) => ({ kind: "tokens", inputPerMillion: 1, outputPerMillion, source: "test", date: "2026-11-22" } as const)
const one = (name: string, wrong: number, usd: number) => ({
  name,
  provider: fromFunction(({ sample }) => ({
    text: Number(sample.id.slice(1)) % 10 < wrong ? "wrong" : "right",
    usage: { promptTokens: 100, completionTokens: 50 },
  }), { name, price: price(usd) }),
})
const judge = fromFunction(() => ({ text: '{"reason":"seen","verdict":"yes"}', usage: { promptTokens: 1, completionTokens: 1 } }), { name: "judge" })
export default defineConfig({
  dataset: Array.from({ length: 60 }, (_, i) => ({ id: "s" + i, input: "Question " + i, reference: "right" })),
  variants: [one("large", 0, 20), one("small", 3, 2)],
  metrics: [exactMatch(), rubric({ provider: judge, rubric: rubrics.correctness })],
  primary: ["exactMatch"],
})
`,
  )
  const { code, stderr } = await evalkit.run(["run"])
  expect(code, stderr).toBe(0)
}, 120_000)

/** A person at a prompt whose every command is counted. */
function prompt() {
  let actions = 0
  return {
    actions: () => actions,
    async run(...args: readonly string[]): Promise<string> {
      actions++
      return (await evalkit.run(args)).stdout
    },
  }
}

describe("what people come for, by commands: at most four", { timeout: 120_000 }, () => {
  it("which of the two should I take", async () => {
    const hands = prompt()
    expect((await hands.run("compare", "large", "small")).split("\n")[0]).toMatch(
      /^KEEP {3}small cannot replace large: it is worse on exact match/,
    )
    expect(hands.actions()).toBe(1)
  })

  it("show me what broke", async () => {
    const hands = prompt()
    const compared = await hands.run("compare", "large", "small")
    // The command that reads the first of them stands at the end, as it can be typed here.
    const [, next = ""] = /right → wrong: 18 \([\s\S]* next {3}(?:npx )?evalkit (show .*)\n$/.exec(compared) ?? []
    const shown = await hands.run(...next.split(" "))
    expect(shown).toContain("Question")
    expect(shown).toMatch(/large[\s\S]*right[\s\S]*small[\s\S]*wrong/)
    expect(hands.actions()).toBeLessThanOrEqual(4)
  })

  it("what would it cost at 3 million a month", async () => {
    const hands = prompt()
    const bill = await hands.run("show", "--requests", "3000000")
    // (100 × 1 + 50 × 20) and (100 × 1 + 50 × 2) dollars per million requests, three times.
    expect(bill).toBe(" 3,000,000 requests a month cost\n   large: $3,300\n   small: $600.00\n")
    const json = JSON.parse(await hands.run("show", "--requests", "3000000", "--json"))
    expect(json).toMatchObject([
      { variant: "large", bill: { status: "known", value: 3300 } },
      { variant: "small", bill: { value: 600 } },
    ])
    expect(hands.actions()).toBeLessThanOrEqual(4)
    const wrong = await evalkit.run(["show", "--requests", "-5"])
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("--requests must be a number of requests") })
  })

  it("label ten: one command, then a key an answer", async () => {
    let presses = 0
    async function* keys(): AsyncGenerator<string> {
      while (presses < 30) {
        presses++
        yield "1"
      }
    }
    const io = fakeIo({ cwd, keys, environment: { USER: "ann" } })
    expect(await main(["label", "--limit", "10", "--scores", "0,1"], io)).toBe(0)
    expect(presses).toBe(10)
    const store = openRunStore(join(cwd, ".evalkit"), { readonly: true })
    expect(store.labels(store.runs()[0]?.id ?? "")).toHaveLength(10)
    store.close()
  })
})
