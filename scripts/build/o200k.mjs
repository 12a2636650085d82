// Writes the table of o200k_base as bytes: a line with the pattern that cuts a text into pieces, then every token by its rank, each
// after a byte that says how long it is. From js-tiktoken's table, two megabytes of source text in base64, which would take a tenth of a
// second of every run. Does nothing when the file is newer than this script.
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { root } from "./root.mjs"

const target = join(root, "dist", "src", "text", "o200k_base.tokens")
if (!existsSync(target) || statSync(target).mtimeMs < statSync(fileURLToPath(import.meta.url)).mtimeMs) await makeFile()

async function makeFile() {
  const { default: table } = await import("js-tiktoken/ranks/o200k_base")
  const tokens = table.bpe_ranks
    .split("\n")
    .flatMap((line) => {
      const [, first, ...some] = line.split(" ")
      return some.map((base64, i) => ({ rank: Number(first) + i, token: Buffer.from(base64, "base64") }))
    })
    .sort((a, b) => a.rank - b.rank)
  if (table.pat_str.includes("\n") || tokens.some(({ token }) => token.length > 255))
    throw new Error("js-tiktoken's table of o200k_base has another form")
  mkdirSync(dirname(target), { recursive: true })
  const parts = tokens.flatMap(({ token }) => [Buffer.from([token.length]), token])
  writeFileSync(target, Buffer.concat([Buffer.from(`${table.pat_str}\n`), ...parts]))
}
