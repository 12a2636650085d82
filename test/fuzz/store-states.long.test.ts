import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "@photostructure/sqlite"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { sized } from "../support/nightly.ts"
import { faultOfCommand } from "./faults.ts"
import { openRoom, type Room } from "./room.ts"

let room: Room
beforeAll(async () => {
  room = await openRoom()
}, 180_000)
afterAll(() => room.close())

/** Every command that reads the store; RUN stands for a run's id. */
const commands: readonly (readonly string[])[] = [
  ["runs"],
  ["show", "RUN"],
  ["show", "RUN", "s0"],
  ["report", "RUN", "--format", "md"],
  ["export", "RUN"],
  ["export", "RUN", "--format", "archive"],
  ["compare", "old", "new", "--run", "RUN"],
  ["gate", "RUN"],
  ["trend", "old"],
  ["judge", "validate", "--run", "RUN"],
  ["rm", "RUN", "--yes"],
  ["view", "RUN"],
]

const line = (args: readonly string[], run: string, directory: string) => [
  ...args.map((arg) => (arg === "RUN" ? run : arg)),
  "--directory",
  directory,
]

describe.each(commands.map((args) => [args.join(" "), args] as const))("%s", (name, args) => {
  const listsOnly = name === "runs"

  it.each([
    ["no folder", () => "absent"],
    [
      "an empty folder",
      () => {
        mkdirSync(join(room.cwd, "empty"), { recursive: true })
        return "empty"
      },
    ],
  ])("says that there are no runs yet where the store is %s", async (_what, make) => {
    const ended = await room.command(line(args, room.runs[0]!, make()))
    expect(faultOfCommand(ended)).toBeNull()
    expect(ended.out + ended.err).toMatch(/no run/i)
    expect(ended.code).toBe(listsOnly ? 0 : 2)
  })

  it.each([
    ["text", "this is no database, but long enough to be read as one. ".repeat(100)],
    ["a header alone", "SQLite format 3\0"],
    ["nothing", ""],
  ])("takes or refuses a file of the store that holds %s", async (_what, content) => {
    mkdirSync(join(room.cwd, "broken"), { recursive: true })
    writeFileSync(join(room.cwd, "broken", "evalkit.db"), content)
    const ended = await room.command(line(args, room.runs[0]!, "broken"))
    expect(faultOfCommand(ended)).toBeNull()
    expect(ended.code).toBe(listsOnly && content === "" ? 0 : 2)
  })

  it.skipIf(listsOnly || name === "trend old")("says that it knows no such run", async () => {
    const ended = await room.command(line(args, "ffffffff", ".evalkit"))
    expect(faultOfCommand(ended)).toBeNull()
    expect(ended.err).toMatch(/no such run/)
    expect(ended.code).toBe(2)
  })

  it.each([
    ["is still in progress", "UPDATE runs SET status = 'running', finished_at = NULL; DELETE FROM reports"],
    ["has no answers", "DELETE FROM generations; DELETE FROM rows; DELETE FROM reports"],
    ["has no samples", "DELETE FROM samples; DELETE FROM generations; DELETE FROM rows; DELETE FROM reports"],
    ["has no report", "DELETE FROM reports"],
  ])("ends in order where the run %s", async (_what, change) => {
    room.reset()
    const database = new DatabaseSync(join(room.cwd, ".evalkit", "evalkit.db"))
    database.exec(change)
    database.close()
    // A page is shown until a signal comes.
    const ms = name.startsWith("view") ? sized(1500, 500) : undefined
    expect(faultOfCommand(await room.command(line(args, room.runs[0]!, ".evalkit"), ms))).toBeNull()
  })
})
