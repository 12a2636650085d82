import { basename } from "node:path"
import fc from "fast-check"
import { parquetWriteBuffer } from "hyparquet-writer"
import { describe, expect, it } from "vitest"
import { readRows } from "../../datasets/read-rows.ts"
import type { SkippedRow } from "../../src/core/dataset.ts"
import { collect, temporaryFiles, usageError } from "./support.ts"

const write = temporaryFiles()

async function rows(name: string, content: string | Uint8Array, options: Parameters<typeof readRows>[1] = {}) {
  return (await collect(readRows(await write(name, content), options))).map(({ row }) => row)
}

async function fault(name: string, content: string | Uint8Array, options: Parameters<typeof readRows>[1] = {}) {
  const path = await write(name, content)
  const error = await usageError(collect(readRows(path, options)))
  return { message: error.message.replaceAll(path, name), where: error.where?.replace(path, name) }
}

async function skipping(name: string, content: string | Uint8Array) {
  const bad: SkippedRow[] = []
  const good = await rows(name, content, { onBadRow: (row) => bad.push(row) })
  return { good, bad: bad.map((row) => ({ ...row, where: basename(row.where) })) }
}

const expected = [
  { id: "1", text: "one" },
  { id: "2", text: "zwei, drei" },
]

describe("every format brings the same rows", () => {
  it.each([
    ["rows.jsonl", '{"id":"1","text":"one"}\n{"id":"2","text":"zwei, drei"}\n'],
    ["rows.ndjson", '{"id":"1","text":"one"}\n\n  \n{"id":"2","text":"zwei, drei"}'],
    ["rows.json", '[{"id":"1","text":"one"},\n {"id":"2","text":"zwei, drei"}]'],
    ["data.json", '{"version": 2, "data": [{"id":"1","text":"one"},{"id":"2","text":"zwei, drei"}]}'],
    ["rows.csv", 'id,text\n1,one\n2,"zwei, drei"\n'],
    ["semicolons.csv", '\ufeff\r\n"id";text\r\n1;one\r\n2;zwei, drei\r\n'],
    ["tabs.csv", 'id\t"text"\n1\tone\n2\tzwei, drei\n'],
    ["bars.csv", "id|text\r1|one\r2|zwei, drei\r"],
    ["rows.tsv", "id\ttext\n1\tone\n2\tzwei, drei\n"],
  ])("%s", async (name, content) => {
    expect(await rows(name, content)).toEqual(expected)
  })

  it("rows.parquet, with several row groups", async () => {
    const content = new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: "id", data: ["1", "2"] },
          { name: "text", data: ["one", "zwei, drei"] },
        ],
        rowGroupSize: 1,
      }),
    )
    expect(await rows("rows.parquet", content)).toEqual(expected)
  })

  it("Parquet's 64-bit integers, dates, lists and missing values become JSON", async () => {
    const content = new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: "small", data: [1n, 2n] },
          { name: "large", data: [2n ** 60n, 1n] },
          { name: "day", data: [new Date("2024-02-03T04:05:06Z"), null], type: "TIMESTAMP" },
          { name: "list", data: [{ a: [1, 2] }, null], type: "JSON" },
        ],
      }),
    )
    expect(await rows("types.parquet", content)).toEqual([
      { small: 1, large: "1152921504606846976", day: "2024-02-03T04:05:06.000Z", list: { a: [1, 2] } },
      { small: 2, large: 1, day: null, list: null },
    ])
  })

  it("takes the format from the option before the extension", async () => {
    expect(await rows("odd.txt", '{"id":"1"}', { format: "jsonl" })).toEqual([{ id: "1" }])
    expect((await fault("odd.txt", "")).message).toContain("format of the data cannot be determined")
  })

  it("gives the place of each row", async () => {
    const path = await write("where.csv", 'id,text\n1,"two\nlines"\n2,b\n')
    expect((await collect(readRows(path))).map(({ where }) => where)).toEqual([`${path}:2`, `${path}:4`])
    const json = await write("where.json", "[{}, {}]")
    expect((await collect(readRows(json))).map(({ where }) => where)).toEqual([`${json}#1`, `${json}#2`])
  })
})

