import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { episode } from "../../../src/config/episode.ts"
import { toolSteps } from "../../../src/core/episode/episode.ts"
import type { ToolCall } from "../../../src/core/message.ts"
import { fromFunction } from "../../../src/providers/function.ts"
import { type McpToolsOptions, mcpTools } from "../../../src/providers/tools/mcp.ts"
import { isNightly } from "../../support/nightly.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { runEpisodes } from "./episode-support.ts"

const server = fileURLToPath(new URL("../../support/mcp/server.mjs", import.meta.url))
const rows = ["a", "b", "c"].map((id) => ({ id, input: id, reference: "done" }))

/** Makes these calls one after the other, then is done. */
const scripted = (calls: readonly ToolCall[], name = "scripted") =>
  fromFunction(
    ({ messages }) => {
      const call = calls[messages.filter(({ role }) => role === "tool").length]
      return call ? { toolCalls: [call] } : "done"
    },
    { name },
  )
const add: ToolCall = { name: "notes_add", arguments: { key: "k" } }
const echo: ToolCall = { name: "echo", arguments: { text: "hi" } }

function mcp(words: readonly string[] = [], options: Partial<McpToolsOptions> = {}) {
  const folder = scratchDirectory()
  const source = mcpTools({ command: process.execPath, args: [server, folder, ...words], ...options })
  const lines = (word: string) => {
    const path = join(folder, "ledger.txt")
    const text = existsSync(path) ? readFileSync(path, "utf8") : ""
    return text.split("\n").filter((line) => line.startsWith(`${word} `))
  }
  return { source, lines, folder }
}

const isGone = (line: string): boolean => {
  try {
    process.kill(Number(line.split(" ")[1]), 0)
    return false
  } catch {
    return true
  }
}

const metrics = [exactMatch()]

describe("an episode with the tools of an MCP server", () => {
  it("calls them, with one server for each variant, which ends with the run", async () => {
    const { source, lines } = mcp()
    const design = episode({ tools: [source] })
    const variants = ["one", "two"].map((name) => ({ name, provider: scripted([echo, add], name), episode: design }))
    const { generations, report } = await runEpisodes({ rows, variants, metrics })
    for (const { name } of variants)
      for (const generation of generations(name)) {
        expect(generation.text).toBe("done")
        const steps = toolSteps(generation.episode?.steps ?? [])
        expect(steps.map((step) => [step.name, step.outcome, step.result])).toEqual([
          ["echo", "ok", "hi"],
          ["notes_add", "ok", "noted"],
        ])
      }
    expect(lines("start")).toHaveLength(2)
    expect(lines("done notes.add")).toHaveLength(6)
    expect(lines("start").every(isGone)).toBe(true)
    expect(report.run.status).toBe("finished")
  }, 120_000)

  it("belongs to the fingerprint with what the server offers", { skip: !isNightly, timeout: 120_000 }, async () => {
    const { source, folder } = mcp()
    const fewer = mcpTools({ command: process.execPath, args: [server, folder], include: ["echo"] })
    const other = mcpTools({ command: process.execPath, args: [server, folder, "hostile"] })
    const provider = scripted([])
    const { report } = await runEpisodes({
      rows,
      metrics,
      variants: [source, fewer, other].map((entry, n) => ({
        name: `v${n}`,
        provider,
        episode: episode({ tools: [entry] }),
      })),
    })
    expect(new Set(report.variants.map(({ fingerprint }) => fingerprint)).size).toBe(3)
  })

  it("has a server of its own where the config says so, started from the episode's state", {
    skip: !isNightly,
    timeout: 120_000,
  }, async () => {
    const { source, lines } = mcp([], {
      each: "episode",
      launch: ({ state, sample }) => ({
        environment: { SERVER_API_KEY: `${(state as { n: string }).n}-${sample.id}-4f9a1c77` },
      }),
    })
    const calls: ToolCall[] = [{ name: "environment", arguments: {} }]
    const design = episode({ tools: [source], state: ({ id }) => ({ n: `state${id}` }) })
    const { generations } = await runEpisodes({
      rows,
      metrics,
      variants: [{ name: "one", provider: scripted(calls), episode: design }],
      config: { concurrency: 2 },
    })
    // One to see its tools, and one an episode.
    expect(lines("start")).toHaveLength(4)
    expect(lines("start").every(isGone)).toBe(true)
    const results = generations("one").flatMap((own) => toolSteps(own.episode?.steps ?? []).map(({ result }) => result))
    // The values are taken for keys by their name, and left out.
    expect(results).toHaveLength(3)
    for (const result of results) expect(JSON.parse(result)).toMatchObject({ key: "•••" })
  })

  it("goes on with a server started anew where one has died, and tells the model of the call that failed", async () => {
    const { source, lines } = mcp()
    const { generations } = await runEpisodes({
      rows,
      metrics,
      variants: [
        {
          name: "one",
          provider: scripted([{ name: "die", arguments: {} }, echo]),
          episode: episode({ tools: [source] }),
          limits: { concurrency: 1 },
        },
      ],
    })
    for (const generation of generations("one"))
      expect(toolSteps(generation.episode?.steps ?? []).map(({ outcome }) => outcome)).toEqual(["error", "error"])
    expect(lines("call die")).toHaveLength(3)
    expect(lines("start")).toHaveLength(3)
  }, 120_000)

  it("is refused before anything is asked where two variants are offered different tools by one source", async () => {
    const { source } = mcp(["changes"])
    const design = episode({ tools: [source] })
    const variants = ["one", "two"].map((name) => ({ name, provider: scripted([], name), episode: design }))
    await expect(runEpisodes({ rows, variants, metrics })).rejects.toThrow(
      "a source of tools offers different tools to two variants: MCP server node, variants one and two",
    )
  }, 120_000)

  it("fails, and is not scored as the model's doing, where the tools are others than when the run began", {
    skip: !isNightly,
    timeout: 120_000,
  }, async () => {
    const { source } = mcp(["changes"], { each: "episode" })
    const { generations } = await runEpisodes({
      rows,
      metrics,
      variants: [{ name: "one", provider: scripted([echo]), episode: episode({ tools: [source] }) }],
    })
    expect(generations("one").map(({ outcome, failure }) => [outcome, failure?.code])).toEqual(
      rows.map(() => ["application_error", "tools_changed"]),
    )
  })

  it("names tools that two sources share", { skip: !isNightly, timeout: 120_000 }, async () => {
    const tools = [mcp().source, mcp().source]
    const run = (list: typeof tools) =>
      runEpisodes({
        rows,
        metrics,
        variants: [{ name: "one", provider: scripted([]), episode: episode({ tools: list }) }],
      })
    await expect(run(tools)).rejects.toThrow('two tools have the name "die": variant one; set one source apart')
    const prefixed = [tools[0]!, mcp([], { prefix: "b_" }).source]
    expect((await run(prefixed)).status).toBe("finished")
  })
})
