import { closing } from "../../platform/closing.ts"
import { GgufError } from "./gguf-error.ts"
import type { GgufFile } from "./gguf-file.ts"
import { HeaderTruncated, parseGgufHeader } from "./parse-header.ts"
import { openForReading, readRange } from "./read-file.ts"

const firstReadBytes = 1 << 20
const maximumHeaderBytes = 1 << 28

/**
 * Reads header, metadata and tensor list of a GGUF file (versions 2 and 3, little endian); no tensor content is read.
 * Every count is checked against the file's size before anything is allocated, so that a hostile file costs little.
 * Source: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 *
 * @throws {GgufError} when the file is absent, foreign, truncated or inconsistent.
 * @experimental
 */
export async function readGguf(path: string): Promise<GgufFile> {
  return closing(await openForReading(path), async (handle) => {
    const { size } = await handle.stat()
    for (let length = firstReadBytes; ; length *= 4) {
      const bytes = await readRange(handle, 0, Math.min(length, size, maximumHeaderBytes), path)
      try {
        return parseGgufHeader(bytes, size, path)
      } catch (error) {
        if (!(error instanceof HeaderTruncated)) throw error
        if (length >= size) throw new GgufError("the file ends inside its header", path, "download or copy it again")
        if (length >= maximumHeaderBytes) throw new GgufError(`the header is over ${maximumHeaderBytes} bytes`, path)
      }
    }
  })
}
