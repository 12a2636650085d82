import { createReadStream } from "node:fs"
import { UsageError } from "../../core/errors.ts"
import { lines } from "../../platform/lines.ts"

/** No line of an archive is longer: the longest text that can be read has half a gigabyte. */
const longestLineBytes = 256 * 2 ** 20

/** The lines of an archive, without their line feeds. */
export async function* archiveLines(path: string, file: string): AsyncGenerator<string> {
  for await (const line of lines(createReadStream(path), longestLineBytes)) {
    if (line.text !== null) yield line.text
    else throw new UsageError(`this is not a whole evalkit archive: ${line.fault}`, { where: `${file}:${line.number}` })
  }
}
