import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { main } from "../../../src/cli/main.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { type PageHeading, pageHeadings } from "./page-headings.tsx"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** The words of an open page that are marked as explained: how many there are, and which are not as `evalkit explain` explains them. */
export async function explainedHeadings(page: Page): Promise<{ readonly count: number; readonly faults: string[] }> {
  const headings = await page.evaluate(pageHeadings)
  const faults: string[] = []
  for (const heading of headings) {
    const fault = await faultOf(heading)
    if (fault !== null) faults.push(`${heading.text}: ${fault}`)
  }
  return { count: headings.length, faults }
}

const plain = (text: string) => text.replace(/[`\s]+/g, " ").trim()

/** What `evalkit explain NAME` prints; empty where it knows no such name. */
const answers = new Map<string, Promise<string>>()
function explained(name: string): Promise<string> {
  const answer = answers.get(name)
  if (answer) return answer
  const io = fakeIo({ cwd: root })
  const asked = main(["explain", name], io).then((code) => (code === 0 ? plain(io.stdout()) : ""))
  answers.set(name, asked)
  return asked
}

/** What is wrong with how a word is explained; null: nothing. */
async function faultOf({ word, title, said }: PageHeading): Promise<string | null> {
  if (said === null) return `leads to ${word}, which is not in the file`
  // What a metric of the run is, its own page says; a page that nobody wrote cannot be asked for.
  if (word.startsWith("word-metric-")) return null
  if (!(await explained(word.replace(/^word-/, ""))).includes(plain(said)))
    return "is explained otherwise by evalkit explain"
  return title !== null && plain(title) !== plain(said) ? "has another text on hover" : null
}
