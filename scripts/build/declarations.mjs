// Copies the declarations that an entry point reaches from where tsc wrote them. Two of three describe what nobody can import, and each
// would take a block of the disk of whoever installs the package.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"

const written = resolve("node_modules/.cache/declarations")
const entries = Object.values(JSON.parse(readFileSync("package.json", "utf8")).exports)
const open = entries.flatMap(({ types }) => (types ? [resolve(written, relative("dist", types))] : []))
const reached = new Set()
for (let file = open.pop(); file !== undefined; file = open.pop()) {
  if (reached.has(file) || !existsSync(file)) continue
  reached.add(file)
  for (const [, path] of readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*["'](\.[^"']+)\.[jt]sx?["']/g))
    open.push(resolve(dirname(file), `${path}.d.ts`))
}
mkdirSync("dist", { recursive: true })
for (const entry of readdirSync("dist", { recursive: true, withFileTypes: true }))
  if (entry.name.endsWith(".d.ts")) rmSync(join(entry.parentPath, entry.name))
for (const file of reached) cpSync(file, join("dist", relative(written, file)))
