import type { Write } from "../../../reports/export/write.ts"

/** The list of runs, from a report that the server shows. The report's own policy takes a plain link. */
const wayBack = '<nav class="way-back" aria-label="evalkit"><a href="/">evalkit: all runs</a></nav>\n'

/** Writes a report's page with a link to the list above it: the file that `evalkit report` makes has none, as it stands alone. */
export function withWayBack(write: Write): Write {
  let isSaid = false
  return (chunk) => {
    if (isSaid || !chunk.startsWith("<body>\n")) return write(chunk)
    isSaid = true
    return write(chunk.replace("<body>\n", `<body>\n${wayBack}`))
  }
}
