import { describe, expect, it } from "vitest"
import { onScreen, screenWidth, withSafeErrors } from "../../../src/cli/arguments/screen.ts"
import type { Command, CommandIo } from "../../../src/cli/command.ts"
import { fakeIo } from "../../support/fake-io.ts"

const command: Command = { options: {}, examples: {}, run: async () => 0 }

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

  it("obeys nothing that a text brings, in prose, JSON and data; a file gets data as it is", () => {
    const text = "a\u001b]52;c;b3duZWQ=\u0007b\u009b2Jc\u001b[1mbold\rd\n"
    const printed = (takesBytes: boolean, printsData: boolean, json = false) => {
      const io = fakeIo({ cwd: "/", columns: 80, takesBytes })
      onScreen(io, { ...command, printsData }, { json }).out(json ? `${JSON.stringify(text)}\n` : text)
      return io.stdout()
    }
    const inert = "abc\u001b[1mbold\ufffdd\n"
    expect([printed(false, false), printed(true, false), printed(false, true)]).toEqual([inert, inert, inert])
    expect(printed(true, true)).toBe(text)
    expect(JSON.parse(printed(true, false, true))).toBe(text)
    expect(printed(true, false, true)).not.toMatch(/[\u0080-\u009f]/)
    const io = fakeIo({ cwd: "/" })
    withSafeErrors(io).err(text)
    expect(io.stderr()).toBe(inert)
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
