import { type ChildProcess, spawn } from "node:child_process"
import { appendFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { chat, newestPairs, rowsOf, send } from "../../shadow/world.ts"
import { callCli } from "../../support/call-cli.ts"
import { cliPath } from "../../support/cli.ts"
import { serveLoopback, streamChat } from "../../support/loopback.ts"
import { isNightly } from "../../support/nightly.ts"
import { scratchDirectory } from "../../support/scratch.ts"

vi.setConfig({ testTimeout: 180_000 })

let state: "fine" | "down" | "hangs" = "fine"
let asked = 0
const posts: { text: string; began: { kind: string; variant: string }[] }[] = []
const world = await serveLoopback((request, response, body) => {
  if (request.url === "/hook") {
    posts.push(JSON.parse(body))
    return response.end()
  }
  if (request.url?.startsWith("/candidate")) {
    asked++
    if (state === "hangs") return
    if (state === "down") return response.writeHead(503).end("{}")
  }
  streamChat(response, "yes", 100, 10)
})

let folder = ""
const children: ChildProcess[] = []
beforeEach(() => {
  folder = scratchDirectory()
  ;[state, asked, posts.length] = ["fine", 0, 0]
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL")
})

const options = ["--candidate-model", "small", "--port", "0", "--json"]
const urls = ["--primary", `${world.origin}/primary/v1`, "--candidate", `${world.origin}/candidate/v1`]

/** Starts the command as a process, and waits until it listens. */
async function start(more: readonly string[] = []) {
  const child = spawn(process.execPath, [cliPath, "shadow", ...urls, ...options, "--share", "100%", ...more], {
    ...{ cwd: folder, env: { ...process.env, NO_COLOR: "1" }, stdio: ["ignore", "pipe", "pipe"] },
  })
  children.push(child)
  let [stdout, stderr] = ["", ""]
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal })),
  )
  await Promise.race([until(() => stdout.includes("\n")), ended])
  if (!stdout) throw new Error(stderr)
  const { url, status } = JSON.parse(stdout.split("\n")[0] as string) as { url: string; status: string }
  return {
    ...{ child, ended, stdout: () => stdout, stderr: () => stderr },
    ask: (text: string) => send(`${url}/chat/completions`, chat(text, { stream: true })),
    status: async () => JSON.parse((await send(status, null)).body.toString()) as Record<string, number>,
  }
}

const until = (isSo: () => boolean | Promise<boolean>) => vi.waitUntil(isSo, { timeout: 60_000, interval: 20 })

/** Asks eight at a time, until `ended`. */
async function load(ask: (text: string) => Promise<unknown>, count: number, ended?: Promise<unknown>): Promise<void> {
  let next = 0
  ended?.then(() => (next = count))
  const call = async (): Promise<void> => {
    while (next < count) await ask(`what is ${next++}?`).catch(() => {})
  }
  await Promise.all(Array.from({ length: 8 }, call))
}

