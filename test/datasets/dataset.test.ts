import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { basename, dirname } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { dataset } from "../../datasets/dataset.ts"
import { inline } from "../../datasets/inline.ts"
import { limitDataset } from "../../datasets/part/limit.ts"
import { collect, temporaryFiles, usageError } from "./support.ts"

const write = temporaryFiles()

describe("fields", () => {
  it("are found under their usual names; the rest is metadata", async () => {
    const [sample] = await collect(
      inline([
        {
          _id: 7,
          question: "2 + 2?",
          answers: [4, "four"],
          passages: "A passage.",
          options: { text: ["3", "4"], label: ["A", "B"] },
          expected_tools: [{ function: { name: "add", arguments: '{"a":2}' } }],
          group: "g",
          cluster: 3,
          label: true,
          task: "sum",
          answer: "not used",
        },
      ]).samples(),
    )
    expect(sample).toEqual({
      id: "7",
      input: "2 + 2?",
      references: ["4", "four"],
      context: ["A passage."],
      choices: ["3", "4"],
      expectedTools: [{ name: "add", arguments: { a: 2 } }],
      group: "g",
      cluster: "3",
      label: true,
      metadata: { task: "sum", answer: "not used" },
    })
  })

  it("are taken from a column, a dotted path or a function", async () => {
    const rows = [{ key: "a", "x.y": "plain", deep: { list: ["zero", "one"] }, n: 2 }]
    const mapped = inline(rows, {
      fields: { id: "key", input: "deep.list.1", references: (row) => String(Number(row.n) * 2), context: "x.y" },
    })
    expect(await collect(mapped.samples())).toEqual([
      {
        id: "a",
        input: "one",
        references: ["4"],
        context: ["plain"],
        choices: [],
        expectedTools: [],
        metadata: { deep: { list: ["zero", "one"] }, n: 2 },
      },
    ])
  })

  it("a mapping does not reach inherited properties", async () => {
    const error = await usageError(collect(inline([{ id: 1 }], { fields: { input: "constructor.name" } }).samples()))
    expect(error.message).toContain('field "input": the row has no "constructor.name"')
  })

  it("state the original of a changed copy; anything else in that field is a bad row", async () => {
    const copyOf = { id: "q1", kind: "perturbed", change: "typos" } as const
    const [copy, original] = await collect(
      inline([
        { id: "q2", copyOf },
        { id: "q1", copyOf: null },
      ]).samples(),
    )
    expect(copy).toMatchObject({ id: "q2", copyOf, metadata: {} })
    expect(original).not.toHaveProperty("copyOf")
    for (const wrong of ["q1", { ...copyOf, kind: "other" }, { ...copyOf, id: 7 }]) {
      const error = await usageError(collect(inline([{ id: "q2", copyOf: wrong }]).samples()))
      expect(error.message).toContain('field "copyOf": expected')
    }
  })

  it("chat messages are an input", async () => {
    const [sample] = await collect(
      inline([
        {
          messages: [
            { role: "developer", content: "Be short." },
            { role: "user", content: [{ type: "text", text: "Hello" }] },
          ],
        },
      ]).samples(),
    )
    expect(sample?.input).toEqual([
      { role: "system", content: "Be short." },
      { role: "user", content: "Hello" },
    ])
  })

  it("a row without an id is named by its number in the file", async () => {
    const path = await write("noid.jsonl", '{"input":"a"}\n\n{"input":"b"}\n')
    const ids = (await collect(dataset(path).samples())).map((sample) => sample.id)
    expect(ids).toEqual(["row-1", "row-2"])
  })

  it("an empty CSV cell is not given, except as input", async () => {
    const path = await write("empty.csv", "id,input,reference,group\na,,,\n")
    const [sample] = await collect(dataset(path).samples())
    expect(sample).toMatchObject({ input: "", references: [] })
    expect(sample?.group).toBeUndefined()
  })

  it.each([
    [{ id: { a: 1 } }, "id", "expected a text or a number, got an object"],
    [{ id: 2 ** 60 }, "id", "beyond 2^53"],
    [{ input: { a: 1 } }, "input", "expected a text or a list of chat messages, got an object"],
    [
      { input: [{ role: "robot", content: "x" }] },
      "input",
      'message 0: expected the role system, user, assistant, tool, got "robot"',
    ],
    [{ input: [{ role: "user", content: [{ type: "video" }] }] }, "input", "content parts other than text"],
    [{ references: ["a", null] }, "references", "expected a list of texts, got null"],
    [{ expectedTools: "add" }, "expectedTools", "expected a list of tool calls"],
  ])("of a wrong kind are a bad row: %j", async (row, field, reason) => {
    const rows = inline([row, { input: "fine" }], { onBadRow: "skip" })
    expect((await collect(rows.samples())).length).toBe(1)
    expect(rows.skipped()).toEqual([{ where: "inline#1", field, reason: expect.stringContaining(reason) }])
  })
})

