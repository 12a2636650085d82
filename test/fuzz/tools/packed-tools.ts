import { readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parquetWriteBuffer } from "hyparquet-writer"
import { traceProtobuf } from "../../interop/otlp-writer.ts"
import { writeZip, type ZipEntry, zstdOfZeros } from "../../interop/zip-writer.ts"
import { inspect } from "./json-tools.ts"

const { samples, ...header } = inspect

/** The entries of a log of Inspect. */
export function inspectEntries(method: ZipEntry["method"], isWhole: boolean): ZipEntry[] {
  const entry = (name: string, value: unknown): ZipEntry => ({ name, method, data: JSON.stringify(value) })
  return [
    entry("_journal/start.json", header),
    ...samples.map((sample) => entry(`samples/${sample.id}_epoch_${sample.epoch}.json`, sample)),
    entry("summaries.json", []),
    ...(isWhole ? [entry("header.json", header)] : []),
  ]
}

/** Names and contents that an archive must not have its way with. */
export const hostileEntries: readonly ZipEntry[] = [
  { name: "samples/../../../canary_epoch_1.json", data: "{}" },
  { name: "/etc/passwd", data: "x" },
  { name: "samples/__proto___epoch_1.json", data: '{"__proto__":{"polluted":1},"constructor":{"prototype":{"a":1}}}' },
  { name: "samples/9_epoch_1.json", data: "", packed: zstdOfZeros(600 * 2 ** 20), method: "zstandard" },
  { name: "samples/9_epoch_1.json", data: "{}", checksum: 1 },
  { name: "samples/9_epoch_1.json", data: "[".repeat(200_000) },
  { name: "samples/a\0b_epoch_1.json", data: "{}" },
  { name: "header.json", data: '{"version":2}' },
]

/** Entries as the bytes of a zip. */
export function zipBytes(entries: readonly ZipEntry[]): Buffer {
  const path = join(tmpdir(), `evalkit-fuzz-${process.pid}.zip`)
  writeZip(path, entries)
  const bytes = readFileSync(path)
  rmSync(path)
  return bytes
}

const column = (name: string, data: unknown[]) => ({ name, data, type: "JSON" as const })

/** Files of tools that are no text. */
export const packedTools: readonly { readonly tool: string; readonly name: string; readonly bytes: Buffer }[] = [
  ...(["stored", "deflated", "zstandard"] as const).map((method) => ({
    ...{ tool: "inspect", name: `${method}.eval`, bytes: zipBytes(inspectEntries(method, true)) },
  })),
  { tool: "inspect", name: "journal.eval", bytes: zipBytes(inspectEntries("deflated", false)) },
  {
    ...{ tool: "lighteval", name: "details.parquet" },
    bytes: Buffer.from(
      parquetWriteBuffer({
        columnData: [
          column(
            "doc",
            [1, 2].map((i) => ({ query: `q${i}`, choices: [" a", " b"], gold_index: 1 })),
          ),
          column("metric", [{ acc: 1 }, { acc: 0 }]),
          column("model_response", [{ text: [" b"] }, { text: [" a"] }]),
        ],
      }),
    ),
  },
  {
    ...{ tool: "ragas", name: "r.csv" },
    bytes: Buffer.from("user_input,retrieved_contexts,response,reference,faithfulness\nq,\"['p, 1', 'x']\",a,r,0.5\n"),
  },
  {
    ...{ tool: "otlp", name: "trace.pb" },
    bytes: Buffer.from(
      traceProtobuf([
        {
          ...{ id: "1", name: "chat m", at: [0, 1000] },
          attributes: {
            ...{ "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" },
            "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"why?"}]}]',
            "gen_ai.output.messages": '[{"role":"assistant","parts":[{"type":"text","content":"so"}]}]',
          },
        },
      ]),
    ),
  },
]