describe("evalkit shadow", () => {
  it("loses no pair that was acknowledged when it is killed under load, and goes on in the same folder", async () => {
    let stored = 0
    for (const round of isNightly ? [1, 2, 3] : [1]) {
      const shadow = await start(["--budget", "100000 requests/day"])
      const loading = load(shadow.ask, 100_000, shadow.ended)
      let acknowledged = 0
      while (acknowledged < 40 * round) acknowledged = (await shadow.status()).stored as number
      shadow.child.kill("SIGKILL")
      await shadow.ended
      loading.catch(() => {})
      const rows = rowsOf(join(folder, "shadow"))
      expect(rows.length / 2).toBeGreaterThanOrEqual(stored + acknowledged)
      stored = Math.floor(rows.length / 2)
      // What a crash of the machine may leave.
      appendFileSync(newestPairs(join(folder, "shadow")), '{"id":"torn","model_group":"primary"}\n{"id":"to')
    }
    const last = await start()
    await last.ask("and now?")
    await until(async () => (await last.status()).stored === 1)
    last.child.kill("SIGTERM")
    expect(await last.ended).toMatchObject({ code: 0 })
    const rows = rowsOf(join(folder, "shadow"))
    expect(rows.length).toBe(2 * stored + 2)
    expect(rows.every((row, i) => row.model_group === (i % 2 === 0 ? "primary" : "candidate"))).toBe(true)
    expect(rows.every((row, i) => row.id === rows[i - (i % 2)]?.id)).toBe(true)
  })

  it("keeps to the budget of the day over kills", { skip: !isNightly }, async () => {
    for (let round = 0; round < 3; round++) {
      const shadow = await start(["--budget", "0.05usd/day", "--price", "10/20", "--max-tokens", "100"])
      await load(shadow.ask, 60)
      if (round === 2) await until(async () => Number((await shadow.status()).inFlight) === 0)
      shadow.child.kill("SIGKILL")
      await shadow.ended
    }
    // Each call costs 0.0012, and may cost 0.003 and some; what was in flight at a kill counts as that much.
    expect(asked * 0.0012).toBeLessThanOrEqual(0.05)
    expect(asked).toBeGreaterThan(10)
  })

  it("stops a candidate that is down, tells the webhook, serves on, and ends with exit code 3", async () => {
    state = "down"
    const shadow = await start([
      "--stop-when",
      "availability < 99 %",
      "--stop-calls",
      "50",
      "--webhook",
      `${world.origin}/hook`,
    ])
    await load(shadow.ask, 60)
    await until(() => posts.length > 0)
    const { text, began } = posts[0] as (typeof posts)[number]
    expect(began).toMatchObject([{ kind: "availability", variant: "candidate" }])
    expect(text).toContain("availability < 99 %: 0 % (between 0 % and ")
    const before = asked
    expect((await shadow.ask("still there?")).body.toString()).toContain("yes")
    expect(asked).toBe(before)
    shadow.child.kill("SIGINT")
    expect(await shadow.ended).toMatchObject({ code: 3 })
    expect(shadow.stderr()).toContain("nothing more is mirrored")
    expect(JSON.parse(shadow.stdout().trim().split("\n").at(-1) as string)).toMatchObject({ stopped: { calls: 50 } })
  })

  it("ends what is in flight at Ctrl-C, and everything at the second one", async () => {
    state = "hangs"
    const shadow = await start()
    expect((await shadow.ask("hello")).body.toString()).toContain("yes")
    await until(() => asked === 1)
    shadow.child.kill("SIGINT")
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(shadow.child.exitCode).toBeNull()
    shadow.child.kill("SIGINT")
    expect(await shadow.ended).toMatchObject({ signal: "SIGINT" })
  })

  it("gives up what hangs after ten seconds", { skip: !isNightly }, async () => {
    state = "hangs"
    const shadow = await start()
    await shadow.ask("hello")
    await until(() => asked === 1)
    shadow.child.kill("SIGINT")
    expect(await shadow.ended).toMatchObject({ code: 0 })
    expect(JSON.parse(shadow.stdout().trim().split("\n").at(-1) as string)).toMatchObject({
      stored: 0,
      skipped: { ending: 1 },
    })
  })

  it("says what a line lacks, before it listens", async () => {
    const refused = async (...more: string[]) =>
      (await callCli(["shadow", ...urls, ...options, ...more], { cwd: folder })).stderr
    expect(await refused("--budget", "20usd/day")).toContain("--price INPUT/OUTPUT")
    expect(await refused("--budget", "20usd")).toContain("20usd/day")
    expect(await refused("--budget", "5min/day")).toContain("not a budget of a day")
    expect(await refused("--share", "120%")).toContain("--share must be a share")
    expect(await refused("--stop-when", "quality < 1")).toContain('--stop-when cannot watch "quality < 1"')
    expect(await refused("--key-variable", "NO_SUCH_KEY")).toContain("NO_SUCH_KEY is not set")
    expect(await refused("--countries", "QQ")).toContain("QQ")
    const shadow = await start()
    expect(await refused()).toContain("written by another process")
    shadow.child.kill("SIGINT")
    await shadow.ended
    expect(readFileSync(newestPairs(join(folder, "shadow")), "utf8")).toBe("")
  })
})
