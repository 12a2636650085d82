import { randomBytes } from "node:crypto"
import { rm, rmdir, stat, statfs, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { messageOf } from "../../core/errors.ts"
import { makeFolder } from "../../platform/make-folder.ts"
import { loadDriver } from "../../store/sqlite/database.ts"
import type { DoctorCheck } from "./check.ts"

const minimumNode = [20, 19] as const
const gibibyte = 2 ** 30

/** Node 20.19 or newer. */
export function checkNode(version: string): DoctorCheck {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number)
  const fits = major > minimumNode[0] || (major === minimumNode[0] && minor >= minimumNode[1])
  return {
    name: "node",
    status: fits ? "ok" : "failed",
    message: fits ? version : `${version}; evalkit needs Node ${minimumNode.join(".")} or newer`,
  }
}

/** Whether the folder of the store can be made and written to; leaves nothing behind. */
export async function checkStore(directory: string): Promise<DoctorCheck> {
  const name = "store"
  try {
    const made = makeFolder(directory)
    const probe = join(directory, `.doctor-${randomBytes(6).toString("hex")}`)
    await writeFile(probe, "")
    await rm(probe)
    if (made !== null) await rmdir(directory)
    loadDriver()
    return { name, status: "ok", message: `${directory} can be written` }
  } catch (error) {
    return { name, status: "failed", message: `${directory} cannot be written: ${messageOf(error)}` }
  }
}

/** Free space where the store lies: a warning under 1 GiB, a failure under 100 MiB. */
export async function checkDisk(directory: string): Promise<DoctorCheck> {
  const name = "disk"
  try {
    const { bavail, bsize } = await statfs(await existingParent(directory))
    const free = bavail * bsize
    const status = free < 0.1 * gibibyte ? "failed" : free < gibibyte ? "warning" : "ok"
    return { name, status, message: `${(free / gibibyte).toFixed(1)} GiB free` }
  } catch (error) {
    return { name, status: "warning", message: `free space is unknown: ${messageOf(error)}` }
  }
}

async function existingParent(path: string): Promise<string> {
  const stats = await stat(path).catch(() => null)
  return stats || dirname(path) === path ? path : existingParent(dirname(path))
}
