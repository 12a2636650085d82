import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { startProcess } from "../../src/serving/process.ts"

const maker = fileURLToPath(new URL("../support/servers/orphan-maker.mjs", import.meta.url))

/** A dead process that nobody has waited for is still listed, as a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

describe.runIf(process.platform === "linux")("a server that was started", () => {
  it.concurrent.each(["SIGKILL", "SIGTERM", "SIGHUP"] as const)(
    "dies with its children when its parent ends by %s",
    async (signal) => {
      const parent = spawn(process.execPath, [maker, "stubborn-family"], { stdio: ["ignore", "pipe", "inherit"] })
      const line = await new Promise<string>((resolve) => parent.stdout.once("data", (data) => resolve(String(data))))
      const pids = line.trim().split(" ").map(Number)
      expect(pids.map(isRunning)).toEqual([true, true])
      parent.kill(signal)
      await expect.poll(() => pids.map(isRunning), { timeout: 8_000 }).toEqual([false, false])
    },
  )

  it("takes with it what it left running when it ends by itself", async () => {
    const script = `const { spawn } = require("node:child_process")
      const child = spawn("sleep", ["60"], { stdio: "ignore" })
      console.log("pid " + child.pid); setTimeout(() => process.exit(0), 50)`
    const server = startProcess({ command: process.execPath, args: ["-e", script], environment: process.env })
    const [, pid] = await server.log.find(/^pid (\d+)/)
    expect(await server.ended).toBe("exit code 0")
    await expect.poll(() => isRunning(Number(pid))).toBe(false)
    await server.stop(100)
  })
})
