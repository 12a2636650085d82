import { gzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { scratchDirectory } from "../support/scratch.ts"
import { readAll, writeLines } from "./support.ts"

/** A line as Caddy writes one, with both bodies. */
const line = (content: string, response: Buffer) => ({
  ...{ ts: 1_767_323_046, duration: 1.5, status: 200, request: { method: "POST", uri: "/v1/chat/completions" } },
  request_body: JSON.stringify({ model: "gpt-x", messages: [{ role: "user", content }] }),
  response_body_base64: gzipSync(response, { level: 1 }).toString("base64"),
})

it("a line of 50 MB of an access log is read, and a body that unpacks to more than 256 MB is not", async () => {
  const answer = { choices: [{ message: { role: "assistant", content: "yes" }, finish_reason: "stop" }] }
  const rows = [
    line("word ".repeat(10_000_000), Buffer.from(JSON.stringify(answer))),
    line("a", Buffer.alloc(3e8, "a")),
  ]
  const { records, skipped } = await readAll(writeLines(scratchDirectory(), "long.log", rows))
  expect(records.map(({ answer }) => answer?.text)).toEqual(["yes"])
  expect(skipped.map(({ reason }) => reason)).toEqual([expect.stringMatching(/body of the response is no answer/)])
}, 120_000)
