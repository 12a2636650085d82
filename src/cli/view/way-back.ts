import type { Write } from "../../../reports/export/write.ts"
import { pathPart } from "../../../reports/view/document.ts"

/** The list of runs, and what people say of this one, from a report that the server shows. The report's own policy takes plain links. */
const wayBack = (runId: string) =>
  `<nav class="way-back" aria-label="evalkit"><a href="/">evalkit: all runs</a> \u00b7 <a href="/told/${pathPart(runId)}">tags and notes</a></nav>\n`

/** Writes a report's page with links to the list and to its tags and notes above it: the file that `evalkit report` makes has none, as it stands alone. */
export function withWayBack(write: Write, runId: string): Write {
  let isSaid = false
  return (chunk) => {
    if (isSaid || !chunk.startsWith("<body>\n")) return write(chunk)
    isSaid = true
    return write(chunk.replace("<body>\n", `<body>\n${wayBack(runId)}`))
  }
}
