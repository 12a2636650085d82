import { type ChildProcess, spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Redis } from "ioredis"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type RunningView, startView } from "../cli/view/world.ts"
import { cliPath, runCli } from "../support/cli.ts"
import { serveLoopback } from "../support/loopback.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { type PostgresServer, postgresBinaries, startPostgres } from "../support/servers/postgres-server.ts"
import { hasRedis, type RedisServer, startRedis } from "../support/servers/redis-server.ts"
import { foundIn, pageBlocks, plantedEnvironment, plantedKeys } from "./planted-keys.ts"
import { answerPlanted, type PlantedRequest, writePlantedProject } from "./planted-project.ts"

/** Texts by where they were seen. */
type Seen = (readonly [where: string, text: string])[]

const hookSecret = "Hk7Wq2Zx9Lm4Rt6Y"
const secrets = { ...plantedKeys, hook: hookSecret }
const environment = { ...plantedEnvironment, COMMAND_PORT: "1" }
const texts: Seen = []
const children: ChildProcess[] = []
let origin: string
let redis: RedisServer
let postgres: PostgresServer

beforeAll(async () => {
  const service = await serveLoopback((request, response, body) => {
    if (request.url?.startsWith("/hook")) {
      texts.push(["webhook", body])
      return response.end()
    }
    if (body === "") return response.end('{"data":[]}')
    answerPlanted(request.url ?? "", JSON.parse(body) as PlantedRequest, response, plantedKeys)
  })
  origin = service.origin
})
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL")
  await redis?.stop()
  await postgres?.stop()
})

describe.skipIf(!hasRedis || postgresBinaries === null)("a run of several machines whose services repeat keys", () => {
  it("leaves none of them in Redis, in PostgreSQL, or on a page while it goes on and afterwards", async () => {
    ;[redis, postgres] = await Promise.all([startRedis(), startPostgres()])
    const seen: Seen = []
    const client = new Redis(redis.url)
    const monitor = await client.monitor()
    monitor.on("monitor", (_: string, words: string[]) => seen.push(["Redis", words.join(" ")]))
    const folder = project()
    const view = await startView(folder, ["--store", postgres.url], environment)
    try {
      for (const [queue, config] of [
        [redis.url, "shared.config.ts"],
        [postgres.url, "shared.config.ts"],
        [redis.url, "opens.config.ts"],
        [postgres.url, "opens.config.ts"],
      ] as const) {
        const shared = ["--queue", queue, "--store", postgres.url]
        const [run, worker] = [
          start(folder, ["run", config, ...shared, "--no-cache"]),
          start(folder, ["worker", "--config", config, ...shared, "--once"]),
        ]
        const live = crawl(view, () => run.child.exitCode === null)
        // A worker that cannot open its provider gives its slices back, and the coordinator waits for another one.
        if (config.startsWith("opens")) setTimeout(() => run.child.kill("SIGINT"), 8_000)
        const code = await run.ended
        expect([0, 1, 5, 130].includes(code ?? -1), `${code}: ${run.said()}`).toBe(true)
        worker.child.kill("SIGINT")
        await worker.ended
        seen.push(...(await live), [`run ${config}`, run.said()], ["worker", worker.said()])
      }
      seen.push(...(await crawl(view)), ["view", view.complained()], ...(await rowsOf(postgres.url)))
    } finally {
      await view.close()
      for (const entry of [client, monitor]) entry.disconnect()
    }
    // What is searched is there: jobs, rows of answers, a page of a run under way and of one that has ended.
    const searched = seen.map(([where]) => where)
    for (const where of ["Redis", "table evalkit.generations", "table evalkit_queue.job", "page /run", "live page"])
      expect(
        searched.some((text) => text.includes(where)),
        `${where} of ${[...new Set(searched)].join()}`,
      ).toBe(true)
    expect(foundIn(seen, secrets)).toEqual([])
  }, 240_000)
})

describe("a watch of services that repeat keys", () => {
  it("leaves none of them in its state, its webhook, or on its output", async () => {
    const folder = project()
    const watch = (hook: string, ...args: string[]) =>
      runCli(["watch", "shared.config.ts", "--limit", "32", "--every", "1s", "--rounds", "1", ...args], {
        cwd: folder,
        environment: { ...environment, EVALKIT_WATCH_WEBHOOK: `${hook}/${hookSecret}` },
      })
    const outputs = [
      await watch("http://127.0.0.1:1"),
      await watch(`${origin}/hook`),
      await watch(`${origin}/hook`, "--json", "--target", "0.99"),
    ]
    expect(outputs.map(({ code }) => code)).toEqual([3, 3, 3])
    expect(outputs[0]?.stderr).toContain("the webhook could not be called")
    expect(texts.length, outputs.map(({ stdout, stderr }) => stdout + stderr).join("\n")).toBeGreaterThan(0)
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "keys.json")
      .map((entry) => join(entry.parentPath, entry.name))
    expect(files.some((path) => /watch-\w+\.json$/.test(path))).toBe(true)
    const seen = [
      ...texts,
      ...files.map((path) => [path, readFileSync(path, "utf8")] as const),
      ...outputs.map(({ stdout, stderr }, i) => [`output ${i}`, stdout + stderr] as const),
    ]
    expect(foundIn(seen, secrets)).toEqual([])
  }, 120_000)
})

function project(): string {
  const folder = scratchDirectory()
  writePlantedProject(folder, origin)
  return folder
}

function start(cwd: string, args: readonly string[]) {
  const child = spawn(process.execPath, [cliPath, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: "1", CI: "1", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  })
  children.push(child)
  let text = ""
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (text += part))
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  return { child, said: () => text, ended }
}

/** Every page that a link of a page leads to, its headers, and what a page of a run under way asks for again and again. */
async function crawl(view: RunningView, isUnderWay?: () => boolean): Promise<Seen> {
  const seen: Seen = []
  do {
    const paths = new Set(["/", "/nowhere"])
    for (const path of paths) {
      const { headers, text } = await view.get(path)
      const part = await view.get(path, { ...view.allowed, "x-evalkit-part": "1" })
      const kind = isUnderWay && text.includes('id="live"') ? "live page" : "page"
      seen.push([`${kind} ${path}`, [JSON.stringify(headers), text, ...pageBlocks(text), part.text].join("\n")])
      for (const [, href = ""] of text.matchAll(/(?:href|action)="(\/[^"#]*)"/g))
        paths.add(href.replaceAll("&amp;", "&"))
      const runs = [...paths].flatMap((name) => /^\/run\/(\w+)$/.exec(name)?.[1] ?? [])
      if (runs.length > 1) paths.add(`/compare?a=${runs[0]}&b=${runs[1]}`)
      if (isUnderWay && seen.length > 60) break
    }
    if (isUnderWay) await new Promise((resolve) => setTimeout(resolve, 500))
  } while (isUnderWay?.())
  return seen
}

/** All rows of all tables of a database; bytes as text. */
async function rowsOf(url: string): Promise<Seen> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const tables = await client.query<{ schema: string; name: string }>(
    "SELECT table_schema AS schema, table_name AS name FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema')",
  )
  const seen: Seen = []
  for (const { schema, name } of tables.rows) {
    const { rows } = await client.query<Record<string, unknown>>(`SELECT * FROM "${schema}"."${name}"`)
    const text = (value: unknown) => (Buffer.isBuffer(value) ? value.toString() : JSON.stringify(value))
    seen.push([`table ${schema}.${name}`, rows.flatMap((row) => Object.values(row).map(text)).join("\n")])
  }
  await client.end()
  return seen
}
