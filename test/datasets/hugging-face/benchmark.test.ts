import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { parquetWriteBuffer } from "hyparquet-writer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { dataset } from "../../../datasets/dataset.ts"
import { main } from "../../../src/cli/main.ts"
import { validateConfig } from "../../../src/config/validate.ts"
import type { Sample } from "../../../src/core/sample.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { scratchDirectory } from "../../support/scratch.ts"

/** A benchmark as its repository declares it: two tasks, of which one asks with choices. */
const evalYaml = `
name: Capitals
description: >
  Countries and their capitals.
evaluation_framework: inspect-ai
tasks:
  - id: free
    config: default
    split: test
    field_spec: { input: Question, target: Answer, metadata: [region] }
    solvers: [{ name: generate }]
    scorers: [{ name: model_graded_fact, args: { model: openai/o3-mini } }]
  - id: choice
    config: picks
    split: validation
    epochs: 4
    shuffle_choices: true
    field_spec: { input: Question, target: right, choices: [first, second] }
    solvers: [{ name: multiple_choice }]
    scorers: [{ name: choice }]
`

const rows = (from: number, count: number) => {
  const ids = Array.from({ length: count }, (_, i) => from + i)
  const column = (name: string, data: unknown[]) => ({ name, data, type: "JSON" as const })
  return new Uint8Array(
    parquetWriteBuffer({
      // Small row groups, so that more than one is read.
      rowGroupSize: 50,
      columnData: [
        column(
          "Question",
          ids.map((i) => `capital of ${i}?`),
        ),
        column(
          "Answer",
          ids.map((i) => `city ${i}`),
        ),
        column(
          "right",
          ids.map((i) => i % 2),
        ),
        column(
          "first",
          ids.map((i) => `A${i}`),
        ),
        column(
          "second",
          ids.map((i) => `B${i}`),
        ),
        column(
          "region",
          ids.map(() => "north"),
        ),
      ],
    }),
  )
}

async function samplesOf(set: { samples(): AsyncIterable<Sample> }): Promise<Sample[]> {
  const all: Sample[] = []
  for await (const sample of set.samples()) all.push(sample)
  return all
}

/** The repository as a folder that somebody cloned. */
function cloned(): string {
  const folder = join(scratchDirectory(), "capitals")
  mkdirSync(join(folder, "data"), { recursive: true })
  mkdirSync(join(folder, "picks"))
  writeFileSync(join(folder, "eval.yaml"), evalYaml)
  writeFileSync(join(folder, "data/test-00000-of-00002.parquet"), rows(0, 120))
  writeFileSync(join(folder, "data/test-00001-of-00002.parquet"), rows(120, 30))
  writeFileSync(join(folder, "data/testimony.parquet"), rows(900, 1))
  writeFileSync(
    join(folder, "picks/validation.jsonl"),
    '{"Question":"q","right":1,"first":"A","second":"B"}\n{"Question":"r","right":26,"first":"A","second":"B"}\n',
  )
  return folder
}

describe("eval.yaml of a benchmark", () => {
  it("gives the rows of a task in a folder: every file of its split, no other", async () => {
    const folder = cloned()
    const set = dataset(join(folder, "eval.yaml"), { task: "free" })
    expect(set.name).toBe("capitals")
    const samples = await samplesOf(set)
    expect(samples).toHaveLength(150)
    expect(samples[149]).toMatchObject({
      ...{ id: "row-150", input: "capital of 149?", references: ["city 149"] },
      metadata: { region: "north" },
    })
    expect(await samplesOf(set)).toEqual(samples)
  })

  it("has choices, of which the right one is a letter, and says which row has none", async () => {
    const set = dataset(join(cloned(), "eval.yaml"), { task: "choice", onBadRow: "skip" })
    expect(await samplesOf(set)).toMatchObject([{ input: "q", references: ["B"], choices: ["A", "B"] }])
    expect(set.skipped()).toMatchObject([
      {
        where: expect.stringMatching(/validation\.jsonl:2$/),
        field: "right",
        reason: expect.stringContaining("A to Z"),
      },
    ])
  })

  it("is a config's data set, by its path alone", async () => {
    const folder = cloned()
    const text = evalYaml.slice(0, evalYaml.indexOf("  - id: choice"))
    writeFileSync(join(folder, "one.yaml"), text.replace("target: Answer", '"target": "literal:a: b"'))
    const { dataset: set } = await validateConfig(
      { dataset: "one.yaml" },
      { configPath: join(folder, "eval.config.ts") },
    )
    expect((await samplesOf(set!))[0]).toMatchObject({ references: ["a: b"] })
  })

  it.each([
    ["tasks: []", {}, /no list of tasks/],
    [evalYaml, {}, /the YAML has 2 tasks: .*name one with task: free, choice/],
    [evalYaml, { task: "none" }, /no task "none"/],
    ["tasks: [{ field_spec: { input: q, split: ../../etc } }]", {}, /field_spec\.split is not read here/],
    ["tasks: [{ split: ../../etc, field_spec: { input: q } }]", {}, /expected a name of letters.*tasks\[0\]\.split/],
    ["tasks: [{ config: .., field_spec: { input: q } }]", {}, /expected a name of letters/],
    ["tasks: [{ split: nowhere, field_spec: { input: q } }]", {}, /no file of the split "nowhere"/],
    ["tasks: [{ field_spec: { input: q } }]", {}, /field "q": the row has no such column/],
    ["tasks: [{ field_spec: { target: q } }]", {}, /has no input/],
    ["tasks: [{ field_spec: { input: q, files: f } }]", {}, /field_spec\.files is not read here/],
    [`a: &a [x]\nb: &b [${"*a, ".repeat(200)}]\ntasks: [${"*b, ".repeat(200)}]`, {}, /YAML cannot be read/],
    ["\tx: [", {}, /YAML cannot be read/],
  ])("that says something else is refused: %s", async (text, options, said) => {
    const folder = cloned()
    writeFileSync(join(folder, "eval.yaml"), text)
    await expect(samplesOf(dataset(join(folder, "eval.yaml"), options))).rejects.toThrow(said)
  })

  it("is what task and data are for: with a table they are refused", () => {
    expect(() => dataset("rows.jsonl", { task: "x" })).toThrow(/only an eval\.yaml has tasks/)
  })
})