describe("duplicate ids", () => {
  it("name both lines; numbers and texts are the same id", async () => {
    const path = await write("twice.jsonl", '{"id":1}\n{"id":"2"}\n{"id":"1"}\n')
    const error = await usageError(collect(dataset(path).samples()))
    expect(error.message).toContain(`field "id": "1" is already the id of ${path}:1`)
    expect(error.where).toBe(`${path}:3`)
    expect(error.hint).toBe('correct the row, or leave such rows out with onBadRow: "skip"')
    const skipping = dataset(path, { onBadRow: "skip" })
    expect((await collect(skipping.samples())).map((sample) => sample.id)).toEqual(["1", "2"])
    expect(skipping.skipped().map((row) => row.where)).toEqual([`${path}:3`])
  })
})

const hundred = Array.from({ length: 100 }, (_, i) => ({
  id: String(i),
  input: `question ${i}`,
  group: i < 90 ? "common" : i < 99 ? "rare" : "single",
}))

describe("selection", () => {
  const ids = async (set: ReturnType<typeof inline>) => (await collect(set.samples())).map((sample) => sample.id)

  it("filters, then limits", async () => {
    expect(await ids(inline(hundred, { filter: (sample) => sample.group !== "common", limit: 3 }))).toEqual([
      "90",
      "91",
      "92",
    ])
    expect(await ids(inline(hundred, { limit: 0 }))).toEqual([])
  })

  it("shuffles the same way for the same seed", async () => {
    const first = await ids(inline(hundred, { shuffle: { seed: 1 } }))
    expect(await ids(inline(hundred, { shuffle: true }))).toEqual(first)
    expect(await ids(inline(hundred, { shuffle: { seed: 2 } }))).not.toEqual(first)
    expect([...first].sort()).toEqual(hundred.map((row) => row.id).sort())
  })

  it("draws a subset in file order", async () => {
    const drawn = await ids(inline(hundred, { sample: { n: 10, seed: 3 } }))
    expect(drawn.length).toBe(10)
    expect(drawn).toEqual([...drawn].sort((a, b) => Number(a) - Number(b)))
    expect(await ids(inline(hundred, { sample: { n: 10, seed: 3 } }))).toEqual(drawn)
    expect((await ids(inline(hundred, { sample: { n: 1000 } }))).length).toBe(100)
  })

  it("keeps each stratum's share, and at least one of each", async () => {
    const drawn = await collect(inline(hundred, { sample: { n: 10, by: "group" } }).samples())
    const count = (group: string) => drawn.filter((sample) => sample.group === group).length
    expect([count("common"), count("rare"), count("single")]).toEqual([8, 1, 1])
  })

  it("stratifies by a metadata field too", async () => {
    const rows = hundred.map(({ id, group }) => ({ id, kind: group }))
    const drawn = await collect(inline(rows, { sample: { n: 20, by: "kind" } }).samples())
    expect(drawn.filter((sample) => sample.metadata.kind === "common").length).toBe(17)
  })

  it("refuses a text that is not a number", () => {
    expect(() => inline(hundred, { limit: -1 })).toThrow("dataset option limit")
    expect(() => inline(hundred, { sample: { n: Number.NaN } })).toThrow("dataset option sample.n")
  })

  it("limitDataset has the fingerprint of what is left", async () => {
    const all = inline(hundred)
    expect(await limitDataset(all, 5).fingerprint()).toBe(await inline(hundred.slice(0, 5)).fingerprint())
    expect(await limitDataset(all, 200).fingerprint()).toBe(await all.fingerprint())
  })
})

