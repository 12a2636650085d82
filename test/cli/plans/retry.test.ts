import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { callCli } from "../../support/call-cli.ts"
import { scratchDirectory } from "../../support/scratch.ts"

/**
 * A folder with 200 questions, of which every fifth is of refunds: the candidate gets these wrong, three in four, unless its prompt names
 * the policy, and one in forty of the others; a prompt that is loud gets all others wrong.
 */
function folder() {
  const cwd = scratchDirectory()
  writeFileSync(
    join(cwd, "eval.config.ts"),
    `import { appendFileSync } from "node:fs"
import { defineConfig, exactMatch, fromFunction, prompt, variant } from "evalkit"
const numbers = Array.from({ length: 200 }, (_, i) => i)
const price = { kind: "tokens", inputPerMillion: 2, outputPerMillion: 2, source: "a list", date: "2026-11-01" }
const usage = { promptTokens: 10, completionTokens: 5 }
const asked = (name, i, said) => appendFileSync(new URL("calls.txt", import.meta.url), name + " " + i + " " + JSON.stringify(said) + "\\n")
const side = (name, factor, answer) => variant({ name, prompt: prompt("Q {{input}}", { system: "Be kind." }),
  price: { ...price, inputPerMillion: factor, outputPerMillion: factor },
  provider: fromFunction(({ messages }) => {
    const i = Number(messages.at(-1).content.replace(/\\D+/, ""))
    const said = messages.map(({ role, content }) => role + ": " + content).join("; ")
    asked(name, i, said)
    return { text: answer(i, said) ? "right" : "wrong", usage }
  }, { name }) })
export default defineConfig({
  dataset: numbers.map((i) => ({ id: "s" + i, input: "number " + i, references: ["right"], topic: i % 5 === 0 ? "refunds" : "other" })),
  variants: [
    side("old", 2, () => true),
    side("new", 1, (i, said) =>
      said.includes("LOUD") ? i % 5 === 0 : i % 5 === 0 ? said.includes("policy") || i % 4 === 0 : i % 40 !== 1),
  ],
  metrics: [exactMatch()], margin: 0.06,
})`,
  )
  for (const [name, text] of Object.entries({
    policy: "Refunds: follow the policy.",
    loud: "LOUD!",
    idle: "Be very kind.",
    user: "By policy, {{input}}",
  }))
    writeFileSync(join(cwd, `${name}.txt`), text)
  return lines(cwd)
}

const lines = (cwd: string) => ({
  evalkit: (...words: string[]) =>
    callCli([...words, ...(/^(run|retry)$/.test(words[0] ?? "") ? ["--no-html"] : [])], { cwd }),
  calls: () => readFileSync(join(cwd, "calls.txt"), "utf8").trim().split("\n"),
  cwd,
})
const first = folder()
/** A folder of its own, in which the first run has ended. */
function afterRun() {
  const cwd = scratchDirectory()
  cpSync(first.cwd, cwd, { recursive: true })
  return lines(cwd)
}
beforeAll(async () => {
  expect((await first.evalkit("run")).code).toBe(0)
})

const flat = (text: string) => text.replace(/\s+/g, " ")

