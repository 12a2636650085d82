import { readdirSync } from "node:fs"
import fc from "fast-check"
import { readGguf } from "../../../src/local-model/gguf/read-gguf.ts"
import { faultOf } from "../faults.ts"
import { byteEdits, editBytes } from "../inputs.ts"
import { ownFile } from "../room.ts"
import { surface } from "../surface.ts"

const folder = new URL("../../../models/tiny/", import.meta.url)
const model = readdirSync(folder).find((name) => name.endsWith(".gguf"))!
/** The header with its tokenizer, and the first of the tensors. */
const start = ownFile(`models/tiny/${model}`).subarray(0, 60_000)
/** Metadata and counts stand here. */
const dense = 2_000

/** Headers of model files, with the tokenizer that they hold. */
export const ggufHeaders = surface(
  "GGUF headers with their tokenizers",
  7,
  () =>
    fc.tuple(byteEdits(), fc.boolean(), fc.nat(60_000)).map(([edits, early, length]) => {
      const near = early ? edits.map((edit) => ({ ...edit, at: edit.at % dense })) : edits
      return editBytes(length % 3 === 0 ? start.subarray(0, length) : start, near)
    }),
  (bytes, room) => faultOf(async () => void (await readGguf(room.file("fuzz.gguf", bytes)))),
)
