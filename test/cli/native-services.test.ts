import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { runCli } from "../support/cli.ts"
import { startAnthropicMock } from "../support/mocks/anthropic.ts"
import { startCohereMock } from "../support/mocks/cohere.ts"
import { startGeminiMock } from "../support/mocks/gemini.ts"
import { scratchDirectory } from "../support/scratch.ts"

const key = "native-key-0123456789abcdef"
const services = [
  ["anthropic", "ANTHROPIC_API_KEY", startAnthropicMock],
  ["gemini", "GEMINI_API_KEY", startGeminiMock],
  ["cohere", "COHERE_API_KEY", startCohereMock],
] as const

let stop: (() => Promise<void>) | undefined
afterEach(() => stop?.())

describe("a first config", () => {
  it.each(services)(
    "for %s passes the doctor, loses no call, and leaves no key behind",
    async (name, variable, start) => {
      const mock = await start(key)
      stop = mock.close
      const folder = scratchDirectory()
      const options = { cwd: folder, environment: { [variable]: key } }
      // `init` suggests no models of Cohere's: its config differs in the names of the function and of the models only.
      const models = ["--provider", "openai", "--baseline", "command-a-03-2025", "--candidate", "command-r-08-2024"]
      await runCli(["init", ...(name === "cohere" ? models : ["--provider", name])], options)
      const path = join(folder, "eval.config.ts")
      const written = (await readFile(path, "utf8")).replaceAll("openai", name)
      await writeFile(path, written.replaceAll(`${name}({`, `${name}({ baseUrl: ${JSON.stringify(mock.baseUrl)},`))

      const doctor = await runCli(["doctor"], options)
      expect(doctor.stdout + doctor.stderr).toContain("Ready.")
      const { stdout, stderr } = await runCli(["run", "--json"], options)
      const { variants } = JSON.parse(stdout)
      expect(variants, stderr).toMatchObject([
        { finished: 10, outcomes: { ok: 10 } },
        { finished: 10, outcomes: { ok: 10 } },
      ])
      expect(doctor.stdout + doctor.stderr + stdout + stderr).not.toContain(key)
      for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
        if (file.isFile()) expect(await readFile(join(file.parentPath, file.name), "latin1")).not.toContain(key)
    },
  )
})