describe("evalkit retry", () => {
  it("asks a changed prompt about the cause, then about all, and decides at a paid error rate", async () => {
    const { evalkit, calls } = afterRun()
    expect(flat((await evalkit("report", "-f", "markdown")).stdout)).toContain("losses, cause 1: topic refunds")
    const [{ id }] = JSON.parse((await evalkit("runs", "--json")).stdout)
    const before = calls().length
    const { code, stdout, stderr } = await evalkit(
      "retry",
      "--cause",
      "1",
      "--prompt",
      "policy.txt",
      "--json",
      "--no-html",
    )
    expect([code, flat(stderr)]).toEqual([0, expect.stringContaining("40 samples, 30 lost; try 2, decided at 2.5 %")])
    const asked = calls().slice(before)
    expect(asked.length).toBe(200)
    expect(asked.slice(0, 40).every((line) => Number(line.split(" ")[1]) % 5 === 0)).toBe(true)
    expect(asked[0]).toContain("system: Refunds: follow the policy.; user: Q number")
    const report = JSON.parse(stdout)
    expect(report.run.alpha).toBe(0.025)
    expect(report.comparisons.map(({ candidate }: { candidate: string }) => candidate)).toEqual(["new-policy"])
    expect(report.variants.map(({ name }: { name: string }) => name)).toEqual(["old", "new", "new-policy"])
    const section = report.sections.find(({ topic }: { topic?: string }) => topic === "retry")
    expect(section.sentences).toEqual([
      `new-policy repairs 30 of 30 lost samples of cause 1 of run ${id} (topic refunds): 100 %, between 86 and 100; 0 stay lost. Of its 10 other samples 0 are newly lost.`,
      "Try 2 at this set of samples: decided at 2.5 % instead of 5 %, so that all tries after the first err in at most 5 %, however many follow.",
      "40 samples of 200 (20 %) are those of the cause: a prompt that was written for them has no fair test in them.",
      expect.stringMatching(/^new-policy on the other 160: exact match −3.13 points against the baseline, between /),
    ])
    expect(section.data.rows.map((row: unknown[]) => row.slice(0, 6))).toEqual([
      ["new-policy", "cause 1", 30, 30, 0, 0],
      ["new-policy", "the rest", 5, 0, 0, 5],
      ["new-policy", "all", 35, 30, 0, 5],
    ])
    expect(report.decision.verdict).toBe("swap")
    // What a retry took over is no second measurement.
    const trend = async (variant: string) => JSON.parse((await evalkit("trend", variant, "--json")).stdout)
    expect([(await trend("old")).points.length, (await trend("new-policy")).points.length]).toEqual([1, 1])
    const runs = flat((await evalkit("runs")).stdout)
    expect(runs).toContain(`retry of ${id}`)
    expect(flat((await evalkit("show")).stdout)).toContain(
      "Try 2 at this set of samples: decided at 2.5 % instead of 5 %",
    )
  })
  it("is decided by the rules of a frozen plan, at the error rate of its try, and says which prompt was changed", async () => {
    const { evalkit } = folder()
    await evalkit("plan", "--freeze")
    await evalkit("run")
    await evalkit("retry", "--prompt", "policy.txt")
    const sentence =
      /Decided by the rules of the plan of .* with prompts that were changed after it \(new-policy\): try 2, at 2\.5 % instead of 5 %\./
    expect(flat((await evalkit("report", "-f", "markdown")).stdout)).toMatch(sentence)
  })
  it("names what else was changed after the plan, as any run does", async () => {
    const { evalkit } = folder()
    await evalkit("plan", "--freeze", "--limit", "100")
    await evalkit("run")
    const { stdout } = await evalkit("retry", "--prompt", "policy.txt")
    expect(flat(stdout)).toMatch(/Not decided by the plan of .*data set samples 200 instead of 100/)
  })
  it("gives no verdict on a prompt that does not help, and goes on where it is told to", async () => {
    const { evalkit, calls } = afterRun()
    const before = calls().length
    const idle = JSON.parse((await evalkit("retry", "--prompt", "idle.txt", "--json")).stdout)
    expect(calls().length - before).toBe(40)
    expect([idle.run.status, idle.decision.verdict]).toEqual(["finished", "not_comparable"])
    expect(idle.sections[0].sentences[1]).toContain("No verdict follows from them")
    const whole = await evalkit("retry", idle.run.id, "--whole", "--json")
    expect(calls().length - before).toBe(200)
    expect(JSON.parse(whole.stdout).decision.verdict).toBe("keep")
    const compared = JSON.parse((await evalkit("compare", "old", "new-idle", "--json")).stdout)
    expect(compared.verdict).toBe("keep")
  })
  it("counts each prompt of a sweep, reuses answers on record and is stricter each time", async () => {
    const { evalkit, calls, cwd } = afterRun()
    const [{ id }] = JSON.parse((await evalkit("runs", "--json")).stdout)
    const sweep = JSON.parse(
      (await evalkit("retry", id, "--prompt", "policy.txt", "--prompt", "idle.txt", "--json")).stdout,
    )
    expect(sweep.run.alpha).toBeCloseTo(0.0375, 10)
    expect(sweep.comparisons.map(({ candidate, verdict }: Record<string, string>) => [candidate, verdict])).toEqual([
      ["new-policy", expect.stringMatching(/swap|inconclusive/)],
      ["new-idle", "not_comparable"],
    ])
    // Who has the archive alone comes to the same verdicts.
    expect((await evalkit("receipt", sweep.run.id, "-o", "receipt.json")).code).toBe(0)
    await evalkit("export", sweep.run.id, "--format", "archive", "--out", "retry.evalkit.jsonl")
    expect((await evalkit("verify", "receipt.json", "retry.evalkit.jsonl")).code).toBe(0)
    const receipt = JSON.parse(readFileSync(join(cwd, "receipt.json"), "utf8"))
    expect(receipt.run.retry).toMatchObject({ triesBefore: 1, prompts: 2, firstAlpha: 0.05 })
    // The gate holds the prompts to what they are now.
    const gateNow = async (...files: string[]) => {
      const prompts = files.flatMap((file) => ["--prompt", file])
      const options = ["--receipt", "receipt.json", "--variant", "new-policy", ...prompts]
      const { code, stdout, stderr } = await evalkit("gate", ...options)
      return [code, flat(stdout + stderr)]
    }
    expect(await gateNow("policy.txt")).toEqual([
      expect.any(Number),
      expect.stringContaining("models as now: unchanged"),
    ])
    expect(await gateNow("idle.txt")).toEqual([3, expect.stringContaining("stale: variant new-policy: prompt: sha256")])
    expect(await gateNow()).toEqual([2, expect.stringContaining("name 1 file of them with --prompt")])
    const before = calls().length
    const second = JSON.parse(
      (await evalkit("retry", id, "--prompt", "policy.txt", "--prompt", "loud.txt", "--json")).stdout,
    )
    expect(second.run.alpha).toBeCloseTo(0.05 * (1 / 4 - 1 / 16) * 1, 10)
    expect(
      new Set(
        calls()
          .slice(before)
          .map((line) => line.includes("LOUD")),
      ),
    ).toEqual(new Set([true]))
    const gate = await evalkit("gate", second.run.id, "--min", "exactMatch=0.5", "--json")
    expect(JSON.parse(gate.stdout).rules.map(({ variant }: { variant: string }) => variant)).not.toContain("new")
  })
  it.each(["60 requests", "20 requests"])(
    "goes on after %s as any run does, and asks nothing twice",
    async (budget) => {
      const { evalkit, calls } = afterRun()
      const before = calls().length
      const part = await evalkit("retry", "--prompt", "policy.txt", "--budget", budget, "--json")
      expect(part.code).toBe(5)
      const whole = await evalkit("run", "--resume", "--json")
      expect([whole.code, JSON.parse(whole.stdout).run.alpha]).toEqual([0, 0.025])
      expect([calls().length - before, new Set(calls()).size]).toEqual([200, calls().length])
      expect(JSON.parse(whole.stdout).run.id).toBe(JSON.parse(part.stdout).run.id)
      expect(JSON.parse(whole.stdout).decision.verdict).toBe("swap")
    },
  )
  it("repairs what a retry lost, and goes on with that, too", async () => {
    const { evalkit, calls } = afterRun()
    const loud = JSON.parse((await evalkit("retry", "--prompt", "loud.txt", "--whole", "--json")).stdout)
    const before = calls().length
    const part = await evalkit("retry", loud.run.id, "--prompt", "policy.txt", "--budget", "90 requests", "--json")
    expect([part.code, part.stderr]).toEqual([5, expect.stringContaining("try 3, decided at 1.25 %")])
    const whole = JSON.parse((await evalkit("run", "--resume", "--json")).stdout)
    expect(calls().length - before).toBe(200)
    expect(whole.variants.map(({ name }: { name: string }) => name)).toEqual(["old", "new-loud", "new-loud-policy"])
    expect([whole.run.alpha, whole.run.status]).toEqual([0.0125, "finished"])
    expect((await evalkit("score", whole.run.id)).code).toBe(0)
  })
  it("is refused for a run that was decided early", async () => {
    const { evalkit } = folder()
    await evalkit("run", "--until", "decided")
    const { code, stderr } = await evalkit("retry", "--prompt", "idle.txt")
    expect([code, stderr]).toEqual([2, expect.stringContaining("decided early has spent its error rate")])
  })
  it("changes the user's message where the file has a field, and keeps the system's", async () => {
    const { evalkit, calls } = afterRun()
    const before = calls().length
    await evalkit("retry", "--prompt", "user.txt")
    expect(calls()[before]).toContain("system: Be kind.; user: By policy, number")
  })
  it.each([
    ["a cause that is not named", ["--cause", "7", "--prompt", "idle.txt"], "it names 1: topic refunds"],
    ["no prompt", [], "a retry needs a changed prompt"],
    ["a file that is not there", ["--prompt", "none.txt"], "the prompt could not be read"],
    ["an unknown candidate", ["--prompt", "idle.txt", "--variant", "neu"], 'did you mean "new"?'],
  ])("refuses %s", async (_, words, message) => {
    const { code, stderr } = await first.evalkit("retry", ...words)
    expect([code, flat(stderr)]).toEqual([2, expect.stringContaining(message)])
  })
})