describe("fingerprint", () => {
  it("depends on the content, not on the path, the format or the order of the columns", async () => {
    const text = await write("one.jsonl", '{"id":"1","input":"a","x":"y"}\n')
    const two = await write("two.csv", "x,input,id\ny,a,1\n")
    const three = await write("three.jsonl", '{"id":"1","input":"b","x":"y"}\n')
    expect(await dataset(two).fingerprint()).toBe(await dataset(text).fingerprint())
    expect(await dataset(three).fingerprint()).not.toBe(await dataset(text).fingerprint())
    expect(await dataset(text).fingerprint()).toMatch(/^[0-9a-f]{32}$/)
  })

  it("changes with the order of the samples", async () => {
    const order = (seed: number) => inline(hundred, { shuffle: { seed } }).fingerprint()
    expect(await order(1)).not.toBe(await order(2))
  })
})

describe("the location of the data", () => {
  it("relative to baseDirectory, or as a file: URL", async () => {
    const path = await write("here.jsonl", '{"id":"1"}\n')
    const relative = dataset(basename(path), { baseDirectory: dirname(path) })
    expect(relative).toMatchObject({ name: "here", source: "here.jsonl" })
    expect((await collect(relative.samples())).length).toBe(1)
    expect((await collect(dataset(pathToFileURL(path)).samples())).length).toBe(1)
    expect(dataset(pathToFileURL(path), { baseDirectory: dirname(path) }).source).toBe("here.jsonl")
    expect((await collect(dataset(pathToFileURL(path).href).samples())).length).toBe(1)
  })

  it("resolveFrom moves relative paths, unless baseDirectory was given", async () => {
    const path = await write("moved.jsonl", '{"id":"1"}\n')
    const moved = dataset("moved.jsonl").resolveFrom?.(dirname(path))
    expect((await collect(moved?.samples() ?? inline([]).samples())).length).toBe(1)
    const fixed = dataset("moved.jsonl", { baseDirectory: dirname(path) }).resolveFrom?.("/nowhere")
    expect((await collect(fixed?.samples() ?? inline([]).samples())).length).toBe(1)
  })

  it("other protocols are refused", () => {
    expect(() => dataset("ftp://host/data.csv")).toThrow("data cannot be read over ftp:: ftp://host/data.csv")
  })

  it("a malformed URL is refused; unusual characters in a URL are accepted", () => {
    expect(() => dataset("http://:x/data.csv?token=secret")).toThrow("cannot be read: http://:x/data.csv")
    expect(dataset("http://host/a%zz.csv").name).toBe("a%zz")
  })

  it("stops when it is aborted", async () => {
    const stop = new AbortController()
    const work = (async () => {
      for await (const _ of inline(hundred).samples(stop.signal)) stop.abort(new Error("enough"))
    })()
    await expect(work).rejects.toThrow("enough")
  })
})

describe("over http", () => {
  let server: Server
  let origin: string
  let hits = 0
  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = new URL(request.url ?? "/", "http://localhost").pathname
      hits++
      if (path === "/rows.jsonl") return response.end('{"id":"1"}\n{"id":"2"}\n')
      if (path === "/moved.jsonl") return response.writeHead(302, { location: "/rows.jsonl?token=hidden" }).end()
      if (path === "/loop.jsonl") return response.writeHead(302, { location: "/loop.jsonl" }).end()
      if (path === "/file.jsonl") return response.writeHead(302, { location: "file:///etc/passwd" }).end()
      if (path === "/big.jsonl") return response.end("x".repeat(100_000))
      if (path === "/hang.jsonl") return response.write('{"id":')
      return response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })

  it("is fetched once for any number of passes, and shown without its query", async () => {
    hits = 0
    const set = dataset(`${origin}/moved.jsonl?token=secret`, { limits: { privateAddresses: true } })
    expect(set.source).toBe(`${origin}/moved.jsonl`)
    expect((await collect(set.samples())).length).toBe(2)
    await set.fingerprint()
    expect(hits).toBe(2)
  })

  it.each([
    ["/none.jsonl", "answered 404"],
    ["/loop.jsonl", "Too many redirects"],
    ["/file.jsonl", "A redirect to file: is refused"],
    ["/big.jsonl", "larger than 50000 bytes"],
    ["/hang.jsonl", "no data for 200 ms"],
  ])("%s: %s", async (path, reason) => {
    const set = dataset(`${origin}${path}?token=secret`, {
      limits: { timeoutMs: 200, maxBytes: 50_000, privateAddresses: true },
    })
    const error = await collect(set.samples()).then(
      () => undefined,
      (caught: Error) => caught,
    )
    expect(error?.message).toContain(reason)
    expect(error?.message).not.toContain("secret")
  })
})
