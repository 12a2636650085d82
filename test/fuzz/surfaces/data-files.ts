import fc from "fast-check"
import { parquetWriteBuffer } from "hyparquet-writer"
import { dataset } from "../../../datasets/dataset.ts"
import type { DatasetFormat } from "../../../datasets/source.ts"
import { faultOf } from "../faults.ts"
import { byteEdits, editBytes, editJson, jsonEdits, texts } from "../inputs.ts"
import { surface } from "../surface.ts"

const rows = [
  { id: "a", question: "1+1?", answer: "2", group: "x", choices: ["1", "2"], context: ["one", "two"] },
  { id: "b", messages: [{ role: "user", content: "hi" }], references: { text: ["x"] }, tools: [] },
  {
    id: "c",
    prompt: 5,
    expectedTools: [{ name: "f", arguments: '{"a":1}' }],
    copyOf: { id: "a", kind: "perturbed", change: "t" },
  },
]

/** A small file of three columns. */
export const parquet = new Uint8Array(
  parquetWriteBuffer({
    columnData: [
      { name: "id", data: ["a", "b", "c"], type: "STRING" },
      { name: "question", data: ["1", "2", "3"], type: "STRING" },
      { name: "number", data: [1.5, 2.5, 3.5], type: "DOUBLE" },
    ],
  }),
)

interface DataFile {
  readonly format: DatasetFormat
  readonly bytes: Buffer
  readonly options: object
}

/** Data sets in every format: other shapes, other bytes, another format than the name says. */
export const dataFiles = surface(
  "data sets (JSONL, JSON, CSV, TSV, Parquet)",
  14,
  () => {
    const shaped = fc.tuple(fc.boolean(), jsonEdits(4)).map(([lines, edits]) => {
      const value = editJson(rows, edits)
      const text =
        Array.isArray(value) && lines ? value.map((row) => JSON.stringify(row)).join("\n") : JSON.stringify(value)
      return { format: lines ? "jsonl" : "json", bytes: Buffer.from(text ?? "") }
    })
    const table = fc
      .tuple(fc.constantFrom(",", "\t"), fc.array(fc.array(texts, { maxLength: 4 }), { maxLength: 5 }), fc.boolean())
      .map(([mark, cells, quoted]) => {
        const cell = (text: string) => (quoted ? `"${text.replaceAll('"', '""')}"` : text)
        const text = ["id,question,answer".replaceAll(",", mark), ...cells.map((row) => row.map(cell).join(mark))].join(
          "\n",
        )
        return { format: mark === "," ? "csv" : "tsv", bytes: Buffer.from(text) }
      })
    const bytes = fc
      .tuple(fc.constantFrom("jsonl", "json", "csv", "tsv", "parquet"), fc.nat(3), byteEdits())
      .map(([format, from, edits]) => {
        const originals = [
          Buffer.from(rows.map((row) => JSON.stringify(row)).join("\n")),
          Buffer.from(JSON.stringify({ data: rows })),
          Buffer.from('id,question\n1,"a\nb"\n2,c\n'),
          Buffer.from(parquet),
        ]
        return { format, bytes: editBytes(originals[format === "parquet" ? 3 : from]!, edits) }
      })
    const options = fc.constantFrom(
      {},
      { onBadRow: "skip" },
      { maxLineBytes: 40 },
      { shuffle: true, onBadRow: "skip" },
      { sample: { n: 2, by: "group" }, onBadRow: "skip" },
      { limit: 1 },
      { fields: { input: "answer", id: "question" } },
    )
    return fc
      .tuple(fc.oneof(shaped, table, bytes), options)
      .map(([file, chosen]) => ({ ...file, options: chosen }) as DataFile)
  },
  ({ format, bytes, options }, room) => {
    const path = room.file(`fuzz.${format}`, bytes)
    return faultOf(async () => {
      const read = dataset(path, options)
      for await (const sample of read.samples()) JSON.stringify(sample)
      await read.fingerprint()
    })
  },
)
