import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { dataset } from "../../datasets/dataset.ts"
import { readAnswers } from "../../judges/checklist.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { UsageError } from "../../src/core/errors.ts"
import { costOfUsage } from "../../src/cost/cost-of-usage.ts"
import { parseChatBody } from "../../src/local-model/serve/request-body.ts"
import { recorded } from "../../src/providers/recorded.ts"
import { sealed } from "../store/archive/archive-support.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { faultOfCommand } from "./faults.ts"
import { editBytes } from "./inputs.ts"
import { openRoom, type Room } from "./room.ts"
import { changedArchive } from "./surfaces/archives.ts"
import { parquet } from "./surfaces/data-files.ts"

/** Every fault that an arbitrary input has found, by its name. */
let room: Room
beforeAll(async () => {
  room = await openRoom()
})
afterAll(() => room.close())

const inRoom = async (...args: readonly string[]) => {
  const ended = await room.command(args)
  expect(faultOfCommand(ended)).toBeNull()
  return ended
}

describe("a config", () => {
  const provider = fakeProvider("m", () => fakeAnswer("x"))

  it.each([
    ["kind", 5],
    ["model", undefined],
    ["endpoint", null],
    ["label", {}],
    ["identity", "x"],
    ["price", () => 1],
  ])("with a provider whose %s is something else is refused with its path", async (field, value) => {
    const config = { variants: [{ name: "a", provider: { ...provider, [field]: value } }] }
    await expect(validateConfig(config)).rejects.toThrow(new RegExp(`variants\\[0\\]\\.provider\\.${field}: expected`))
  })

  it.each([
    ["aggregation", { kind: 1n }],
    ["aggregation", { kind: "sum", size: 2 }],
    ["recipe", { metric: "bleu", options: { n: 1n } }],
  ])("with a metric whose %s cannot be kept is refused with its path", async (field, value) => {
    const config = { metrics: [{ ...exactMatch(), [field]: value }] }
    await expect(validateConfig(config)).rejects.toThrow(new RegExp(`metrics\\[0\\]\\.${field}: expected`))
  })

  it.each([
    ["id", Symbol("x"), /field "id": expected JSON, got a symbol: inline#1/],
    ["note", 1n, /field "note": expected JSON, got a bigint/],
    ["note", [() => 1], /field "0": expected JSON, got a function/],
    ["note", Number.NaN, /field "note": expected JSON, got NaN/],
  ])("with a row of its own that no file could hold (%s) is refused with its place", async (field, value, said) => {
    const { dataset: rows } = await validateConfig({ dataset: [{ id: "a", input: "1", [field]: value }] })
    const read = async () => {
      for await (const _ of rows!.samples()) void _
    }
    await expect(read()).rejects.toThrow(said)
  })

  it("with a value that throws when it is looked at is refused", async () => {
    const touched = () => {
      throw new Error("it was touched")
    }
    const proxy = new Proxy({}, { get: touched, has: touched, ownKeys: touched })
    await expect(validateConfig({ metrics: [proxy] })).rejects.toThrow(/cannot be read: it was touched/)
  })

  it("with a metric whose name is no text, or that throws where it is summed up, is named", async () => {
    await expect(validateConfig({ metrics: [{ measure() {}, summarise() {}, name: undefined }] })).rejects.toThrow(
      /metrics\[0\]\.name: expected a text, got nothing/,
    )
    const text = `import { exactMatch, recorded } from "evalkit"
      const metric = { ...exactMatch(), name: "own", KEY: () => { throw null } }
      export default { dataset: [{ id: "a", input: "1", reference: "1" }], metrics: [metric],
        variants: [{ name: "one", provider: recorded([{ id: "a", text: "1" }]) }] }`
    for (const key of ["summarise", "section"]) {
      writeFileSync(join(room.cwd, `${key}.config.mjs`), text.replace("KEY", key))
      const { code, err } = await inRoom("run", `${key}.config.mjs`, "--directory", ".own", "--no-html")
      expect(err).toContain(`a metric failed: null: ${key} of own; the answers are kept`)
      expect(code).toBe(2)
    }
    writeFileSync(join(room.cwd, "close.config.mjs"), text.replace("KEY", "close"))
    const { code } = await inRoom("run", "close.config.mjs", "--directory", ".own", "--no-html")
    expect(code).toBe(0)
  })

  it("with more calls than can be counted through is refused at once", async () => {
    const text = `import { recorded } from "evalkit"
      export default { dataset: [{ id: "a", input: "1" }], repeats: REPEATS,
        variants: [{ name: "one", provider: recorded([{ id: "a", text: "1" }]) }] }`
    const said =
      "1 sample × 1 variant × 1,000,000,000,000,000 repeats are 1,000,000,000,000,000 calls, and a run has at most 1,000,000,000"
    for (const [name, repeats, options] of [
      ["many", 1e15, []],
      ["once", 1, ["--repeats", "1000000000000000"]],
      ["looked-at", 1e15, ["--dry-run"]],
    ] as const) {
      writeFileSync(join(room.cwd, `${name}.config.mjs`), text.replace("REPEATS", String(repeats)))
      const { code, err } = await inRoom("run", `${name}.config.mjs`, "--directory", ".own", "--no-html", ...options)
      expect({ name, code, err }).toMatchObject({ name, code: 2, err: expect.stringContaining(said) })
    }
  })

  it("with a provider that opens to nothing, or whose identity cannot be written down, is named, and leaves no timer", async () => {
    const text = `import { recorded } from "evalkit"
      const provider = recorded([{ id: "a", text: "1" }])
      export default { dataset: [{ id: "a", input: "1" }], variants: [{ name: "one", provider: { ...provider, MEMBER } }] }`
    const fail = "() => { throw new Error('it was touched') }"
    const lost: unknown[] = []
    const note = (error: unknown) => lost.push(error)
    process.on("uncaughtException", note)
    for (const [name, member, said] of [
      ["open", "open: () => 1", "open() gave no session"],
      ["identity", `identity: new Proxy({}, { get: ${fail}, ownKeys: ${fail} })`, "it was touched: variant one"],
      ["asks", `get isRecord() { return 1 }, open: ${fail}`, "it was touched"],
    ] as const) {
      writeFileSync(join(room.cwd, `${name}.config.mjs`), text.replace("MEMBER", member))
      const { code, err, out } = await room.command(["run", `${name}.config.mjs`, "--directory", ".own", "--no-html"])
      expect({ name, code, said: err + out }).toMatchObject({ name, said: expect.stringContaining(said) })
      expect([2, 5]).toContain(code)
    }
    await new Promise((end) => setTimeout(end, 1_100))
    process.off("uncaughtException", note)
    expect(lost).toEqual([])
  })

  it("that throws an error whose message or stack throws in turn is named", async () => {
    writeFileSync(
      join(room.cwd, "throws.config.mjs"),
      "throw Object.defineProperty(new Error(), 'message', { get() { throw 2 } })",
    )
    const { code, err } = await inRoom("run", "throws.config.mjs")
    expect(err).toMatch(/something was thrown that cannot be shown: throws\.config\.mjs/)
    expect(code).toBe(2)
  })
})

describe("a command line", () => {
  it("with an option that lacks its value has exit code 2 and says which", async () => {
    const { code, err } = await inRoom("plan", "--difference", "0.1", "--id")
    expect(err).toBe("evalkit: --id needs a value: npx evalkit plan; write --id VALUE; see: npx evalkit plan --help\n")
    expect(code).toBe(2)
  })

  it("with names that are no file's, in every place that may take one, is refused in words", async () => {
    const long = "x".repeat(300)
    await inRoom("compare", long, "old")
    await inRoom("compare", `${long}:a`, `${long}:b`)
    for (const from of ["", ".", "missing/promptfooconfig.yaml", long]) {
      const { code } = await inRoom("init", "NaN", "--from", from)
      expect({ from, code }).toEqual({ from, code: 2 })
    }
  })

  it("that is interrupted before anything was asked has exit code 130", async () => {
    const { code, err } = await room.command(["run", "--no-html"], 0)
    expect(err).not.toMatch(/aborted/)
    expect(code).toBe(130)
  })
})

describe("a file", () => {
  it("of Parquet whose pages have no size, or a false one, ends with a message", async () => {
    // The second page's length was read as a part of the first: hyparquet then went round in circles for ever.
    const bytes = Buffer.from(parquet)
    const levels = bytes.indexOf(Buffer.from([0x15, 0x06, 0x15, 0x22])) + 1
    for (const at of [levels, levels + 2, levels + 4])
      for (const byte of [0xfe, 0xff, 0x01]) {
        const edit = { at, kind: "set", byte, length: 0, text: "" } as const
        const path = room.file("damaged.parquet", editBytes(bytes, [edit]))
        const read = async () => {
          for await (const _ of dataset(path).samples());
        }
        await expect(read()).rejects.toThrow(UsageError)
        await expect(read()).rejects.toThrow(/^the Parquet file cannot be read: (parquet |its bytes)/)
      }
  })

  it("of Parquet with several damaged columns leaves no error to nobody", async () => {
    const lost: unknown[] = []
    const note = (error: unknown) => lost.push(error)
    process.on("unhandledRejection", note)
    const bytes = Buffer.from(parquet)
    // The compressed bytes of the second and the third column, whose pages begin at 44 and 84.
    for (const at of [67, 68, 107, 108]) bytes[at] = 0xff
    const path = room.file("columns.parquet", bytes)
    for (let i = 0; i < 20; i++)
      await expect(
        (async () => {
          for await (const _ of dataset(path).samples());
        })(),
      ).rejects.toThrow(UsageError)
    await new Promise((end) => setTimeout(end, 20))
    process.off("unhandledRejection", note)
    expect(lost).toEqual([])
  })

  it("of an archive whose kind of a line is a list is refused", async () => {
    const kinds = room.archive.slice(0, -1).map((line) => JSON.parse(line).kind)
    const edits = [{ at: 0, kind: "wrap", value: null }] as const
    for (const kind of new Set(kinds)) {
      const at = kinds.indexOf(kind)
      room.file("kind.evalkit.jsonl", changedArchive(room, at, [{ ...edits[0], at: 1 }, edits[0]]))
      const { code, err } = await inRoom("import", "kind.evalkit.jsonl", "--directory", "store-kind")
      // A first line that is no line of an archive makes the file one of something else.
      expect(err).toMatch(at === 0 ? /no log that evalkit knows/ : /not a whole evalkit archive/)
      expect(code).toBe(2)
    }
  })

  it("of an archive whose report has sections that are not what their kind says is drawn all the same", async () => {
    const at = room.archive.findIndex((line) => line.startsWith('{"kind":"report"'))
    const { report } = JSON.parse(room.archive[at] as string)
    const kinds: readonly string[] = report.sections.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(["context_window", "tokens"]))
    for (const spoil of [spoilFirstName, spoilFirstCell]) {
      const sections = report.sections.map((section: object) => spoil(structuredClone(section) as never))
      const lines = room.archive.slice(0, -1)
      lines[at] = JSON.stringify({ kind: "report", report: { ...report, sections } })
      room.file("sections.evalkit.jsonl", `${sealed(lines).join("\n")}\n`)
      const directory = ["--directory", `store-${spoil.name}`]
      expect((await inRoom("import", "sections.evalkit.jsonl", ...directory)).code).toBe(0)
      for (const format of ["html", "md", "json", "terminal"])
        expect((await inRoom("report", "--format", format, ...directory)).code).toBe(0)
      expect((await inRoom("import", "sections.evalkit.jsonl", ...directory)).out).toMatch(/with the same content/)
    }
  })

  it("or rows of recorded answers that are no list are refused", () => {
    for (const rows of [null, {}, 5]) expect(() => recorded(rows as never)).toThrow(/a file or a list of rows/)
  })
})

