import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { UsageError } from "../../src/core/errors.ts"
import type { RecordedRow } from "../../src/providers/recorded/recorded-row.ts"
import { recorded } from "../../src/providers/recorded.ts"
import { ask, testContext } from "../support/ask.ts"
import { scratchDirectory } from "../support/scratch.ts"

const folder = scratchDirectory()

async function answerOf(rows: readonly RecordedRow[], sampleId: string, repeat?: number) {
  const session = await recorded(rows).open(testContext())
  return ask(session, { sampleId, ...(repeat === undefined ? {} : { repeat }) })
}

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe("recorded()", () => {
  it("finds answers by sample and repeat, and answers a repeat without a row from the first", async () => {
    const rows = [
      { id: "a", text: "one" },
      { id: "a", repeat: 1, text: "two" },
      { sampleId: "b", output: "three" },
    ]
    expect((await answerOf(rows, "a")).text).toBe("one")
    expect((await answerOf(rows, "a", 1)).text).toBe("two")
    expect((await answerOf(rows, "b", 4)).text).toBe("three")
  })

  it("makes a log of two events from TTFT, end to end and the token count", async () => {
    const { log } = await answerOf(
      [{ id: "a", text: "Hello", ttftMs: 100, e2eMs: 300, usage: { completionTokens: 5 } }],
      "a",
    )
    expect(log).toEqual({
      scheduledMs: 0,
      sendMs: 0,
      connectMs: null,
      headersMs: null,
      events: [
        { atMs: 100, kind: "content", tokens: 1, bytes: 1 },
        { atMs: 300, kind: "content", tokens: 4, bytes: 4 },
      ],
      endMs: 300,
    })
  })

  it("gives a recorded log back as it is, every time", async () => {
    const events = [{ atMs: 5, kind: "content" as const, tokens: 2, bytes: 3 }]
    const log = { scheduledMs: 1, sendMs: 2, connectMs: null, headersMs: 3, events, endMs: 9 }
    const rows = [{ id: "a", text: "abc", log }]
    expect((await answerOf(rows, "a")).log).toEqual(log)
    expect(await answerOf(rows, "a")).toEqual(await answerOf(rows, "a"))
  })

  it("claims no timing where none was recorded", async () => {
    expect((await answerOf([{ id: "a", text: "abc" }], "a")).log.events).toEqual([])
  })

  it("plays failures back", async () => {
    const answer = await answerOf(
      [{ id: "a", outcome: "rate_limited", httpStatus: 429, failure: { message: "slow" }, retryAfterMs: 5 }],
      "a",
    )
    expect(answer).toMatchObject({
      outcome: "rate_limited",
      httpStatus: 429,
      failure: { message: "slow" },
      retryAfterMs: 5,
    })
  })

  it("ends a sample without a row as a client fault", async () => {
    expect((await answerOf([], "missing")).outcome).toBe("client_fault")
  })

  it("reads JSONL with a byte order mark, CRLF and blank lines, and only the rows of its variant", async () => {
    const lines = [
      '\uFEFF{"id":"a","variant":"x","text":"of x"}',
      "",
      '{"id":"a","variant":"y","text":"of y"}',
      '{"id":"b","text":"of all"}',
    ]
    const file = write("rows.jsonl", lines.join("\r\n"))
    const session = await recorded(file, { variant: "y" }).open(testContext())
    expect((await ask(session, { sampleId: "a" })).text).toBe("of y")
    expect((await ask(session, { sampleId: "b" })).text).toBe("of all")
  })

  it.each([
    ["{oops", /not JSON: .*:2/],
    ['{"text":"x"}', /no id: .*:2/],
    ['{"id":"b","ttftMs":"fast"}', /ttftMs.*:2/],
    ['{"id":"a","text":"again"}', /two recorded answers for sample a/],
  ])("names the line of the bad row %s", async (line, message) => {
    const file = write("bad.jsonl", `{"id":"a"}\n${line}\n`)
    await expect(recorded(file).open(testContext())).rejects.toThrow(message)
  })

  it("says which file is missing", async () => {
    await expect(recorded(join(folder, "absent.jsonl")).open(testContext())).rejects.toThrow(UsageError)
  })
})
