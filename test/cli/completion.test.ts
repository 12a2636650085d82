import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { cliPath } from "../support/cli.ts"
import { scratchDirectory } from "../support/scratch.ts"

const bash = "/bin/bash"
if (!existsSync(bash)) console.warn("SKIPPED: no bash on this machine, completion is not tried in it")

describe.skipIf(!existsSync(bash))("completion in bash", { timeout: 120_000 }, () => {
  let folder = ""

  beforeAll(async () => {
    folder = scratchDirectory()
    await writeFile(join(folder, "evalkit"), `#!/bin/sh\nexec "${process.execPath}" "${cliPath}" "$@"\n`, {
      mode: 0o755,
    })
  })

  /** What bash offers after these words. */
  function offered(...words: string[]): string[] {
    const script = [
      "source <(SHELL=/bin/bash evalkit completion)",
      `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})`,
      `COMP_CWORD=${words.length - 1}`,
      "_evalkit_yargs_completions",
      `printf "%s\\n" "\${COMPREPLY[@]}"`,
    ].join("\n")
    const environment = { ...process.env, SHELL: bash, PATH: `${folder}:${process.env.PATH}` }
    return execFileSync(bash, ["-c", script], { env: environment, encoding: "utf8" }).split("\n").filter(Boolean)
  }

  it("offers commands, options and the values of options", () => {
    expect(offered("evalkit", "rep")).toEqual(["report"])
    expect(offered("evalkit", "report", "--ch")).toEqual(["--chart"])
    expect(offered("evalkit", "report", "--format", "mark")).toEqual(["markdown"])
  })

  it("has a script for zsh too", () => {
    const text = execFileSync(process.execPath, [cliPath, "completion"], {
      env: { ...process.env, SHELL: "/bin/zsh", ZSH_NAME: "zsh" },
      encoding: "utf8",
    })
    expect(text).toMatch(/^#compdef evalkit/)
  })
})
