import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { readPages } from "../../scripts/docs/pages.ts"
import { entryFiles, publicNames } from "../../scripts/reference/public-names.ts"
import { command } from "../../src/cli/commands/explain.ts"
import { fakeIo } from "../support/fake-io.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Names of what is called, not of what a page explains: programs read their declarations. */
const forPrograms = ["evalkit/datasets", "evalkit/stats", "evalkit/engine", "evalkit/bench", "evalkit/vitest"]

async function isExplained(name: string): Promise<boolean> {
  return command.run({ name }, fakeIo({ cwd: "/" })).then(
    () => true,
    () => false,
  )
}

it("every function that pages name, and every option that they give one, has a page by evalkit explain", async () => {
  const pages = [...readPages(root).map(({ text }) => text), readFileSync(`${root}README.md`, "utf8")]
  const functions = new Set(
    [...entryFiles()].flatMap(([entry, file]) => (forPrograms.includes(entry) ? [] : [...publicNames(file).keys()])),
  )
  const named = new Set<string>()
  for (const text of pages)
    for (const [, name = "", options] of text.matchAll(/\b([a-z]\w+)\((?:\{ ?((?:\w+: [^,{}()]+,? ?)+)\})?/g)) {
      if (!functions.has(name)) continue
      named.add(name)
      for (const [, option = ""] of (options ?? "").matchAll(/(?:^|, )(\w+): /g)) named.add(option)
    }
  const missing: string[] = []
  for (const name of named) if (!(await isExplained(name))) missing.push(name)
  expect(named.size).toBeGreaterThan(90)
  expect(missing).toEqual([])
}, 60_000)

it.each([
  ...["cluster", "hourly", "owned", "utilisation", "trace", "find-rate", "evaluate", "Price", "inOrder", "effects"],
  // Tables of columns.
  ...["traces", "recorded rows", "RecordedRow", "labels"],
])("%s has a page", async (name) => {
  expect(await isExplained(name)).toBe(true)
})
