import { copyFileSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { openRunStore } from "../../../src/store/run-store.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const event = { at: "2026-01-01T00:00:00.000Z", kind: "noted", data: {} }

it("the file alone is the whole store once it is closed", () => {
  const [folder, copy] = [scratchDirectory(), scratchDirectory()]
  const store = openRunStore(folder)
  store.saveEvent("r", event)
  store.close()
  mkdirSync(copy, { recursive: true })
  copyFileSync(join(folder, "evalkit.db"), join(copy, "evalkit.db"))
  const opened = openRunStore(copy, { readonly: true })
  expect([...opened.events("r")]).toEqual([event])
  opened.close()
})

it("a store is closed while another reads it, and keeps what was written", () => {
  const folder = scratchDirectory()
  const store = openRunStore(folder)
  store.saveEvent("r", event)
  const reader = openRunStore(folder, { readonly: true })
  const reading = reader.events("r")[Symbol.iterator]()
  reading.next()
  store.saveEvent("s", event)
  store.close()
  reader.close()
  const second = openRunStore(folder, { readonly: true })
  expect([...second.events("r"), ...second.events("s")]).toEqual([event, event])
  second.close()
})
