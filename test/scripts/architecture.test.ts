import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { readArchitecture } from "../../scripts/architecture/architecture.ts"
import { flow } from "../../scripts/architecture/flow.ts"
import { flowSvg } from "../../scripts/architecture/flow-picture.ts"
import { findCycle, reduced, roomEdges } from "../../scripts/architecture/graph.ts"
import { readImports } from "../../scripts/architecture/imports.ts"
import { architectureSvg } from "../../scripts/architecture/picture.ts"
import { roomOf } from "../../scripts/architecture/rooms.ts"
import { withTables } from "../../scripts/architecture/tables.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const architecture = readArchitecture(root)
const page = readFileSync(`${root}docs/architecture.md`, "utf8")
const picture = readFileSync(`${root}docs/architecture.svg`, "utf8")
const renew = "run: npm run docs:architecture"

describe("docs/architecture.md", () => {
  it("has the imports of every room as they are in the code", () => {
    expect(page, renew).toBe(withTables(page, architecture))
  })

  it("shows boxes and arrows that are the imports of the code", () => {
    // The widths, and which arrows are drawn besides the needed ones, follow counts that every change moves a little.
    const now = architectureSvg(architecture.rooms, architecture.edges)
    expect(drawn(picture, "room", "imports"), renew).toEqual(drawn(now, "room", "imports"))
    const edges = architecture.edges.map(({ from, to }) => `${from} → ${to}`)
    const inner = architecture.edges.filter(({ from, to }) => drawn(now, "from", "to").includes(`${from} → ${to}`))
    expect(edges).toEqual(expect.arrayContaining(drawn(picture, "from", "to")))
    const needed = reduced(inner).map(({ from, to }) => `${from} → ${to}`)
    expect(drawn(picture, "from", "to"), renew).toEqual(expect.arrayContaining(needed))
  })

  it("shows the way of a sample through files and rooms that exist", () => {
    expect(readFileSync(`${root}docs/flow.svg`, "utf8"), renew).toBe(flowSvg(flow))
    for (const { file, room, uses } of flow) {
      expect(file.startsWith(`${room}/`), file).toBe(true)
      for (const path of [file, ...uses]) expect(() => readdirSync(join(root, path, "..")), path).not.toThrow()
      expect(readFileSync(join(root, file), "utf8").length).toBeGreaterThan(0)
    }
  })
})

describe("the code's layers", () => {
  it("have imports that lead down the list of layers, type imports too", () => {
    const rows = new Map(architecture.rooms.map(({ path, row }) => [path, row]))
    const height = (file: string) => rows.get(roomOf(file) ?? "") ?? Number.NaN
    const upward = architecture.imports.filter(
      ({ from, to }) => roomOf(from) !== roomOf(to) && !(height(from) < height(to)),
    )
    expect(upward, "turn the import round, or move the file to the room that knows both").toEqual([])
  })

  it("have no import cycle, between rooms or between files", () => {
    expect(findCycle(architecture.edges)).toBeNull()
    expect(findCycle(architecture.imports.filter(({ isType }) => !isType))).toBeNull()
  })
})

describe("reading imports", () => {
  it("finds static, type, dynamic and worker imports, and none in comments", () => {
    const folder = mkdtempSync(join(tmpdir(), "evalkit-imports-"))
    try {
      mkdirSync(join(folder, "src/a"), { recursive: true })
      mkdirSync(join(folder, "src/b"))
      for (const name of ["one", "two", "three", "four", "five"]) writeFileSync(join(folder, `src/b/${name}.ts`), "")
      writeFileSync(
        join(folder, "src/a/file.ts"),
        `import { x } from "../b/one.ts"
import type {
  Y,
} from "../b/two.ts"
export * from "../b/three.ts"
/** import { z } from "../b/five.ts" */
const later = () => import("../b/four.ts")
const worker = new URL("../b/five.ts", import.meta.url)
const absent = new URL("../b/six.ts", import.meta.url)
`,
      )
      const result = readImports(folder, ["src"])
      expect(result.map(({ to, isType }) => `${to}${isType ? " (type)" : ""}`)).toEqual([
        "src/b/one.ts",
        "src/b/two.ts (type)",
        "src/b/three.ts",
        "src/b/four.ts",
        "src/b/five.ts",
      ])
      expect(roomEdges(result, roomOf)).toEqual([{ from: "src/a", to: "src/b", imports: 5 }])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("finds a cycle, and none where there is none", () => {
    const edge = (from: string, to: string) => ({ from, to, imports: 1 })
    expect(findCycle([edge("a", "b"), edge("b", "c"), edge("a", "c")])).toBeNull()
    expect(findCycle([edge("a", "b"), edge("b", "c"), edge("c", "b")])).toEqual(["b", "c", "b"])
    expect(reduced([edge("a", "b"), edge("b", "c"), edge("a", "c")])).toEqual([edge("a", "b"), edge("b", "c")])
  })
})

/** Two attributes of everything that is drawn with them: `a → b`. */
function drawn(svg: string, first: string, second: string): string[] {
  return [...svg.matchAll(new RegExp(`data-${first}="([^"]*)" data-${second}="([^"]*)"`, "g"))]
    .map(([, a, b]) => `${a} → ${b}`)
    .toSorted()
}
