import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { readPages } from "../../scripts/docs/pages.ts"

export const root = fileURLToPath(new URL("../../", import.meta.url))

/** A fenced block of a document. */
export interface Block {
  readonly document: string
  /** Line of its fence, from 1. */
  readonly line: number
  readonly language: string
  readonly code: string
  /** Why it is not run, from `<!-- not run: REASON -->` on the line before; null: it is. */
  readonly notRun: string | null
}

/** The documents whose blocks are tried: every page of the site, and the README. */
export const documents: readonly string[] = ["README.md", ...readPages(root).map(({ path }) => `docs/${path}`)]

/** Whether each command of a document is run, or says why not. Pages in `docs` itself are checked against the command table. */
export function isRun(document: string): boolean {
  return document === "README.md" || document.split("/").length > 2
}

/** The fenced blocks of a document, in order. */
export function blocksOf(document: string): Block[] {
  const lines = readFileSync(join(root, document), "utf8").split("\n")
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; at++) {
    const language = /^```(\w*)$/.exec(lines[at] ?? "")?.[1]
    if (language === undefined) continue
    const end = lines.indexOf("```", at + 1)
    if (end < 0) throw new Error(`${document}:${at + 1}: the fence is not closed`)
    const notRun = /^<!-- not run: (.+) -->$/.exec(lines[at - 1] ?? "")?.[1] ?? null
    blocks.push({ document, line: at + 1, language, code: lines.slice(at + 1, end).join("\n"), notRun })
    at = end
  }
  return blocks
}

/** The evalkit commands of a block: their words, without `npx evalkit`. Other lines are given as they are. */
export function commandsOf(code: string): { readonly line: string; readonly words: readonly string[] | null }[] {
  return code
    .split("\n")
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "")
    .map((line) => {
      const rest = /^(?:npx )?evalkit (.*)$/.exec(line)?.[1]
      return { line, words: rest === undefined ? null : wordsOf(rest) }
    })
}

/** A line cut into words as a shell does, with single and double quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"),
  )
}