describe("a benchmark of the Hub", () => {
  let server: Server
  let origin: string
  const asked: string[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = request.url ?? ""
      asked.push(path)
      const base = "/datasets/org/capitals/resolve"
      if (path === `${base}/main/eval.yaml`) return response.end(evalYaml)
      if (path === "/api/datasets/org/capitals/parquet/default/test")
        return response.end(JSON.stringify([0, 1].map((i) => `${origin}/api/parquet/${i}.parquet`)))
      if (path === "/api/datasets/org/capitals/parquet/picks/validation") return response.end('["file:///etc/passwd"]')
      // As the Hub does: the API's address leads to the file.
      if (/^\/api\/parquet\/[01]\.parquet$/.test(path))
        return response.writeHead(302, { location: `/cdn${path.slice("/api".length)}` }).end()
      if (path === "/cdn/parquet/0.parquet") return response.end(rows(0, 120))
      if (path === "/cdn/parquet/1.parquet") return response.end(rows(120, 30))
      return response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const limits = { privateAddresses: true }
  const address = () => `${origin}/datasets/org/capitals/resolve/main/eval.yaml`

  it("has the rows of the Parquet files that the Hub made of a split, each fetched once for any number of passes", async () => {
    asked.length = 0
    const set = dataset(address(), { task: "free", limits })
    expect(set.name).toBe("capitals")
    expect(await samplesOf(set)).toHaveLength(150)
    expect((await samplesOf(set))[149]).toMatchObject({ input: "capital of 149?" })
    expect(asked).toHaveLength(6)
  })

  it("is refused on an address of this machine unless that is allowed, within its bounds, and never leads to a file", async () => {
    await expect(samplesOf(dataset(address(), { task: "free" }))).rejects.toThrow(/127\.0\.0\.1/)
    await expect(
      samplesOf(dataset(address(), { task: "free", limits: { ...limits, maxBytes: 1500 } })),
    ).rejects.toThrow(/larger than 1500 bytes/)
    await expect(samplesOf(dataset(address(), { task: "choice", limits }))).rejects.toThrow(
      /list of Parquet files cannot be read/,
    )
    const branch = address().replace("/main/", "/branch/")
    await expect(samplesOf(dataset(branch, { task: "free", limits }))).rejects.toThrow(/answered 404/)
  })

  it("and a Parquet file by its URL become a data set in a folder, all of it or nothing", async () => {
    const cwd = scratchDirectory()
    const evalkit = async (...args: readonly string[]) => {
      const io = fakeIo({ cwd })
      return { code: await main(["import", ...args], io), out: io.stdout(), err: io.stderr() }
    }
    const loopback = "--private-addresses"
    const parquet = `${origin}/api/parquet/1.parquet`
    const refused = await evalkit(parquet, "--as-dataset", "none")
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("127.0.0.1") })
    expect(existsSync(join(cwd, "none")) ? readdirSync(join(cwd, "none")) : []).toEqual([])
    expect(await evalkit(parquet, loopback)).toMatchObject({
      ...{ code: 2, err: expect.stringContaining("rows without answers make no run") },
    })

    const table = await evalkit(parquet, "--as-dataset", "table", loopback, "--json")
    expect(JSON.parse(table.out)).toMatchObject([{ recognised: "rows", samples: 30, answers: 0, recorded: null }])
    const task = await evalkit(address(), "--task", "free", "--sample", "20", "--as-dataset", "task", loopback)
    expect(task).toMatchObject({
      code: 0,
      out: "capitals: 20 samples in task/samples.jsonl\ncolumns: input, references\n",
    })
    const [first] = readFileSync(join(cwd, "task/samples.jsonl"), "utf8").split("\n")
    expect(JSON.parse(first as string)).toMatchObject({ references: [expect.stringMatching(/^city \d+$/)] })
    const read = await samplesOf(dataset(join(cwd, "task/samples.jsonl")))
    expect(read).toHaveLength(20)
    expect(read[0]).toMatchObject({ input: expect.stringMatching(/^capital of/), metadata: { region: "north" } })
  })
})
