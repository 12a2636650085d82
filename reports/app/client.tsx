import { hydrate } from "preact"
import type { RunReport } from "../../src/core/report/report.ts"
import { blockIds, type PageFacts } from "../page/payload.ts"
import { wordsOf } from "../page/words.ts"
import { Page } from "./page.tsx"
import { decodeBlock } from "./samples/row-store.ts"
import { startHashState } from "./state.ts"
import { startWords } from "./words.tsx"
import "./style/index.css"

/** Makes the page interactive: the server's HTML is loaded already. */
async function start(): Promise<void> {
  const facts = JSON.parse(document.getElementById(blockIds.facts)?.textContent ?? "{}") as PageFacts
  const report = await decodeBlock<RunReport>(document.getElementById(blockIds.report)?.textContent ?? "")
  const root = document.getElementById("page")
  if (!root) return
  hydrate(<Page report={report} facts={facts} words={wordsOf(facts.anchors)} />, root)
  startHashState()
  startWords()
  document.documentElement.dataset.ready = "yes"
}

void start()
