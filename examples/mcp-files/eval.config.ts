// An agent that works on files by the tools of an MCP server: is the task done in the folder, whatever the agent says? Each episode has a
// folder and a server of its own. The stand-in below follows a rule; put a provider of your own in its place.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig, episode, episodeMetrics, fromFunction, mcpTools, variant } from "evalkit"

const root = mkdtempSync(join(tmpdir(), "evalkit-mcp-files-"))
process.on("exit", () => rmSync(root, { recursive: true, force: true }))

/** The folder of one episode. What the tools leave in it is kept as the episode's state, by its JSON. */
class Folder {
  static made = 0
  readonly path = join(root, String(Folder.made++))

  constructor(files: Readonly<Record<string, string>>) {
    mkdirSync(this.path)
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.path, name), text)
  }

  toJSON(): Record<string, string> {
    return Object.fromEntries(readdirSync(this.path).map((name) => [name, readFileSync(join(this.path, name), "utf8")]))
  }
}

const files = mcpTools({
  name: "files",
  command: process.execPath,
  each: "episode",
  launch: ({ state }: { state: Folder }) => ({
    args: [fileURLToPath(new URL("server.mjs", import.meta.url)), state.path],
  }),
  // The folder is made anew with each episode: what is written into it is the episode's own.
  effects: { write_file: "state" },
  include: ["list_files", "read_file", "write_file"],
})

/** Adds up the invoices and writes the sum. A hasty one takes every file for an invoice. */
const agent = (isCareful: boolean) =>
  fromFunction(
    ({ messages }) => {
      const results = messages.filter(({ role }) => role === "tool").map(({ content }) => content)
      const [list] = results
      if (list === undefined) return { toolCalls: [{ name: "list_files", arguments: {} }] }
      const names = list.split("\n").filter((name) => !isCareful || name.startsWith("invoice"))
      const texts = results.slice(1, 1 + names.length)
      if (texts.length < names.length)
        return { toolCalls: names.map((name) => ({ name: "read_file", arguments: { name } })) }
      const sum = texts.reduce((total, text) => total + Number(/\d+/.exec(text)?.[0] ?? 0), 0)
      if (results.length === 1 + names.length)
        return { toolCalls: [{ name: "write_file", arguments: { name: "total.txt", text: String(sum) } }] }
      return `The total is ${sum}.`
    },
    { name: isCareful ? "careful" : "hasty", version: String(isCareful) },
  )

const design = episode({
  tools: [files],
  state: ({ metadata }) => new Folder(metadata.files as Record<string, string>),
  maxSteps: 6,
})

export default defineConfig({
  name: "files by MCP",
  dataset: [1, 2, 3, 4, 5, 6].map((n) => ({
    id: `task-${n}`,
    input: "Add up the invoices and write the sum into total.txt.",
    files: {
      "invoice-1.txt": `Invoice: ${10 * n} dollars`,
      "invoice-2.txt": `Invoice: ${n} dollars`,
      ...(n % 2 === 0 && { "notes.txt": "Room 12 is booked." }),
    },
    total: String(11 * n),
  })),
  variants: [
    variant({ name: "careful", provider: agent(true), episode: design }),
    variant({ name: "hasty", provider: agent(false), episode: design }),
  ],
  metrics: [
    episodeMetrics.finalState({
      name: "written",
      success: (state, { metadata }) => (state as Record<string, string>)["total.txt"] === metadata.total,
    }),
    episodeMetrics.needlessCalls(),
    episodeMetrics.resultUse(),
  ],
})
