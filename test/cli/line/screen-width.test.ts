import { describe, expect, it } from "vitest"
import { onScreen, screenWidth } from "../../../src/cli/arguments/screen-width.ts"
import type { Command, CommandIo } from "../../../src/cli/command.ts"
import { fakeIo } from "../../support/fake-io.ts"

const command: Command = { options: (yargs) => yargs, run: async () => 0 }

describe("a screen", () => {
  it("breaks sentences, and leaves data, JSON and what no person looks at as they are", () => {
    const printed = (takesBytes: boolean, printsData: boolean, json: boolean) => {
      const io = fakeIo({ cwd: "/", columns: 10, takesBytes })
      onScreen(io, { ...command, printsData }, { json }).out("one two three\n")
      return io.stdout()
    }
    expect(printed(false, false, false)).toBe("one two\n  three\n")
    for (const whole of [printed(true, false, false), printed(false, true, false), printed(false, false, true)])
      expect(whole).toBe("one two three\n")
  })

  it("hands on all that a command may copy, and takes over no interrupt before it is asked for", () => {
    let asked = 0
    const io: CommandIo = {
      ...fakeIo({ cwd: "/here", columns: 10, takesBytes: false }),
      get signal() {
        asked++
        return new AbortController().signal
      },
    }
    const shown = onScreen(io, command, {})
    expect(asked).toBe(0)
    expect({ ...shown }).toMatchObject({ cwd: "/here", columns: 10, err: io.err, signal: expect.any(AbortSignal) })
    expect(asked).toBe(1)
  })

  it("is as wide as its terminal; files and programs have no width", () => {
    expect(screenWidth({ takesBytes: false, interactive: false, columns: 60 })).toBe(60)
    expect(screenWidth({ takesBytes: true, interactive: true, columns: 60 })).toBe(60)
    expect(screenWidth({ takesBytes: true, interactive: false, columns: 60 })).toBe(Number.POSITIVE_INFINITY)
  })
})
