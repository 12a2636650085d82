import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { EvalkitError, messageOf } from "../src/core/errors.ts"
import { nextVersion, releaseChangelog } from "./release/changelog.ts"
import { smokeTest, type TarballFacts } from "./release/tarball.ts"

// Makes a release: version, changelog, tarball, smoke test of the tarball, commit and tag. Publishes nothing: the workflow
// .github/workflows/release.yml does, when the tag is pushed.
//   npm run release -- minor            npm run release -- patch --dry-run
const root = fileURLToPath(new URL("..", import.meta.url))
const versionFiles = ["package.json", "package-lock.json"]
try {
  main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`release: ${error instanceof EvalkitError ? error.message : messageOf(error)}\n`)
  process.exitCode = 1
}

function main(args: readonly string[]): void {
  const isDry = args.includes("--dry-run")
  const bump = args.find((arg) => !arg.startsWith("--")) ?? ""
  const { version: current } = readJson("package.json")
  const version = nextVersion(current, bump, git("tag", "--list", `v${current}`) !== "")
  const changelog = releaseChangelog(read("CHANGELOG.md"), version, new Date().toISOString().slice(0, 10))
  if (!isDry && git("status", "--porcelain") !== "") throw new Error("the work tree has changes; commit them first")
  say(`${current} → ${version}${isDry ? " (dry run: nothing is written)" : ""}\n\n${changelog.section}\n`)
  if (!isDry) {
    for (const file of versionFiles) writeVersion(file, version)
    writeFileSync(`${root}CHANGELOG.md`, changelog.text)
  }
  const facts = tested(isDry ? current : version, isDry)
  const size = `${(facts.packedBytes / 1e6).toFixed(1)} MB packed, ${facts.files} files`
  say(`${facts.file}: ${size}, installed in ${facts.installSeconds.toFixed(1)} s; version, help, import and score work`)
  if (isDry) return
  git("commit", "-qam", `Release ${version}`)
  git("tag", "-a", `v${version}`, "-m", `evalkit ${version}`)
  say(`committed and tagged v${version}; publish with: git push --follow-tags`)
}

/** Tests the tarball; where that fails, the files are as they were. */
function tested(version: string, isDry: boolean): TarballFacts {
  try {
    return smokeTest(root, version)
  } catch (error) {
    if (!isDry) git("checkout", "--", ...versionFiles, "CHANGELOG.md")
    throw error
  }
}

/** Replaces the version in place, so that nothing else of the file changes. */
function writeVersion(file: string, version: string): void {
  const json = readJson(file)
  json.version = version
  if (json.packages?.[""]) json.packages[""].version = version
  writeFileSync(`${root}${file}`, `${JSON.stringify(json, null, 2)}\n`)
}

function read(file: string): string {
  return readFileSync(`${root}${file}`, "utf8")
}

function readJson(file: string) {
  return JSON.parse(read(file))
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
