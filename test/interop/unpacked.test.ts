import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { unpacked } from "../../src/interop/unpacked.ts"
import { openZip } from "../../src/interop/zip-file.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { writeZip } from "./zip-writer.ts"

const folder = scratchDirectory()
const at = (name: string) => join(folder, name)
const mega = 2 ** 20
const refused = (megabytes: string) => new RegExp(`longer than ${megabytes} MB: where you trust it, unpack it yourself`)

it("reads what logs are packed to, a hundredth included", async () => {
  const text = `${"the same long prompt, ".repeat(400)}\n`.repeat(2000)
  writeFileSync(at("log.jsonl.gz"), gzipSync(text))
  expect(readFileSync(await unpacked(at("log.jsonl.gz"), "log.jsonl.gz"), "utf8") === text).toBe(true)
})

it("refuses a file that is a thousand times as long when it is unpacked, by its real length", async () => {
  writeFileSync(at("bomb.jsonl.gz"), gzipSync(Buffer.alloc(100 * mega, "a")))
  await expect(unpacked(at("bomb.jsonl.gz"), "bomb.jsonl.gz")).rejects.toThrow(refused("8\\d"))
})

it("refuses an archive whose many small entries are too long together, and each of them read twice is one", async () => {
  const data = Buffer.alloc(mega, "a")
  writeZip(
    at("many.zip"),
    Array.from({ length: 100 }, (_, i) => ({ name: `${i}.jsonl`, data })),
  )
  await expect(unpacked(at("many.zip"), "many.zip")).rejects.toThrow(refused("9\\d"))
  const zip = await openZip(at("many.zip"), "many.eval")
  for (let time = 0; time < 200; time++) expect((await zip.bytes("7.jsonl")).length).toBe(mega)
  await zip.close()
})
