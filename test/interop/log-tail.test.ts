import { appendFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { inputText } from "../../src/core/sample.ts"
import { followLog, type LogTail } from "../../src/interop/log-tail.ts"
import { scratchDirectory } from "../support/scratch.ts"

const line = (question: string, group = "a") =>
  `${JSON.stringify({
    ...{
      call_type: "acompletion",
      model_group: group,
      startTime: 1_764_380_000,
      endTime: 1_764_380_001,
      response_cost: 0,
    },
    messages: [{ role: "user", content: question }],
    response: { choices: [{ message: { role: "assistant", content: "yes" }, finish_reason: "stop" }] },
  })}\n`

async function added(tail: LogTail): Promise<readonly string[]> {
  const texts: string[] = []
  for await (const { sample, repeat, variant } of tail.records())
    texts.push(`${variant} ${inputText(sample)} ${repeat}`)
  return texts
}

it("reads what was added, whole lines alone, and counts a question that comes again", async () => {
  const path = join(scratchDirectory(), "calls.jsonl")
  writeFileSync(path, "")
  const tail = followLog(path, "calls.jsonl")
  expect(await added(tail)).toEqual([])
  const [whole, begun] = [line("one") + line("two"), line("one")]
  appendFileSync(path, whole + begun.slice(0, 50))
  expect(await added(tail)).toEqual(["a one 0", "a two 0"])
  expect(await added(tail)).toEqual([])
  appendFileSync(path, begun.slice(50))
  expect(await added(tail)).toEqual(["a one 1"])
  // Begun anew in its place.
  writeFileSync(path, line("three"))
  expect(await added(tail)).toEqual(["a three 0"])
})

it("follows the files of a folder in their order, those that come later too, and leaves out what is no log", async () => {
  const folder = scratchDirectory()
  const tail = followLog(folder, "days")
  writeFileSync(join(folder, "pairs-2026-11-29.jsonl"), line("one"))
  writeFileSync(join(folder, "spending.jsonl"), '{"day":"2026-11-29","call":1}\n')
  writeFileSync(join(folder, "pseudonyms.key"), "0".repeat(64))
  expect(await added(tail)).toEqual(["a one 0"])
  appendFileSync(join(folder, "pairs-2026-11-29.jsonl"), line("two", "b"))
  writeFileSync(join(folder, "pairs-2026-11-30.jsonl"), line("two"))
  expect(await added(tail)).toEqual(["b two 0", "a two 0"])
})

it("refuses a file of lines of no known tool", async () => {
  const path = join(scratchDirectory(), "rows.jsonl")
  writeFileSync(path, '{"x":1}\n')
  await expect(added(followLog(path, "rows.jsonl"))).rejects.toThrow(/no log of lines that evalkit knows.*rows\.jsonl/)
})
