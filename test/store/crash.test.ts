import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { openDatabase, openReadonlyDatabase } from "../../src/store/sqlite/database.ts"
import type { Database } from "../../src/store/tables/database.ts"
import { scratchDirectory } from "../support/scratch.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const driver = join(root, "src/store/sqlite/database.ts")

/** Commits one row after the other and says so after each, until it is killed. */
const writer = (path: string) => `
import { writeSync } from "node:fs"
import { openDatabase } from ${JSON.stringify(driver)}
const database = openDatabase(${JSON.stringify(path)})
database.exec("CREATE TABLE counted (number INTEGER PRIMARY KEY, text TEXT)")
const say = (text: string) => {
  for (;;)
    try {
      return writeSync(1, text)
    } catch (error) {
      // The reader is slower than the writer.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error
    }
}
const insert = database.prepare("INSERT INTO counted VALUES (?, ?)")
for (let number = 1; ; number++) {
  database.exec("BEGIN IMMEDIATE")
  insert.run([number, "x".repeat(2000)])
  database.exec("COMMIT")
  say(number + "\\n")
}`

it("keeps every transaction that was committed before kill -9, while others read", { timeout: 60_000 }, async () => {
  const folder = scratchDirectory()
  const path = join(folder, "evalkit.db")
  writeFileSync(join(folder, "writer.ts"), writer(path))
  const child = spawn(process.execPath, ["--import", "jiti/register", join(folder, "writer.ts")], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  })
  let said = ""
  let readWhileWritten = 0
  await new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text
      if (readWhileWritten > 0 || !said.includes("\n300\n")) return
      const reader = openReadonlyDatabase(path) as Database
      readWhileWritten = Number(reader.prepare("SELECT count(*) AS n FROM counted").get([])?.n)
      reader.close()
      child.kill("SIGKILL")
    })
    child.on("close", () => resolve())
  })
  expect(child.signalCode).toBe("SIGKILL")
  expect(readWhileWritten).toBeGreaterThanOrEqual(300)
  const lastSaid = Number(said.slice(0, said.lastIndexOf("\n")).split("\n").at(-1))
  const database = openDatabase(path)
  const kept = database.prepare("SELECT count(*) AS n, max(number) AS last FROM counted").get([])
  expect(kept?.n).toBe(kept?.last)
  expect(Number(kept?.last)).toBeGreaterThanOrEqual(lastSaid)
  expect(database.prepare("PRAGMA journal_mode").get([])).toMatchObject({ journal_mode: "wal" })
  expect(database.prepare("PRAGMA integrity_check").get([])).toMatchObject({ integrity_check: "ok" })
  database.close()
})
