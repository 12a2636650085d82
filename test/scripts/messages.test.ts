import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Names, which keep their capital. */
const names = ["Anthropic's", "Parquet", "WordNet's"]

/** The first text of an error of ours, and the feature that a package is missing for. */
const begins = /new \w*Error\(\s*(?:"[@a-z0-9/_-]+",\s*)?["'`]([A-Z][a-z]*(?:'s)?)\s/g

it('begins every message with a small letter, since it stands behind "evalkit:", a variant\'s name or another message', () => {
  const files = ["src", "metrics", "judges", "datasets", "reports"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(folder, file)),
  )
  // What stands for an HTTP client speaks with that client's words.
  const ours = files.filter((file) => !file.startsWith(join("src", "capture")))
  const result = ours.flatMap((file) =>
    Array.from(readFileSync(join(root, file), "utf8").matchAll(begins), ([, word = ""]) => [file, word] as const),
  )
  expect(files.length).toBeGreaterThan(1000)
  expect(result.filter(([, word]) => !names.includes(word))).toEqual([])
})
