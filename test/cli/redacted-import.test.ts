import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { callCli } from "../support/call-cli.ts"
import { plantedCalls } from "../support/planted-calls.ts"
import { scratchDirectory } from "../support/scratch.ts"

const cwd = scratchDirectory()
const evalkit = (...args: readonly string[]) => callCli(args, { cwd })
const calls = plantedCalls(136, 11)
const planted = [...new Set(calls.flatMap((call) => call.planted))]
const options = ["--redact", "--countries", "DE,FR"]

/** A call as LiteLLM's callback logs it; every eighth failed with the person's address in the error. */
const line = ({ question, answer, planted: [, , mail] }: (typeof calls)[number], i: number) =>
  JSON.stringify({
    ...{
      id: `c${i}`,
      call_type: "acompletion",
      model: "gpt-now",
      response_cost: 0.001,
      startTime: 1e9 + i,
      endTime: 1e9 + i + 2,
    },
    messages: [{ role: "user", content: question }],
    ...(i % 8 === 7
      ? { status: "failure", error_str: `no mailbox for ${mail}`, response: null }
      : {
          status: "success",
          response: {
            choices: [
              {
                finish_reason: "stop",
                message: {
                  role: "assistant",
                  content: answer,
                  tool_calls: [
                    { id: "t", type: "function", function: { name: "send", arguments: JSON.stringify({ to: mail }) } },
                  ],
                },
              },
            ],
          },
        }),
  })

const leftIn = (text: string) =>
  planted.filter((secret) => text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1)))
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))

beforeAll(() => {
  writeFileSync(join(cwd, "calls.jsonl"), `${calls.map(line).join("\n")}\n`)
  writeFileSync(join(cwd, "rows.csv"), `question,answer\n"My name is Ada Lovelace, ada@example.org","Lovelace"\n`)
})

describe("an import with --redact", () => {
  it("leaves nothing of 1,000 planted data in store, page, archive, exports and output", async () => {
    expect(planted.length).toBeGreaterThan(1_000)
    const { code, stdout, stderr } = await evalkit("import", "calls.jsonl", ...options)
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/names of people, \d+ e-mail addresses, .*postal addresses.*redacted; names without a title/)
    expect((await evalkit("report", "-f", "html", "-o", "page.html")).code).toBe(0)
    const said: string[] = [stdout, stderr]
    for (const args of [
      ["export", "--format", "archive", "-o", "run.evalkit.jsonl"],
      ["report", "-f", "answers-csv"],
      ["report", "-f", "json"],
      ["show", "--json"],
    ]) {
      const out = await evalkit(...args)
      expect(out.code, out.stderr).toBe(0)
      said.push(out.stdout, out.stderr)
    }
    const kept = [...filesIn(join(cwd, ".evalkit")), readFileSync(join(cwd, "page.html"), "utf8"), ...said]
    const archive = readFileSync(join(cwd, "run.evalkit.jsonl"), "utf8")
    expect(archive).toContain("[person 1]")
    for (const text of [...kept, archive]) expect(leftIn(text)).toEqual([])
    const second = await evalkit("import", "calls.jsonl", ...options)
    expect(second.stdout).toContain("is in the store already")
  }, 120_000)

  it("writes data sets of logs and of rows without them; without --redact all of it is kept", async () => {
    expect((await evalkit("import", "calls.jsonl", "--as-dataset", "as-it-is")).code).toBe(0)
    const whole = filesIn(join(cwd, "as-it-is")).join("\n")
    expect(leftIn(whole)).toHaveLength(planted.length)
    const out = await evalkit("import", "calls.jsonl", "--as-dataset", "clean", ...options, "--json")
    const [{ notes, samples }] = JSON.parse(out.stdout)
    expect(samples).toBe(calls.length)
    expect(notes.at(-1)).toContain("redacted")
    expect(leftIn([...filesIn(join(cwd, "clean")), out.stdout, out.stderr].join("\n"))).toEqual([])
    const rows = await evalkit("import", "rows.csv", "--as-dataset", "rows", "--redact")
    expect(rows.stdout + rows.stderr).toContain("1 name of a person and 1 e-mail address redacted")
    expect(filesIn(join(cwd, "rows"))[0]).toContain("My name is [person 1], [email 1]")
  })

  it("pairs two logs that one key redacted, and refuses keys that are none, archives and options alone", async () => {
    writeFileSync(join(cwd, "own.key"), "thirty-two characters of a secret")
    writeFileSync(join(cwd, "short.key"), "short")
    const ids: string[][] = []
    for (const [name, own] of [["a", calls.slice(0, 16)] as const, ["b", calls.slice(0, 16).toReversed()] as const]) {
      writeFileSync(join(cwd, `${name}.jsonl`), `${own.map(line).join("\n")}\n`)
      await evalkit("import", `${name}.jsonl`, "--as-dataset", `of-${name}`, ...options, "--pseudonym-key", "own.key")
      const lines = readFileSync(join(cwd, `of-${name}`, "samples.jsonl"), "utf8")
        .trim()
        .split("\n")
      ids.push(lines.map((text) => JSON.parse(text).id as string).sort())
    }
    expect(ids[0]).toEqual(ids[1])
    const refused = async (...args: readonly string[]) => (await evalkit("import", ...args)).stderr
    expect(await refused("calls.jsonl", "--redact", "--pseudonym-key", "short.key")).toContain("at least 16 bytes")
    expect(await refused("calls.jsonl", "--redact", "--pseudonym-key", "none.key")).toContain("cannot be read")
    expect(await refused("calls.jsonl", "--pseudonym-key", "own.key")).toContain("add: --redact")
    expect(await refused("run.evalkit.jsonl", "--redact")).toContain("leave --redact away")
  })
})
