// A small MCP server over one folder, with the official SDK: `node server.mjs FOLDER`. It stands for the server of your own.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { z } from "zod"

const folder = process.argv[2]
const inside = (name) => join(folder, basename(name))
const said = (text) => ({ content: [{ type: "text", text }] })

const server = new McpServer({ name: "files", version: "1.0.0" })
server.registerTool(
  "list_files",
  { description: "Names of all files.", inputSchema: {}, annotations: { readOnlyHint: true } },
  () => said(readdirSync(folder).sort().join("\n")),
)
server.registerTool(
  "read_file",
  { description: "Text of a file.", inputSchema: { name: z.string() }, annotations: { readOnlyHint: true } },
  ({ name }) => said(readFileSync(inside(name), "utf8")),
)
server.registerTool(
  "write_file",
  { description: "Writes a file.", inputSchema: { name: z.string(), text: z.string() } },
  ({ name, text }) => {
    writeFileSync(inside(name), text)
    return said(`${name} is written`)
  },
)
await server.connect(new StdioServerTransport())
