import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { ownModule } from "../../src/platform/own-module.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { hasWriter } from "../../src/store/writer-lock.ts"
import { runCli } from "../support/cli.ts"
import { fakeRecord } from "../support/run-fixtures.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { wholeArchive } from "./archive/archive-support.ts"

const note = (folder: string) => join(folder, "writer.db.holder")

describe("the writer's lock", () => {
  it("names the other writer, and is free when it has ended", () => {
    const folder = scratchDirectory()
    const store = openRunStore(folder)
    expect(hasWriter(folder)).toBe(true)
    expect(() => openRunStore(folder)).toThrow(new RegExp(`process ${process.pid} on `))
    store.close()
    expect(hasWriter(folder)).toBe(false)
    openRunStore(folder).close()
  })

  it("does not believe a process id: a container's first process is always 1", () => {
    const folder = scratchDirectory()
    openRunStore(folder).close()
    writeFileSync(note(folder), JSON.stringify({ ...JSON.parse(ownNote()), pid: process.pid }))
    openRunStore(folder).close()
  })

  it("respects a writer on another host while its note is renewed, and not longer", () => {
    const folder = scratchDirectory()
    openRunStore(folder).close()
    writeFileSync(note(folder), JSON.stringify({ host: "elsewhere", pid: 1, since: "2026-01-01T00:00:00Z" }))
    expect(() => openRunStore(folder)).toThrow(/process 1 on elsewhere/)
    const old = new Date(Date.now() - 300_000)
    utimesSync(note(folder), old, old)
    openRunStore(folder).close()
  })

  it("ends with a process that is killed", async () => {
    const folder = scratchDirectory()
    const store = fileURLToPath(new URL("../../src/store/run-store.ts", import.meta.url))
    const script = join(folder, "writer.ts")
    writeFileSync(
      script,
      `import { openRunStore } from ${JSON.stringify(store)}\nopenRunStore(${JSON.stringify(folder)})\nconsole.log("open")\nsetInterval(() => {}, 1000)\n`,
    )
    const { execArgv } = ownModule(import.meta.url, "./writer-lock.test")
    const child = spawn(process.execPath, [...execArgv, script])
    await new Promise((resolve) => child.stdout.once("data", resolve))
    expect(hasWriter(folder)).toBe(true)
    const ended = new Promise((resolve) => child.once("exit", resolve))
    child.kill("SIGKILL")
    await ended
    expect(hasWriter(folder)).toBe(false)
    openRunStore(folder).close()
  })

  it("lets one of several first opens at the same time win, and tells the others", async () => {
    const folder = scratchDirectory()
    const [first = ""] = await wholeArchive()
    writeFileSync(join(folder, "archive.jsonl"), `${first}\n`)
    const results = await Promise.all(
      Array.from({ length: 6 }, () => runCli(["import", "archive.jsonl", "--directory", "store"], { cwd: folder })),
    )
    for (const { code, stderr } of results) {
      expect(code).toBe(2)
      expect(stderr).toMatch(/it was cut off|being written by another process/)
    }
    expect(results.some(({ stderr }) => stderr.includes("it was cut off"))).toBe(true)
  }, 60_000)
})

describe("a store that is opened to read", () => {
  it("is an empty one where there is none, and nothing is written", () => {
    const folder = scratchDirectory()
    const store = openRunStore(join(folder, "store"), { readonly: true })
    expect(store.runs()).toEqual([])
    store.close()
    expect(existsSync(join(folder, "store"))).toBe(false)
  })

  it("leaves the file as it is", () => {
    const folder = scratchDirectory()
    openRunStore(folder).close()
    const before = readFileSync(join(folder, "evalkit.db"))
    const store = openRunStore(folder, { readonly: true })
    expect(() => store.setStatus("x", "finished", null)).toThrow()
    store.close()
    expect(readFileSync(join(folder, "evalkit.db")).equals(before)).toBe(true)
    expect(readdirSync(folder).filter((name) => name.includes("holder"))).toEqual([])
  })
})

describe("a run whose process is gone", () => {
  it("has stopped, for readers and for the next writer", () => {
    const folder = scratchDirectory()
    const record = JSON.parse(runRecord())
    const first = openRunStore(folder)
    first.createRun(record)
    const beside = openRunStore(folder, { readonly: true })
    expect(beside.run("ab12")?.status).toBe("running")
    beside.close()
    first.close()
    const reader = openRunStore(folder, { readonly: true })
    expect(reader.run("ab12")?.status).toBe("stopped")
    expect(reader.runs()[0]?.status).toBe("stopped")
    reader.close()
    const next = openRunStore(folder)
    expect(next.run("ab12")?.status).toBe("stopped")
    next.close()
  })
})

function ownNote(): string {
  const folder = scratchDirectory()
  const store = openRunStore(folder)
  const text = readFileSync(note(folder), "utf8")
  store.close()
  return text
}

function runRecord(): string {
  return JSON.stringify(
    fakeRecord("ab12", {
      name: "n",
      startedAt: "2026-01-01T00:00:00Z",
      dataset: { name: "d", source: "d", fingerprint: "f", samples: 0, skipped: [] },
    }),
  )
}
