import { createHash } from "node:crypto"
import { open } from "node:fs/promises"

/**
 * SHA-256 of what several files hold, one behind the other, in lower-case hex. Read piece by piece: a file of 90 MB in one piece costs more than
 * its hash.
 */
export async function filesSha256(...paths: readonly string[]): Promise<string> {
  const hash = createHash("sha256")
  const buffer = Buffer.allocUnsafe(1 << 20)
  for (const path of paths) {
    const file = await open(path)
    try {
      for (;;) {
        const { bytesRead } = await file.read(buffer)
        if (bytesRead === 0) break
        hash.update(buffer.subarray(0, bytesRead))
      }
    } finally {
      await file.close()
    }
  }
  return hash.digest("hex")
}
