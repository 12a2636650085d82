import { type FileHandle, open } from "node:fs/promises"
import { fileFault } from "./file-fault.ts"
import { GgufError } from "./gguf-error.ts"

/** Opens a file that must exist. */
export async function openForReading(path: string): Promise<FileHandle> {
  try {
    return await open(path, "r")
  } catch (cause) {
    throw fileFault(path, cause)
  }
}

/** Exactly `length` bytes from `offset`, or an error when the file ends before. */
export async function readRange(handle: FileHandle, offset: number, length: number, path: string): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(bytes, done, length - done, offset + done)
    if (bytesRead === 0) throw new GgufError("the file became shorter while it was read", path)
    done += bytesRead
  }
  return bytes
}
