import { describe, expect, it } from "vitest"
import { withSpinner } from "../../../src/cli/spinner.ts"
import { fakeIo } from "../../support/fake-io.ts"

describe("a line while a command works", () => {
  it("is there before the work, and gone behind it, whether it succeeds or fails", async () => {
    const io = fakeIo({ cwd: "/", interactive: true, columns: 80 })
    let before = ""
    const work = () => {
      before = io.stderr()
      return 7
    }
    expect(await withSpinner(io, "comparing a and b", work)).toBe(7)
    expect(before).toBe("comparing a and b \u2026")
    expect(io.stderr()).toBe("comparing a and b \u2026\r\u001b[2K")
    const broken = () => Promise.reject(new Error("no"))
    await expect(withSpinner(io, "again", broken)).rejects.toThrow("no")
    expect(io.stderr()).toMatch(/\r\u001b\[2K$/)
  })

  it("makes room for what the work says", async () => {
    const io = fakeIo({ cwd: "/", interactive: true, columns: 80 })
    await withSpinner(io, "writing", (own) => own.err("wrote it\n"))
    expect(io.stderr()).toBe("writing \u2026\r\u001b[2Kwrote it\n")
  })

  it("fits the terminal, and is not written to logs", async () => {
    const io = fakeIo({ cwd: "/", interactive: true, unicode: false, columns: 20 })
    await withSpinner(io, "x".repeat(100), () => 1)
    expect(io.stderr().split("\r")[0]).toHaveLength(19)
    const log = fakeIo({ cwd: "/" })
    await withSpinner(log, "comparing", () => 1)
    expect(log.stderr()).toBe("")
  })
})
