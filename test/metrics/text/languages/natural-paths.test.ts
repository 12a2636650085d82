import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buildSync } from "esbuild"
import { expect, it } from "vitest"
import { languages } from "../../../../metrics/text/languages/language.ts"

/** Every path of natural that the sources import. */
const paths = [
  ...new Set(
    ["metrics", "judges", "datasets", "reports", "src"].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
        .flatMap((file) =>
          [...readFileSync(join(folder, file), "utf8").matchAll(/(?:from|import\()\s*"(natural(?:\/[^"]+)?)"/g)].map(
            ([, path]) => path as string,
          ),
        ),
    ),
  ),
]

/** Imports a module in a process of its own and says what that loaded and changed. */
const probe = `
import { createRequire } from "node:module"
const before = JSON.stringify(process.env)
await import(process.argv[1])
process.stdout.write("\\u0000" + JSON.stringify({
  packages: [...new Set(Object.keys(createRequire(import.meta.url + "/../x.js").cache)
    .map((file) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(file)?.[1]))],
  sameEnvironment: before === JSON.stringify(process.env),
}))`

it("imports natural by sub-paths only", () => {
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((path) => !path.startsWith("natural/lib/natural/"))).toEqual([])
})

it.each(paths)("%s loads no server's driver, prints nothing and leaves the environment alone", (path) => {
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", probe, path], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [printed, result] = output.split("\u0000") as [string, string]
  expect(printed).toBe("")
  const { packages, sameEnvironment } = JSON.parse(result) as { packages: string[]; sameEnvironment: boolean }
  expect(packages).toContain("natural")
  expect(packages.filter((name) => name !== "natural" && name !== "stopwords-iso")).toEqual([])
  expect(sameEnvironment).toBe(true)
})

it("works as part of a bundle, where all code is strict", () => {
  const folder = mkdtempSync(join(tmpdir(), "natural-bundle-"))
  try {
    buildSync({
      entryPoints: ["metrics/text/languages/stemmer.ts", "datasets/perturb/phonetic-typos.ts"],
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      logLevel: "silent",
    })
    const codes = Object.entries(languages).flatMap(([code, { stemmer }]) => (stemmer === null ? [] : [code]))
    const script = `
      const { loadStemmer } = await import(${JSON.stringify(join(folder, "metrics/text/languages/stemmer.mjs"))})
      const { phoneticTypos } = await import(${JSON.stringify(join(folder, "datasets/perturb/phonetic-typos.mjs"))})
      const globals = Object.keys(globalThis).length
      for (const code of ${JSON.stringify(codes)})
        for (const word of ["maisons", "häuser", "gebaren", "книгами", "continuellement", "a", ""]) (await loadStemmer(code))(word)
      for (const code of ["metaphone", "soundex"]) await phoneticTypos({ code }).prepare()
      console.log(Object.keys(globalThis).length - globals)`
    const added = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" })
    expect(codes.length).toBeGreaterThan(8)
    expect(added.trim()).toBe("0")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
