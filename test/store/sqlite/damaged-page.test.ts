import { closeSync, openSync, statSync, writeSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { openPlainDatabase } from "../../../src/store/sqlite/database.ts"
import { scratchDirectory } from "../../support/scratch.ts"

it("names a file with a damaged page and what puts it right, whatever is read of it or written", () => {
  const path = join(scratchDirectory(), "evalkit.db")
  const whole = openPlainDatabase(path, 100)
  whole.exec("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
  for (let i = 0; i < 100; i++) whole.prepare("INSERT INTO t (b) VALUES (?)").run(["x".repeat(1000)])
  whole.close()
  const file = openSync(path, "r+")
  for (let at = 4096; at < statSync(path).size; at += 4096) writeSync(file, Buffer.alloc(4096, 0x5a), 0, 4096, at)
  closeSync(file)
  const database = openPlainDatabase(path, 100)
  const fault = expect.objectContaining({ code: "store_damaged", message: expect.stringContaining(path) })
  const hint = /evalkit doctor --store --repair/
  for (const use of [
    () => database.prepare("SELECT * FROM t").all([]),
    () => database.prepare("SELECT * FROM t WHERE a = 50").get([]),
    () => database.prepare("INSERT INTO t (b) VALUES ('y')").run([]),
    () => database.exec("DELETE FROM t"),
  ]) {
    expect(use).toThrow(fault)
    expect(use).toThrow(hint)
  }
  database.close()
})
