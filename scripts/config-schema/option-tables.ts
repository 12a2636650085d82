import { readFileSync } from "node:fs"
import { relative } from "node:path"
import { isCallExpression, isIdentifier, isStringLiteral, type Node } from "typescript/unstable/ast"
import type { Project } from "typescript/unstable/sync"
import type { Kind, OptionFields } from "../../src/core/options.ts"
import { optionFields } from "./option-kinds.ts"

/** Characters of a description from which it is written once for all that have it. */
const sharedFrom = 150

/** Files that call {@link checkOptions}; its own file declares it. */
const product = /^(metrics|judges|datasets|reports|src)\/(?!core\/options\.ts$)/

/** Tables by name. */
export type Tables = Readonly<Record<string, OptionFields>>

/**
 * The text of `src/core/option-tables.ts`.
 *
 * @param previous the tables as they stand there. Options and words keep their order, which messages show: the compiler sorts both.
 */
export function optionTablesText(made: Tables, previous: Readonly<Record<string, string>>): string {
  const before = Object.fromEntries(Object.entries(previous).map(([name, text]) => [name, JSON.parse(text) as Kind]))
  const ordered = Object.entries(made).map(
    ([name, fields]) => [name, inOrder(fields, before[name], before) as OptionFields] as const,
  )
  const lines = textsOf(Object.fromEntries(ordered))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => `  ${/^[\w$]+$/.test(name) ? name : `"${name}"`}: '${text}',`)
  return [
    "// What every factory's options take, by its name: made from their types by `npm run docs:config-schema`. Read as they are asked for.",
    "// biome-ignore format: a line for each",
    "export const optionTables = {",
    ...lines,
    "} as const\n",
  ].join("\n")
}

/** What every call of `checkOptions` checks, from the type of the options that it is given. @param root of the repository */
export function optionTablesOf(project: Project, root: string): Tables {
  const tables: Record<string, OptionFields> = {}
  const { checker, program } = project
  const visit = (node: Node): void => {
    node.forEachChild(visit)
    if (!isCallExpression(node) || !isIdentifier(node.expression) || node.expression.text !== "checkOptions") return
    const [factory, options, table = factory] = node.arguments
    const type = options && checker.getTypeAtLocation(options)
    const argument = type && checker.getNonNullableType(type)
    if (!table || !isStringLiteral(table) || !argument) throw new Error(`no name of a table: ${node.getText()}`)
    const fields = optionFields(argument, checker)
    const values = tables[table.text]
    if (values && JSON.stringify(values) !== JSON.stringify(fields))
      throw new Error(`two factories with the table ${table.text}`)
    tables[table.text] = fields
  }
  for (const path of program
    .getSourceFileNames()
    .filter((name) => product.test(relative(root, name)))
    .toSorted())
    if (readFileSync(path, "utf8").includes("checkOptions")) program.getSourceFile(path)?.forEachChild(visit)
  return tables
}

/** With what both know in the order of the one before; what is new comes last. */
function inOrder(made: Kind, before: Kind | undefined, tables: Readonly<Record<string, Kind>>): Kind {
  if (before === undefined || typeof before === "string" || typeof made === "string") return made
  if ("$ref" in before) return inOrder(made, tables[before.$ref as string], tables)
  if (Array.isArray(made)) return Array.isArray(before) ? [inOrder(made[0], before[0], tables)] : made
  const sorted = <Item>(items: readonly Item[], order: readonly Item[]) => [
    ...order.filter((item) => items.includes(item)),
    ...items.filter((item) => !order.includes(item)),
  ]
  if ("$words" in made)
    return {
      $words: sorted(made.$words as readonly string[], ("$words" in before ? before.$words : []) as readonly string[]),
    }
  const [now, then] = [made as OptionFields, before as OptionFields]
  const names = sorted(Object.keys(now), Object.keys(then))
  return Object.fromEntries(names.map((name) => [name, inOrder(now[name]!, then[name], tables)]))
}

/** Every table as JSON; an option that several of them have with the same long description is a reference to one text. */
function textsOf(tables: Tables): readonly (readonly [name: string, text: string])[] {
  const places = new Map<string, string[]>()
  for (const table of Object.values(tables))
    JSON.stringify(table, (option: string, kind: Kind) => {
      const text = JSON.stringify(kind)
      if (option !== "" && text.length > sharedFrom && !/^(\$\w+|object|list|\d+)$/.test(option))
        places.set(text, [...(places.get(text) ?? []), option])
      return kind
    })
  const names = new Map<string, string>()
  for (const [text, [option = "", ...more]] of places)
    if (more.length > 0) {
      const alike = [...names.values()].filter((name) => name.replace(/\d+$/, "") === `$${option}`).length
      names.set(text, `$${option}${alike === 0 ? "" : alike + 1}`)
    }
  const write = (table: Kind) =>
    JSON.stringify(table, (option: string, kind: Kind) => {
      const name = option === "" ? undefined : names.get(JSON.stringify(kind))
      return name === undefined ? kind : { $ref: name }
    })
  return [
    ...[...names].map(([text, name]) => [name, write(JSON.parse(text) as Kind)] as const),
    ...Object.entries(tables).map(([name, table]) => [name, write(table)] as const),
  ]
}