describe("unusual but readable files", () => {
  it.each(["jsonl", "json", "csv", "tsv"])("an empty %s file has no rows", async (extension) => {
    expect(await rows(`empty.${extension}`, "")).toEqual([])
    expect(await rows(`bom.${extension}`, "\ufeff")).toEqual([])
    expect(await rows(`blank.${extension}`, "\r\n\r\n")).toEqual([])
  })

  it("a CSV file may have very many columns", async () => {
    const names = Array.from({ length: 50_000 }, (_, i) => `c${i}`)
    const [row] = await rows("wide.csv", `${names.join(",")}\n${names.join(",")}\n`)
    expect(Object.keys(row ?? {}).length).toBe(50_000)
  })

  it("a byte order mark is not part of the first field", async () => {
    expect(await rows("bom1.jsonl", '\ufeff{"id":"1"}\n')).toEqual([{ id: "1" }])
    expect(await rows("bom1.json", '\ufeff[{"id":"1"}]')).toEqual([{ id: "1" }])
    expect(await rows("bom1.csv", "\ufeffid\n1\n")).toEqual([{ id: "1" }])
  })

  it("CRLF ends a line", async () => {
    expect(await rows("crlf.jsonl", '{"id":"1"}\r\n{"id":"2"}\r\n')).toEqual([{ id: "1" }, { id: "2" }])
    expect(await rows("crlf.csv", 'id,text\r\n1,"a\r\nb"\r\n2,c\r\n')).toEqual([
      { id: "1", text: "a\r\nb" },
      { id: "2", text: "c" },
    ])
  })

  it("CSV values are texts, unless types are asked for", async () => {
    const csv = "a,b,c,d,e,f\n1.50,007,true,12345678901234567890,,-3e2\n"
    expect(await rows("types.csv", csv)).toEqual([
      { a: "1.50", b: "007", c: "true", d: "12345678901234567890", e: "", f: "-3e2" },
    ])
    expect(await rows("types.csv", csv, { inferTypes: true })).toEqual([
      { a: 1.5, b: "007", c: true, d: "12345678901234567890", e: "", f: -300 },
    ])
  })

  it("reads truth values as JSON, Python and spreadsheets write them", async () => {
    const csv = "a,b,c,d,e\ntrue,True,TRUE,False,Truest\n"
    expect(await rows("truth.csv", csv, { inferTypes: true })).toEqual([
      { a: true, b: true, c: true, d: false, e: "Truest" },
    ])
  })

  it("reads a line of 50 MB, and bounds longer ones", async () => {
    const long = "x".repeat(50_000_000)
    const [first, second] = await rows("long.jsonl", `{"text":"${long}"}\n{"text":"short"}\n`)
    expect(String(first?.text).length).toBe(50_000_000)
    expect(second).toEqual({ text: "short" })
    const bounded = await skipping("bounded.jsonl", '{"text":"short"}\n')
    expect(bounded.bad).toEqual([])
    const error = await fault("tight.jsonl", `{"a":"1"}\n{"a":"${"y".repeat(100)}"}\n`, { maxLineBytes: 50 })
    expect(error.message).toContain("longer than 50 bytes")
    expect(error.where).toBe("tight.jsonl:2")
  })

  it("a JSON array of many pieces is read to its end", async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => ({ id: i, text: `ä "${"]},{[".repeat(8)}" ${i}` }))
    expect(await rows("many.json", JSON.stringify(many))).toEqual(many)
    expect(await rows("whole.json", JSON.stringify({ data: many }))).toEqual(many)
  })

  it("prototype names are ordinary columns", async () => {
    const [row] = await rows("proto.jsonl", '{"__proto__":{"admin":true},"constructor":"c","id":"1"}')
    expect(Object.hasOwn(row ?? {}, "__proto__")).toBe(true)
    expect((row as { admin?: boolean }).admin).toBeUndefined()
    const [csv] = await rows("proto.csv", "__proto__,constructor\nx,y\n")
    expect(Object.entries(csv ?? {})).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ])
  })
})

describe("bad rows", () => {
  it("name file, line and reason", async () => {
    const error = await fault("bad.jsonl", '{"id":"1"}\n{"id":\n')
    expect(error.where).toBe("bad.jsonl:2")
    expect(error.message).toContain("not JSON")
  })

  it("can be skipped and are handed over", async () => {
    const { good, bad } = await skipping("skip.jsonl", '{"id":"1"}\n[1]\nnull\n{"id":"2"}\n{"id"')
    expect(good).toEqual([{ id: "1" }, { id: "2" }])
    expect(bad.map(({ where, reason }) => `${where} ${reason.slice(0, 24)}`)).toEqual([
      "skip.jsonl:2 expected an object, got ",
      "skip.jsonl:3 expected an object, got ",
      "skip.jsonl:5 not JSON: Expected ':' a",
    ])
  })

  it("nested too deep are bad rows, so that no later stage overflows", async () => {
    const deep = `{"id":1,"a":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`
    const { good, bad } = await skipping("deep.jsonl", `${deep}\n{"id":2}\n`)
    expect(good).toEqual([{ id: 2 }])
    expect(bad).toEqual([{ where: "deep.jsonl:1", field: null, reason: "nested deeper than 500 levels" }])
  })

  it("an array element that is not an object is a bad row, the others are read", async () => {
    const { good, bad } = await skipping("mixed.json", '[{"a":"]"}, 3, "x,[", {"b":{"c":[1]}}]')
    expect(good).toEqual([{ a: "]" }, { b: { c: [1] } }])
    expect(bad.map(({ where }) => where)).toEqual(["mixed.json#2", "mixed.json#3"])
  })

  it("a CSV record with another number of fields is a bad row", async () => {
    const { good, bad } = await skipping("count.csv", "a,b\n1,2\n3\n4,5,6\n7,8\n")
    expect(good).toEqual([
      { a: "1", b: "2" },
      { a: "7", b: "8" },
    ])
    expect(bad).toEqual([
      { where: "count.csv:3", field: null, reason: "expected 2 fields, got 1" },
      { where: "count.csv:4", field: null, reason: "expected 2 fields, got 3" },
    ])
  })

  it("invalid UTF-8 names the byte offset, and is never replaced silently", async () => {
    const content = Buffer.concat([
      Buffer.from('{"id":"ä"}\n{"id":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}\n{}\n'),
    ])
    const error = await fault("utf8.jsonl", content)
    expect(error.message).toContain(`invalid UTF-8 at byte offset ${content.indexOf(0x28)}`)
    expect(error.where).toBe("utf8.jsonl:2")
    expect((await skipping("utf8.jsonl", content)).good).toEqual([{ id: "ä" }, {}])
    const csv = Buffer.concat([Buffer.from("id\nä\n"), Buffer.from([0xff]), Buffer.from("\n")])
    const csvError = await fault("utf8.csv", csv)
    expect(csvError.message).toContain("invalid UTF-8 at byte offset 6")
    expect(csvError.where).toBe("utf8.csv:3")
    const cut = await fault("cut.json", Buffer.concat([Buffer.from("["), Buffer.from([0xe2, 0x82])]))
    expect(cut.message).toContain("invalid UTF-8 at byte offset 1: the file ends inside a character")
  })
})

