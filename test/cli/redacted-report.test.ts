import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { redactedInput } from "../../src/cli/redacted-input.ts"
import type { ReportInput } from "../../src/core/report/report.ts"
import { createRedaction } from "../../src/text/personal-data/redaction.ts"
import { callCli } from "../support/call-cli.ts"
import { scratchDirectory } from "../support/scratch.ts"

const cwd = scratchDirectory()
const evalkit = (...args: readonly string[]) => callCli(args, { cwd })

const planted = {
  email: ["ada.lovelace@example.org", "grace@navy.example.com", "id.of.a.sample@example.net"],
  phone: ["+44 20 7946 0958", "030 2093 1000"],
  card: ["4111 1111 1111 1111"],
  iban: ["DE89 3704 0044 0532 0130 00"],
  key: [["sk", "abcdefghijklmnopqrstuvwx0123456789"].join("-")],
}
const all = Object.values(planted).flat()

beforeAll(async () => {
  writeFileSync(
    join(cwd, "eval.config.ts"),
    `import { custom, defineConfig, fromFunction, variant } from "evalkit"
const answers = ["Write to ada.lovelace@example.org, DE89 3704 0044 0532 0130 00", "Call +44 20 7946 0958 or 030 2093 1000.", "4111 1111 1111 1111"]
const asked = (odd) => fromFunction(({ sample }) => {
  if (sample.id === "q3") throw new Error("refused for grace@navy.example.com")
  return { text: answers[Number(sample.id[1])] + odd, toolCalls: [{ name: "pay", arguments: { iban: "DE89 3704 0044 0532 0130 00" } }] }
}, { name: "bot" + odd.length })
export default defineConfig({
  dataset: [
    { id: "q0", input: "Who is grace@navy.example.com?", reference: "x", owner: "ada.lovelace@example.org" },
    { id: "q1", input: "A phone?", reference: "030 2093 1000" },
    { id: "q2", input: [{ role: "user", content: "key ${planted.key[0]}" }], reference: "x" },
    { id: "q3", input: "q", reference: "x" },
    { id: "id.of.a.sample@example.net", input: "q", reference: "x", group: "mails of ada.lovelace@example.org" },
  ],
  variants: [variant({ name: "now", provider: asked("") }), variant({ name: "new", provider: asked("!") })],
  metrics: [custom({ name: "said", direction: "higher", measure: (_, { text }) => ({ value: Number(text.length > 20), note: text }), summarise: (rows) => rows.filter(({ value }) => value).length / rows.length, value: ({ value }) => value })],
})
`,
  )
  const { code, stderr } = await evalkit("run", "--no-html")
  expect([0, 4, 5], stderr).toContain(code)
})

describe("a redacted report", () => {
  it.each([
    "answers-csv",
    "jsonl",
    "otlp",
    "otlp-logs",
    "langfuse",
    "wandb",
    "json",
    "markdown",
    "terminal",
    "csv",
    "junit",
  ])("holds nothing of what was planted in what was asked, answered and found: %s", async (format) => {
    const plain = await evalkit("report", "-f", format)
    expect(plain.code).toBe(0)
    const { stdout, stderr } = await evalkit("report", "-f", format, "--redact", "--countries", "DE,GB")
    for (const text of all) expect(stdout).not.toContain(text)
    expect(stderr).toContain("dates of birth and keys of unknown shapes are not found")
    if (format === "answers-csv") {
      for (const text of all) expect(plain.stdout).toContain(text)
      expect(stdout).toMatch(/Write to \[email \d\], \[iban 1\]/)
      expect(stdout).toMatch(/Call \[phone \d\] or \[phone \d\]\./)
    }
  })

  it("gives the same text the same pseudonym, and leaves out pieces and places of a text that it changed", async () => {
    const answer = (text: string) => ({
      generation: { text, logprobs: [{ token: "x" }] },
      highlights: [{ start: 1, length: 2 }],
    })
    const input = {
      report: { name: "of ada.lovelace@example.org" },
      media: () => new Uint8Array(1),
      async *samples() {
        yield { sample: { id: "a" }, answers: [answer("ada.lovelace@example.org"), answer("nothing")] }
      },
    } as unknown as ReportInput
    const redacted = await redactedInput(input, createRedaction())
    expect(redacted.report).toEqual({ name: "of [email 1]" })
    const answers = []
    for await (const sample of redacted.samples()) answers.push(...sample.answers)
    expect(answers).toEqual([
      { generation: { text: "[email 1]", logprobs: null } },
      { generation: { text: "nothing", logprobs: [{ token: "x" }] }, highlights: [{ start: 1, length: 2 }] },
    ])
    expect(redacted.media?.("")).toBeNull()
    expect(redacted.said()).toMatch(/^1 e-mail address redacted; /)
  })

  it("refuses what it would not redact, and countries without a numbering plan", async () => {
    const refused = async (...args: readonly string[]) => (await evalkit("report", ...args)).stderr
    expect(await refused("-f", "html", "-o", "x.html", "--redact", "--full-texts", "y")).toContain("is redacted")
    expect(await refused("--countries", "DE")).toContain("add: --redact")
    expect(await refused("--redact", "--countries", "XX")).toContain('no numbering plan is known for the country "XX"')
  })
})
