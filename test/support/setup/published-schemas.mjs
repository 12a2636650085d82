// Runs once before the tests: makes JSON schemas of the services' published types, and of these modules that validate, which load in
// milliseconds where a schema takes a second to compile. Kept by the packages' versions: a second run of the tests makes nothing.
import { createHash, randomUUID } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { root } from "../../../scripts/build/root.mjs"

const cache = join(root, "node_modules", ".cache", "published-schemas")
const types = join(root, "test/support/published/types.ts")
const packages = [
  "@anthropic-ai/sdk",
  "@google/genai",
  "@mistralai/mistralai",
  "ajv",
  "cohere-ai",
  "openai",
  "ts-json-schema-generator",
]

export async function setup() {
  const state = createHash("sha256")
  for (const path of [
    fileURLToPath(import.meta.url),
    types,
    ...packages.map((name) => join(root, "node_modules", name, "package.json")),
  ])
    state.update(readFileSync(path))
  const folder = join(cache, state.digest("hex").slice(0, 16))
  if (!existsSync(folder)) await write(folder)
  process.env.EVALKIT_PUBLISHED_SCHEMAS = folder
}

async function write(folder) {
  const { createGenerator } = await import("ts-json-schema-generator")
  const { Ajv } = await import("ajv")
  const standalone = createRequire(import.meta.url)("ajv/dist/standalone").default
  const older = existsSync(cache) ? readdirSync(cache) : []
  // Beside the folder, and renamed: another runner sees a whole folder or none.
  const own = `${folder}.${randomUUID()}`
  mkdirSync(own, { recursive: true })
  try {
    const compilerOptions = { strict: true, skipLibCheck: true, noEmit: true, allowImportingTsExtensions: true }
    const project = {
      compilerOptions: { ...compilerOptions, target: "ES2023", module: "NodeNext", types: [] },
      files: [types],
    }
    const tsconfig = join(own, "tsconfig.json")
    writeFileSync(tsconfig, JSON.stringify(project))
    const schema = createGenerator({
      path: types,
      tsconfig,
      skipTypeCheck: true,
      expose: "none",
      topRef: false,
      jsDoc: "none",
    }).createSchema("PublishedBodies")
    for (const [kind, body] of Object.entries(schema.properties)) {
      const ajv = new Ajv({ strict: false, discriminator: true, code: { source: true } })
      const validate = ajv.compile(withTags({ ...body, definitions: schema.definitions }))
      writeFileSync(join(own, `${kind}.cjs`), standalone(ajv, validate))
    }
    renameSync(own, folder)
    for (const name of older) rmSync(join(cache, name), { recursive: true, force: true })
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    // Without its cause, which holds all of the compiler's trees.
    if (!existsSync(folder)) throw new Error(`no schemas of the services' published types: ${error.message}`)
  }
}

/** The same schema, in which objects that a member tells apart (`role`, `type`) are chosen by it: what is wrong is said of the one that is meant. */
function withTags(schema) {
  if (schema === null || typeof schema !== "object") return schema
  if (Array.isArray(schema)) return schema.map(withTags)
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, withTags(value)]))
  if (!Array.isArray(inner.anyOf)) return inner
  const objects = inner.anyOf.filter((branch) => branch.type === "object")
  const tag = Object.keys(objects[0]?.properties ?? {}).find((name) => tellsApart(objects, name))
  if (objects.length < 2 || tag === undefined) return inner
  const chosen = { type: "object", required: [tag], discriminator: { propertyName: tag }, oneOf: objects }
  return { ...inner, anyOf: [...inner.anyOf.filter((branch) => !objects.includes(branch)), chosen] }
}

function tellsApart(objects, name) {
  const values = objects.flatMap(({ properties, required }) => {
    const member = required?.includes(name) ? properties?.[name] : undefined
    return member?.type === "string" ? (member.enum ?? [member.const]) : [undefined]
  })
  return !values.includes(undefined) && new Set(values).size === values.length
}
