import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { ToolSession } from "../../../src/core/episode/tool-source.ts"
import type { JsonValue } from "../../../src/core/json.ts"
import { type McpToolsOptions, mcpTools } from "../../../src/providers/tools/mcp.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const server = fileURLToPath(new URL("../../support/mcp/server.mjs", import.meta.url))
const sample = { id: "s", input: "", context: [], choices: [], metadata: {} }
const opened: ToolSession[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close()))
})

async function open(words: readonly string[] = [], options: Partial<McpToolsOptions> = {}) {
  const folder = scratchDirectory()
  const source = mcpTools({ command: process.execPath, args: [server, folder, ...words], name: "test", ...options })
  const signal = new AbortController().signal
  const session = await source.open({ signal, state: undefined, sample })
  opened.push(session)
  const call = (name: string, input: JsonValue, outer: AbortSignal = signal) => {
    const tool = session.tools.find((entry) => entry.name === name)
    if (!tool) throw new Error(`no tool ${name}`)
    return tool.call(input, { state: undefined, sample, signal: outer, seed: "1" })
  }
  const ledger = () => readFileSync(join(folder, "ledger.txt"), "utf8").trim().split("\n")
  return { folder, source, session, call, ledger }
}

const until = (is: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(is()).toBe(true), { timeout: 10_000, interval: 20 })

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe("the tools of an MCP server", () => {
  it("are listed over all pages, with names that services take and effects by what the server says", async () => {
    const { session } = await open()
    expect(session.tools.map(({ name, effects }) => [name, effects])).toEqual([
      ["die", "outside"],
      ["echo", "none"],
      ["environment", "none"],
      ["fail", "outside"],
      ["huge", "none"],
      ["mixed", "none"],
      ["notes_add", "outside"],
      ["slow", "none"],
      ["structured", "none"],
    ])
    const echo = session.tools.find(({ name }) => name === "echo")
    expect(echo?.parameters).not.toHaveProperty("$schema")
    expect(session.offer).toMatchObject({ server: { name: "test-server", version: "3.1" } })
  })

  it("are those that are wanted, under a prefix, with the effects that the config states", async () => {
    const { session } = await open([], {
      include: ["notes.add", "fail"],
      prefix: "files_",
      effects: { "notes.add": "state" },
    })
    expect(session.tools.map(({ name, effects }) => [name, effects])).toEqual([
      ["files_fail", "outside"],
      ["files_notes_add", "state"],
    ])
    await expect(open([], { include: ["eco"] })).rejects.toThrow(
      'it has no tool "eco": MCP server test; did you mean "echo"?',
    )
  })

  it("give each kind of result as a text", async () => {
    const { call } = await open()
    expect(await call("echo", { text: "hi" })).toEqual({ outcome: "ok", result: "hi" })
    expect(await call("structured", {})).toEqual({ outcome: "ok", result: '{"seats":2}' })
    expect((await call("mixed", {})).result).toBe(
      "first\n[image/png, 300 bytes]\n[resource file:///a.txt]\ninside\n[resource file:///b.bin: bytes, 10 bytes]\n[resource c: file:///c.txt]",
    )
  })

  it("end in a class of their own where the call fails", async () => {
    const { call } = await open([], { timeoutMs: 200, maxResultCharacters: 100 })
    expect(await call("fail", {})).toEqual({ outcome: "error", result: '{"error":"the disk is full"}' })
    expect(await call("echo", {})).toMatchObject({ outcome: "invalid_arguments" })
    expect(await call("echo", "{text: no JSON")).toMatchObject({ outcome: "malformed_arguments" })
    expect(await call("huge", { length: 5000 })).toMatchObject({ outcome: "too_large", resultLength: 5000 })
    expect(await call("slow", {})).toMatchObject({ outcome: "timeout" })
  })

  it("are cancelled at the server when the run is cut", async () => {
    const { call, ledger } = await open()
    const cut = new AbortController()
    const calling = call("slow", {}, cut.signal)
    await until(() => ledger().some((line) => line.startsWith("call slow")))
    cut.abort()
    expect(await calling).toMatchObject({ outcome: "error" })
    await until(() => ledger().includes("cancelled slow"))
  })

  it("fail with the reason once the server has ended, or has sent more than fits", async () => {
    const { call, session } = await open()
    expect((await call("die", {})).result).toContain("the MCP server has ended (exit code 9)")
    expect((await call("echo", { text: "a" })).result).toContain("exit code 9")
    expect(session.ending()).toBe("exit code 9")
    const large = await open()
    expect((await large.call("huge", { length: 17 * 1024 * 1024 })).result).toContain("more than 16 MB in one message")
    expect(large.session.ending()).toContain("16 MB")
  })

  it("get what the config hands on, and no key of evalkit's own environment; keys are taken out of results", async () => {
    process.env.EVALKIT_TEST_API_KEY = "not-for-servers-1"
    try {
      const { call } = await open([], { environment: { SERVER_API_KEY: "k3y-of-the-server" } })
      const { result } = await call("environment", {})
      expect(result).toContain("SERVER_API_KEY")
      expect(result).not.toContain("EVALKIT_TEST_API_KEY")
      expect(result).toContain('"key":"•••"')
    } finally {
      delete process.env.EVALKIT_TEST_API_KEY
    }
  })

  it("are described within bounds, whatever the server says", async () => {
    const { session } = await open(["hostile"])
    expect(session.tools.find(({ name }) => name === "echo")?.description?.length).toBeLessThan(4100)
  })

  it("do not mind lines that are no messages", async () => {
    const { call } = await open(["chatty"])
    expect(await call("echo", { text: "hi" })).toMatchObject({ outcome: "ok" })
  })

  it("are not there where a server does not start, does not answer, lists without end, or has a schema that cannot be used", async () => {
    await expect(open(["exits"], { environment: { SERVER_API_KEY: "k3y-of-the-server" } })).rejects.toThrow(
      /an MCP server cannot be used: exit code 7; it logged:\nfolder .*, key •••: MCP server test; run its command by hand/,
    )
    // What it died of, not the last lines of a stack; and whose server it is.
    await expect(open(["lacks"])).rejects.toMatchObject({
      message: expect.stringContaining("Cannot find package 'no-such-package'"),
      exitCode: 2,
    })
    await expect(open(["silent"], { startMs: 400 })).rejects.toThrow("it did not answer within 0.4 s")
    await expect(open([], { command: "no-such-program" })).rejects.toThrow("cannot be started")
    await expect(open(["endless"])).rejects.toThrow("a list without end")
    await expect(open(["broken-schema"])).rejects.toThrow('the schema of its tool "broken" cannot be used')
  })

  it("end with all that the server started", async () => {
    const { session, ledger } = await open(["child"])
    const pids = ledger().flatMap((line) => (/^(?:start|child) (\d+)/.test(line) ? [Number(line.split(" ")[1])] : []))
    expect(pids).toHaveLength(2)
    expect(pids.map(isAlive)).toEqual([true, true])
    await session.close()
    await until(() => pids.every((pid) => !isAlive(pid)))
  })

  it("keep values of the environment out of the fingerprint", () => {
    const source = mcpTools({
      command: "x",
      args: ["--api-key", "abc123secret"],
      environment: { A_TOKEN: "s3cret-value" },
    })
    expect(JSON.stringify(source.identity)).not.toMatch(/s3cret-value|abc123secret/)
    expect(source.identity).toMatchObject({ environment: ["A_TOKEN"], args: ["--api-key", "•••"] })
  })

  it("are refused with options that do not go together", () => {
    expect(() => mcpTools({ command: "" })).toThrow("needs a command")
    expect(() => mcpTools({ command: "x", launch: () => ({}) })).toThrow('launch goes with each: "episode" only')
    expect(() => mcpTools({ command: "x", effects: { a: "all" as "none" } })).toThrow("none, state or outside")
    expect(() => mcpTools({ command: "x", timeout: 5 } as never)).toThrow("timeout")
  })
})
