import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { callCli } from "../../support/call-cli.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { startView } from "../view/world.ts"

const cwd = scratchDirectory()
const evalkit = (...args: readonly string[]) => callCli(args, { cwd, environment: { USER: "ann" } })

/** People say no to every fifth answer, the judge to every tenth. */
const people = (i: number) => (i % 5 === 0 ? "no" : "yes")

beforeAll(async () => {
  writeFileSync(
    join(cwd, "eval.config.ts"),
    `import { defineConfig, fromFunction, rubric, rubrics } from "evalkit"
const judge = fromFunction(({ messages }) => ({ text: /riddle/.test(JSON.stringify(messages)) ? "Hm." : JSON.stringify({ reason: "seen", verdict: /output [0-9]*0\\b/.test(JSON.stringify(messages)) ? "no" : "yes" }) }), { name: "judge" })
export default defineConfig({
  dataset: Array.from({ length: 40 }, (_, i) => ({ id: "q" + i, input: "Question " + i, reference: "right" })),
  variants: [{ name: "a", provider: fromFunction(({ sample }) => ({ text: "output " + sample.id.slice(1) }), { name: "a" }) }],
  metrics: [rubric({ name: "correct", provider: judge, rubric: rubrics.correctness })],
})
`,
  )
  const rows = Array.from({ length: 40 }, (_, i) => `q${i},Question ${i},output ${i},right,${people(i)}`)
  writeFileSync(join(cwd, "labels.csv"), ["id,input,output,reference,human", ...rows].join("\n"))
  const { code, stderr } = await evalkit("run", "--no-html")
  expect(code, stderr).toBe(0)
})

function inStore<T>(read: (store: RunStore) => T): T {
  const store = openRunStore(join(cwd, ".evalkit"), { readonly: true })
  try {
    return read(store)
  } finally {
    store.close()
  }
}
const run = () => inStore((store) => store.runs()[0]!.id)
const cards = () =>
  inStore((store) => store.report(run())!.sections)
    .flatMap(({ kind, sentences }) => (kind === "judge_card" ? sentences : []))
    .join("\n")

describe("labels that exist already", () => {
  it("are compared with what the judge of a config says of the same outputs, and the differences listed", async () => {
    const { stdout } = await evalkit("judge", "validate", "labels.csv", "--metric", "correct")
    expect(stdout).toContain("Judge and people agree on 36 of 40")
    expect(stdout).toMatch(
      /judge and people differ on +judge +people\n +q15 +1 +0\n +q25 +1 +0\n +q35 +1 +0\n +q5 +1 +0/,
    )
    expect(stdout).not.toContain("quadratic")
    const json = JSON.parse((await evalkit("judge", "validate", "labels.csv", "--metric", "correct", "--json")).stdout)
    expect(json.differences.map(({ id }: { id: string }) => id)).toEqual(["q15", "q25", "q35", "q5"])
    expect(json.corrected_mean_interval[1]).toBeLessThanOrEqual(1)
  })
  it("name the reason of every row that the judge gave no verdict", async () => {
    const rows = [
      "id,input,output,reference,human",
      "q1,Question 1,a riddle,right,yes",
      "q2,Question 2,output 2,right,yes",
    ]
    writeFileSync(join(cwd, "gaps.csv"), rows.join("\n"))
    const asked = ["judge", "validate", "gaps.csv", "--metric", "correct"]
    const { stdout } = await evalkit(...asked)
    expect(stdout).toMatch(/1 row of 2 ha\w+ no verdict/)
    expect(stdout).toMatch(/correct: 1 unscored: .{10,} \(first: q1, gaps\.csv:2\)/)
    const { judged, unscored } = JSON.parse((await evalkit(...asked, "--json")).stdout)
    expect([judged, Object.values(unscored)]).toEqual([1, [1]])
  })
  it("are read into a run, whose report has the corrected mean at once", async () => {
    expect(cards()).not.toContain("corrected by")
    const { stdout } = await evalkit("label", "--from", "labels.csv", "--by", "chance")
    expect(stdout).toContain("40 labels of labels.csv saved")
    expect(cards()).toMatch(
      /a: 0\.9 by its 40 verdicts; corrected by 40 labels of people, 0\.8 \(between 0\.\d+ and 0\.\d+\)/,
    )
  })
  it.each([
    ["id,human\nzz,1", /no answer of a to zz that correct judged: .*bad\.csv:2/],
    ["id,human\nq1,", /the file has no labels/],
    ["id,human\nq1,good", /expected a number, true, false, yes, partly, no or null, got "good"/],
  ])("are refused by line where they fit no answer: %s", async (text, message) => {
    writeFileSync(join(cwd, "bad.csv"), text)
    const { code, stderr } = await evalkit("label", "--from", "bad.csv")
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })
  it("are in the report as soon as the first is given in a browser", async () => {
    const view = await startView(cwd)
    try {
      expect(cards()).toContain("40 labels")
      const begun = await view.post(`label/${run()}`, { labeller: "bea", by: "chance", limit: "3", scores: "0,1" })
      const url = String(begun.headers.location)
      const form = /name="form" value="([^"]+)"/.exec((await view.get(url)).text)?.[1] as string
      await view.post(url, { form, key: "1" })
      expect(cards()).toMatch(/2 people .* on \d of 1 answer that two or more of them labelled/)
    } finally {
      await view.close()
    }
  })
})
