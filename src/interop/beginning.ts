import { open } from "node:fs/promises"
import { closing } from "../platform/closing.ts"

/** What a file begins with: up to 64 kB. */
export async function firstBytes(path: string): Promise<Buffer> {
  return closing(await open(path), async (file) => {
    const buffer = Buffer.alloc(64 * 1024)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
    return buffer.subarray(0, bytesRead)
  })
}
