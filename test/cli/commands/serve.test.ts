import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import type { CommandIo } from "../../../src/cli/command.ts"
import { main } from "../../../src/cli/main.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const model = fileURLToPath(new URL("../../../models/tiny/tiny-s-f16.gguf", import.meta.url))

const directory = scratchDirectory()

/** Runs the command line; `onOut` sees each printed text and may interrupt. */
async function run(argv: readonly string[], onOut: (text: string, interrupt: () => void) => void) {
  const interrupt = new AbortController()
  const out: CommandIo["out"] = (text) => onOut(String(text), () => interrupt.abort())
  const io = fakeIo({ cwd: directory, out, signal: interrupt.signal })
  return { exitCode: await main(argv, io), err: io.stderr() }
}

describe("evalkit serve", () => {
  it("prints where it serves, answers there, and ends cleanly on Ctrl-C", async () => {
    let answered: Promise<Response> | undefined
    let printed = ""
    const { exitCode, err } = await run(
      ["serve", model, "--port", "0", "--quantization", "Q4_0", "--json"],
      (text, interrupt) => {
        printed += text
        const { baseUrl } = JSON.parse(text) as { baseUrl: string }
        answered = fetch(`${baseUrl}/models`)
        void answered.then(interrupt)
      },
    )
    expect({ exitCode, status: (await answered)?.status }).toEqual({ exitCode: 0, status: 200 })
    expect(printed).toMatch(/"baseUrl":"http:\/\/127\.0\.0\.1:\d+\/v1"/)
    expect(err).toContain("quantizing to Q4_0")
    expect(await readdir(join(directory, ".evalkit", "models"))).toContain("tiny-s-q4_0.gguf")
    await expect(fetch((JSON.parse(printed) as { baseUrl: string }).baseUrl)).rejects.toThrow()
  })

  it("shows a line to try", async () => {
    let printed = ""
    await run(["serve", model, "--port", "0"], (text, interrupt) => {
      printed += text
      interrupt()
    })
    expect(printed).toMatch(/^tiny-s-f16 is served at http:/)
    expect(printed).toMatch(/try: curl http.*\/v1\/chat\/completions/)
  })

  it("says what is wrong with an option or a file and ends with 2", async () => {
    const nothing = () => undefined
    expect(await run(["serve", model, "--threads", "many"], nothing)).toMatchObject({ exitCode: 2 })
    const absent = await run(["serve", "absent.gguf", "--port", "0"], nothing)
    expect(absent.exitCode).toBe(2)
    expect(absent.err).toContain("absent.gguf")
  })
})
