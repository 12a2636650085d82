import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { transformSync } from "esbuild"
import { parseAst } from "vite"
import { createRandom } from "../../src/core/random.ts"

/** One small fault in a source: `text` in place of what stands from `start` to `end` of the file's compiled text. */
export type Mutant = Readonly<{
  id: number
  /** Path below the project. */
  path: string
  operator: "comparison" | "boundary" | "arithmetic" | "boolean" | "removed call"
  start: number
  end: number
  text: string
}>
type Node = { type: string; start: number; end: number; [member: string]: unknown }

const swaps: Readonly<Record<string, readonly [Mutant["operator"], string]>> = {
  "===": ["comparison", "!=="],
  "!==": ["comparison", "==="],
  "<": ["boundary", "<="],
  "<=": ["boundary", "<"],
  ">": ["boundary", ">="],
  ">=": ["boundary", ">"],
  "+": ["arithmetic", "-"],
  "-": ["arithmetic", "+"],
  "*": ["arithmetic", "/"],
  "/": ["arithmetic", "*"],
  "&&": ["boolean", "||"],
  "||": ["boolean", "&&"],
}

/** The text of a source without its types, as the mutants' positions count it. */
export const compiled = (root: string, path: string): string =>
  transformSync(readFileSync(join(root, path), "utf8"), { loader: "ts", target: "es2023" }).code

/** A seeded sample of mutants of the sources below some folders; none lies within another. */
export function sampleMutants(root: string, folders: readonly string[], count: number, seed: number): Mutant[] {
  const all = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .sort()
      .flatMap((name) => fileMutants(root, `${folder}/${name}`)),
  )
  const chosen: Mutant[] = []
  for (const mutant of createRandom(seed).shuffle(all)) {
    if (chosen.length === count) break
    if (chosen.some((it) => it.path === mutant.path && it.start < mutant.end && mutant.start < it.end)) continue
    chosen.push({ ...mutant, id: chosen.length })
  }
  return chosen
}

function fileMutants(root: string, path: string): Omit<Mutant, "id">[] {
  const code = compiled(root, path)
  const mutants: Omit<Mutant, "id">[] = []
  const add = (operator: Mutant["operator"], { start, end }: Node, text: string) =>
    mutants.push({ path, operator, start, end, text })
  const visit = (node: Node) => {
    if (node.type === "BinaryExpression" || node.type === "LogicalExpression") {
      const [left, right] = [node.left as Node, node.right as Node]
      const swap = swaps[node.operator as string]
      if (swap !== undefined && !(node.operator === "+" && [left, right].some(isText)))
        add(swap[0], node, `(${code.slice(left.start, left.end)}) ${swap[1]} (${code.slice(right.start, right.end)})`)
    } else if (node.type === "Literal" && typeof node.value === "boolean") add("boolean", node, String(!node.value))
    else if (node.type === "ExpressionStatement") {
      const expression = node.expression as Node
      const call = expression.type === "AwaitExpression" ? (expression.argument as Node) : expression
      if (call.type === "CallExpression" && (call.callee as Node).type !== "Super")
        add("removed call", expression, "undefined")
    }
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (typeof child === "object" && child !== null && typeof child.type === "string") visit(child)
  }
  visit(parseAst(code) as unknown as Node)
  return mutants
}

const isText = (node: Node): boolean =>
  node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string")

/** A source with all its mutants in it, asleep: `globalThis.evalkitMutant(id)` says which one is awake. */
export function withMutants(code: string, mutants: readonly Mutant[]): string {
  let text = code
  for (const { id, start, end, text: mutated } of [...mutants].sort((a, b) => b.start - a.start))
    text = `${text.slice(0, start)}(globalThis.evalkitMutant?.(${id}) ? (${mutated}) : (${text.slice(start, end)}))${text.slice(end)}`
  return text
}
