import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { readArchitecture } from "./architecture/architecture.ts"
import { flow } from "./architecture/flow.ts"
import { flowSvg } from "./architecture/flow-picture.ts"
import { architectureSvg } from "./architecture/picture.ts"
import { withTables } from "./architecture/tables.ts"

// Draws docs/architecture.svg and docs/flow.svg and writes the tables of docs/architecture.md from the imports: npm run docs:architecture.
const root = fileURLToPath(new URL("..", import.meta.url))
const architecture = readArchitecture(root)
mkdirSync(`${root}docs`, { recursive: true })
writeFileSync(`${root}docs/architecture.svg`, architectureSvg(architecture.rooms, architecture.edges))
writeFileSync(`${root}docs/flow.svg`, flowSvg(flow))
const page = `${root}docs/architecture.md`
writeFileSync(page, withTables(readFileSync(page, "utf8"), architecture))
