import fc from "fast-check"
import { parseTrace } from "../../../src/perf/load/trace.ts"
import { faultOf, faultOfCommand } from "../faults.ts"
import { byteEdits, editBytes, editJson, jsonEdits } from "../inputs.ts"
import { surface } from "../surface.ts"

const outputs = [
  { id: "s0", output: "0", references: ["0"], correct: 1, latency: 5, judge: 1, human: 1, order: "ab", group: "x" },
  { id: "s1", output: "3", references: ["2"], correct: 0, latency: 7, judge: 0, human: null, order: "ba", group: "y" },
  { id: "s2", output: "4", references: ["4"], correct: 1, latency: 6, judge: "yes", human: 0, order: "ab", group: "x" },
]

const commands: readonly (readonly string[])[] = [
  ["score", "F"],
  ["score", "F", "--workers", "0", "--json"],
  ["compare", "F", "G", "--on", "correct"],
  ["compare", "F", "G", "--on", "correct,latency", "--lower", "latency", "--json"],
  ["compare", "F", "G", "--pair-by", "id", "--id", "group"],
  ["frontier", "F", "--maximize", "correct", "--minimize", "latency"],
  [
    "frontier",
    "F",
    "--maximize",
    "correct",
    "--minimize",
    "latency.p95",
    "--sample",
    "id",
    "--resamples",
    "20",
    "--json",
  ],
  ["plan", "--difference", "0.1", "--pilot", "F,G", "--on", "correct"],
  ["judge", "validate", "F"],
  ["judge", "validate", "F", "--group", "group", "--orders", "majority", "--invalid", "wrong", "--json"],
  ["bench", "--compare", "F", "--url", "http://127.0.0.1:9/v1", "--model", "m", "--requests", "1", "--no-calibrate"],
  ["import", "F"],
]

/** Files of other tools, as score, compare, frontier, plan, judge, bench and import read them. */
export const foreignFiles = surface(
  "files of other tools",
  8,
  () => {
    const content = fc.oneof(
      fc.tuple(jsonEdits(4), fc.boolean()).map(([edits, lines]) => {
        const value = editJson(outputs, edits)
        return lines && Array.isArray(value)
          ? Buffer.from(value.map((row) => JSON.stringify(row)).join("\n"))
          : Buffer.from(JSON.stringify(value) ?? "")
      }),
      byteEdits().map((edits) => editBytes(Buffer.from(outputs.map((row) => JSON.stringify(row)).join("\n")), edits)),
      byteEdits().map((edits) => editBytes(Buffer.from("id,output,references,correct\ns0,0,0,1\ns1,3,2,0\n"), edits)),
    )
    return fc.record({
      line: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom<readonly string[]>(...commands) },
        { weight: 3, arbitrary: fc.constant<readonly string[]>(["trace"]) },
      ),
      format: fc.constantFrom("jsonl", "jsonl", "json", "csv", "tsv", "parquet"),
      content,
    })
  },
  async ({ line, format, content }, room) => {
    if (line[0] === "trace") return faultOf(() => parseTrace(content.toString("utf8")))
    room.file(`f.${format}`, content)
    room.file("g.jsonl", outputs.map((row) => JSON.stringify(row)).join("\n"))
    const args = line.map((word) => word.replace(/\bF\b/, `f.${format}`).replace(/\bG\b/, "g.jsonl"))
    return faultOfCommand(await room.command(args, 5000))
  },
)
