import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it, vi } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { runMarked } from "../../support/kills/marked-command.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const server = fileURLToPath(new URL("../../support/mcp/server.mjs", import.meta.url))
const samples = 8

/** Every call writes a note at the server when it arrives, and `done` a little later. */
function writeProject(folder: string): void {
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { writeSync } from "node:fs"
import { defineConfig, episode, exactMatch, fromFunction, mcpTools, variant } from "evalkit"
const provider = fromFunction(async ({ messages }) => {
  writeSync(3, "request\\n")
  await new Promise((resolve) => setTimeout(resolve, 5))
  const sample = messages[0].content
  const made = messages.filter(({ role }) => role === "tool").length
  const calls = [["echo", { text: sample }], ["notes_add", { key: sample }], ["echo", { text: sample }]]
  return calls[made] ? { toolCalls: [{ name: calls[made][0], arguments: calls[made][1] }] } : "done"
}, { name: "scripted" })
export default defineConfig({
  name: "killed", metrics: [exactMatch()], concurrency: 2,
  dataset: Array.from({ length: ${samples} }, (_, i) => ({ id: "s" + i, input: "s" + i, reference: "done" })),
  variants: [variant({ name: "agent", provider, episode: episode({ tools: [
    mcpTools({ command: process.execPath, args: [${JSON.stringify(server)}, ${JSON.stringify(folder)}, "child"] }),
  ] }) })],
})
`,
  )
}

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

it("calls no tool of an MCP server twice that has effects, and leaves no server, wherever evalkit is killed", {
  timeout: 400_000,
}, async () => {
  const folder = scratchDirectory()
  writeProject(folder)
  const ledger = () =>
    existsSync(join(folder, "ledger.txt")) ? readFileSync(join(folder, "ledger.txt"), "utf8").split("\n") : []
  const random = createRandom("mcp-kills")
  let kills = 0
  for (let run = 0; run < 12; run++) {
    const kill = kills < 4 ? { mark: "request", nth: 2 + random.integer(6), delayMs: random.next() * 20 } : null
    const end = await runMarked(["run", "--no-html", "--json", ...(run === 0 ? [] : ["--resume"])], folder, kill)
    if (end.isKilled) {
      kills++
      const pids = ledger().flatMap((line) => (/^(start|child) /.test(line) ? [Number(line.split(" ")[1])] : []))
      // The guard gives a server two seconds to end by itself.
      await vi.waitFor(() => expect(pids.every(isGone)).toBe(true), { timeout: 30_000, interval: 100 })
      continue
    }
    expect([0, 4], end.stderr).toContain(end.code)
    break
  }
  expect(kills).toBeGreaterThanOrEqual(2)
  const calls = ledger().filter((line) => line.startsWith("call notes.add "))
  expect(new Set(calls).size).toBe(calls.length)
  // A call that was on record as begun and had not reached the server is not made again either: at most one for each in flight.
  expect(calls.length).toBeGreaterThanOrEqual(samples - 2 * kills)
})
