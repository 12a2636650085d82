import fc from "fast-check"
import type { RecordedRow } from "../../../src/providers/recorded/recorded-row.ts"
import { recorded } from "../../../src/providers/recorded.ts"
import { ask, testContext } from "../../support/ask.ts"
import { faultOf } from "../faults.ts"
import { byteEdits, editBytes, editJson, jsonEdits } from "../inputs.ts"
import { surface } from "../surface.ts"

const rows = [
  {
    id: "s0",
    text: "Paris",
    ttftMs: 20,
    e2eMs: 60,
    usage: { promptTokens: 4, completionTokens: 2, chargedUsd: 0.1 },
    logprobs: [{ token: "P", logprob: -0.5, top: [{ token: "L", logprob: -2 }] }],
  },
  {
    id: "s1",
    output: "Rome",
    variant: "a",
    repeat: 1,
    outcome: "length",
    log: {
      scheduledMs: 0,
      sendMs: 1,
      headersMs: 2,
      events: [{ atMs: 3, kind: "content", tokens: 1, bytes: 4 }],
      endMs: 9,
    },
    toolCalls: [{ name: "f", arguments: { a: 1 } }],
    failure: { message: "x", code: "y" },
    server: { transport: "undici" },
  },
]
const lines = Buffer.from(rows.map((row) => JSON.stringify(row)).join("\n"))

/** Recorded answers, as a file and as rows. */
export const recordedFiles = surface(
  "recorded answers",
  9,
  () =>
    fc.oneof(
      jsonEdits(4).map((edits) => ({ rows: editJson(rows, edits), bytes: null })),
      fc
        .oneof(
          jsonEdits(4).map((edits) => {
            const value = editJson(rows, edits)
            return Buffer.from((Array.isArray(value) ? value : [value]).map((row) => JSON.stringify(row)).join("\n"))
          }),
          byteEdits().map((edits) => editBytes(lines, edits)),
        )
        .map((bytes) => ({ rows: null, bytes })),
    ),
  (input, room) =>
    faultOf(async () => {
      const from = input.bytes ? room.file("fuzz-record.jsonl", input.bytes) : (input.rows as readonly RecordedRow[])
      const session = await recorded(from, { variant: "a" }).open(testContext())
      for (const sampleId of ["s0", "s1", "__proto__"]) JSON.stringify(await ask(session, { sampleId, repeat: 0 }))
    }),
)
