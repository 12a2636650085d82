import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { readPages } from "../../scripts/docs/pages.ts"
import { entryFiles, publicNames } from "../../scripts/reference/public-names.ts"
import { command } from "../../src/cli/commands/explain.ts"
import { fakeIo } from "../support/fake-io.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Every value that any entry exports; types are on the site. */
const functions: ReadonlySet<string> = new Set(
  [...entryFiles().values()].flatMap((file) => [...publicNames(file).keys()].filter((name) => /^[a-z]/.test(name))),
)

async function isExplained(name: string): Promise<boolean> {
  return command.run({ name }, fakeIo({ cwd: "/" })).then(
    () => true,
    () => false,
  )
}

/** The functions that a text calls, and the options that it gives them. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/\b([a-z]\w+)\((?:\{ ?((?:\w+(?:: [^,{}()]+)?,? ?)+)\})?/g)].flatMap(
    ([, name = "", options]) =>
      functions.has(name)
        ? [name, ...[...(options ?? "").matchAll(/(?:^|, )(\w+)\b/g)].map(([, option = ""]) => option)]
        : [],
  )
}

async function unexplained(names: ReadonlySet<string>): Promise<string[]> {
  const missing: string[] = []
  for (const name of names) if (!(await isExplained(name))) missing.push(name)
  return missing
}

it("every function that any entry exports has a page by evalkit explain", async () => {
  expect(functions.size).toBeGreaterThan(450)
  expect(await unexplained(functions)).toEqual([])
}, 60_000)

it("every function that pages name, and every option that they give one, has a page", async () => {
  const pages = [...readPages(root).map(({ text }) => text), readFileSync(`${root}README.md`, "utf8")]
  const named = new Set(pages.flatMap(namesIn))
  expect(named.size).toBeGreaterThan(90)
  expect(await unexplained(named)).toEqual([])
}, 60_000)

it("every function and option that an error names, where it stands or in its hint, has a page", async () => {
  const files = ["src", "metrics", "judges", "datasets", "reports"].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" }).map((file) => `${root}${folder}/${file}`),
  )
  const lines = files
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => readFileSync(file, "utf8").split("\n"))
    .flatMap((line) => /\b(?:where|hint): (.*)/.exec(line)?.[1] ?? [])
  // Of strings alone: what else stands in a line is code.
  const words = lines.flatMap((line) => line.match(/"[^"]*"|'[^']*'|`[^`]*`/g) ?? [])
  const named = new Set(words.flatMap(namesIn))
  expect(named.size).toBeGreaterThan(60)
  expect(await unexplained(named)).toEqual([])
}, 60_000)

it.each([
  ...["cluster", "hourly", "owned", "utilisation", "trace", "find-rate", "evaluate", "Price", "inOrder", "effects"],
  ...["needles", "readRows", "wilsonInterval", "loadConfig", "runLoad", "toScore"],
  // Tables of columns.
  ...["traces", "recorded rows", "RecordedRow", "labels"],
])("%s has a page", async (name) => {
  expect(await isExplained(name)).toBe(true)
})