describe("files that cannot be read further stop the run, also when rows may be skipped", () => {
  it.each([
    ["truncated.json", '[{"a":1},{"a"', "truncated", "truncated.json#2"],
    ["open.json", '[{"a":1},', "truncated", "open.json#2"],
    ["missing.json", '[{"a":1},,{}]', "missing", "missing.json#2"],
    ["after.json", "[{}] {}", "follows", "after.json#2"],
    ["object.json", '{"data": [{"a":1}', "not one JSON document", "object.json"],
    ["nodata.json", '{"rows": []}', 'an object with an array "data"', "nodata.json"],
    ["quotes.csv", 'a,b\n1,2\n3,"open\n4,5\n', "unbalanced quotes", "quotes.csv:3"],
    ["twice.csv", "a,b,a\n1,2,3\n", 'two columns have the name "a"', "twice.csv:1"],
    ["not.parquet", "PAR1 no", "cannot be read", "not.parquet#1"],
  ])("%s", async (name, content, reason, where) => {
    const error = await fault(name, content, { onBadRow: () => {} })
    expect(error.message).toContain(reason)
    expect(error.where).toBe(where)
  })

  it("a bad row is advised on without the option of a data set, which whoever reads rows does not have", async () => {
    const error = await usageError(collect(readRows(await write("broken.jsonl", '{"id":1}\n{"id":\n'))))
    expect(error.hint).toBe("correct the row, or take it out of the file")
  })

  it("a missing file is named with the folder it was expected in", async () => {
    const error = await usageError(collect(readRows("no-such.jsonl", { baseDirectory: "/nowhere" })))
    expect(error.message).toContain("there is no such data file: no-such.jsonl; looked at /nowhere/no-such.jsonl")
  })
})

describe("round trips", () => {
  const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>, { maxKeys: 5 })
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

  it("any JSON objects survive as JSONL, with LF and CRLF", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(json, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"), async (objects, end) => {
        const text = objects.map((object) => JSON.stringify(object) + end).join("")
        expect(await rows("fuzz.jsonl", text)).toEqual(objects.map(plain))
      }),
      { numRuns: 60 },
    )
  })

  it("any JSON objects survive as a JSON array, whatever the white space", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(json, { maxLength: 8 }), fc.constantFrom(0, 1, 2), async (objects, indent) => {
        expect(await rows("fuzz.json", JSON.stringify(objects, null, indent))).toEqual(objects.map(plain))
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ["csv", ","],
    ["tsv", "\t"],
  ])("any texts survive as quoted %s", async (extension, delimiter) => {
    const field = fc.string({ unit: fc.constantFrom("a", "ß", "😀", '"', ",", "\t", "\n", "\r\n", " ", ";", "'") })
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(field, field), { maxLength: 6 }), async (records) => {
        const text = [["one", "two"], ...records].map((record) => record.map(quote).join(delimiter)).join("\n")
        expect(await rows(`fuzz.${extension}`, text)).toEqual(
          records.map(([first, second]) => ({ one: first, two: second })),
        )
      }),
      { numRuns: 80 },
    )
  })

  it("bytes of any kind end in rows or in a UsageError, never in a crash", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom("jsonl", "json", "csv", "tsv", "parquet"),
        async (bytes, extension) => {
          const path = await write(`any.${extension}`, bytes)
          const error = await collect(readRows(path)).then(
            () => undefined,
            (caught: Error) => caught.name,
          )
          expect([undefined, "UsageError"]).toContain(error)
        },
      ),
      { numRuns: 150 },
    )
  })
})
