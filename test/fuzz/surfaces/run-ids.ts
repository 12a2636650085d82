import fc from "fast-check"
import { faultOfCommand } from "../faults.ts"
import { texts } from "../inputs.ts"
import { surface } from "../surface.ts"

/** Names where the id of a run, of a variant or of a sample is wanted. */
export const runIds = surface(
  "ids of runs, variants and samples",
  1.5,
  (room) => {
    const id = fc.oneof(
      { weight: 3, arbitrary: texts.filter((text) => !/^[/~]|\.\./.test(text)) },
      { weight: 1, arbitrary: fc.constantFrom(...room.runs, "../x", "..", "%00", "x".repeat(300)) },
    )
    const places = [
      (a: string) => ["show", a],
      (a: string, b: string) => ["show", b, a],
      (a: string) => ["report", a, "--format", "md"],
      (a: string) => ["export", a],
      (a: string) => ["rm", a, "--yes"],
      (a: string, b: string) => ["compare", a, b],
      (a: string, b: string) => ["compare", `${a}:old`, `${b}:new`],
      (a: string) => ["compare", "old", "new", "--run", a],
      (a: string) => ["gate", a],
      (a: string, b: string) => ["gate", "--baseline", a, b],
      (a: string) => ["trend", a],
      (a: string) => ["trend", "old", "--baseline", a],
      (a: string) => ["judge", "validate", "--run", a],
      (a: string, b: string) => ["merge", a, b],
      (a: string) => ["score", a],
      (a: string) => ["view", a],
    ]
    return fc.tuple(fc.nat(places.length - 1), id, id).map(([index, a, b]) => places[index]!(a, b) as readonly string[])
  },
  async (args, room) => {
    room.reset()
    return faultOfCommand(await room.command(args, 100))
  },
)
