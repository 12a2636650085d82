import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { interruptible } from "../../src/platform/interruptible.ts"
import { scratchDirectory } from "../support/scratch.ts"

it("returns what the step returns, and throws what it throws", async () => {
  expect(await interruptible(() => 2)).toBe(2)
  const fault = new RangeError("of the step")
  const failing = interruptible(() => {
    throw fault
  })
  await expect(failing).rejects.toBe(fault)
  expect(await interruptible(() => 3)).toBe(3)
})

it("gives a step a second after an interruption, and ends it then", async () => {
  const signal = AbortSignal.abort()
  expect(await interruptible(() => 1, signal)).toBe(1)
  const started = performance.now()
  const endless = () => {
    while (performance.now() - started < 20_000);
  }
  await expect(interruptible(endless, signal)).rejects.toThrow(/interrupted/)
  expect(performance.now() - started).toBeLessThan(5000)
})

it.skipIf(process.platform === "win32")("hears a signal that came just before the step", async () => {
  let heard = 0
  const listen = () => void heard++
  process.on("SIGINT", listen)
  try {
    process.kill(process.pid, "SIGINT")
    await interruptible(() => 1)
    expect(heard).toBe(1)
  } finally {
    process.off("SIGINT", listen)
  }
})

it.skipIf(process.platform === "win32")(
  "ends a step that never ends at SIGINT, and tells those who listen",
  async () => {
    const module = fileURLToPath(new URL("../../src/platform/interruptible.ts", import.meta.url))
    const jiti = fileURLToPath(new URL("../../node_modules/jiti/lib/jiti-cli.mjs", import.meta.url))
    const file = join(scratchDirectory(), "step.ts")
    // Written without a stream: one that is broken off in the middle of a write writes no more.
    const script = `import { writeSync } from "node:fs"
import { interruptible } from ${JSON.stringify(module)}
process.on("SIGINT", () => console.log("heard"))
try { await interruptible(() => { writeSync(1, "there\\n"); for (;;); }) } catch (error) { console.log(error.code) }
try { await interruptible(() => { throw new Error("still usable") }) } catch (error) { console.log(error.message) }`
    writeFileSync(file, script)
    const child = spawn(process.execPath, [jiti, file], { stdio: ["ignore", "pipe", "inherit"] })
    let said = ""
    child.stdout.on("data", (text) => {
      said += text
      if (said === "there\n") child.kill("SIGINT")
    })
    const ended = once(child, "close")
    const timer = setTimeout(() => child.kill("SIGKILL"), 20_000)
    expect((await ended)[0]).toBe(0)
    clearTimeout(timer)
    expect(said).toBe("there\nheard\ninterrupted\nstill usable\n")
  },
  30_000,
)