describe("a reply, a price, a request", () => {
  it("of a judge whose answers are objects without a text is one that cannot be read", () => {
    const reply = '{"answers":[{"toString":1,"valueOf":2},"yes"]}'
    expect(readAnswers(reply, ["a?", "b?"], [])).toHaveProperty("problem")
  })

  it("with a rate that no cost can be computed from has no known cost", () => {
    const price = { kind: "tokens", inputPerMillion: 1e308, outputPerMillion: 1e308, source: "x", date: "x" } as const
    const usage = { promptTokens: 1e8, completionTokens: 1e8, cachedPromptTokens: null, reasoningTokens: null }
    expect(costOfUsage(usage, price)).toMatchObject({ status: "unknown", reason: expect.stringContaining("too large") })
  })

  it("with a schema nested 50,000 levels deep is refused by a sentence", () => {
    const schema = JSON.parse(`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`) as object
    const body = {
      messages: [{ role: "user", content: "Hi" }],
      response_format: { type: "json_schema", json_schema: { schema } },
    }
    expect(() => parseChatBody(body)).toThrow(/nested 64 levels deep at most/)
  })
})

interface Spoilt {
  readonly data: { readonly variants?: object[]; readonly rows?: unknown[][] }
}

function spoilFirstName(section: Spoilt): Spoilt {
  Reflect.deleteProperty(section.data.variants?.[0] ?? {}, "variant")
  return section
}

function spoilFirstCell(section: Spoilt): Spoilt {
  section.data.rows?.[0]?.splice(0, 2, {}, [])
  return section
}
