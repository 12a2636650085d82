/** An OpenTelemetry collector between a file of OTLP and a file of what came out of it. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { peersFolder } from "../environment.ts"

const version = "0.165.0"
const signals = { otlp: "traces", "otlp-logs": "logs", "otlp-metrics": "metrics" } as const

/**
 * Sends `out/x.otlp`, `-logs` and `-metrics` of a folder through a collector; what it sends on, as JSON, stands in `out/collected.…`. Without
 * Go, from whose modules the collector is built once, it says SKIPPED on standard error.
 *
 * @throws where the collector refuses a line
 */
export async function collect(folder: string): Promise<void> {
  const program = built()
  if (program === null) return console.error("SKIPPED: an OpenTelemetry collector: no Go that builds it")
  const sink = createServer(async (request, response) => {
    let body = ""
    for await (const part of request) body += part
    const format = Object.entries(signals).find(([, signal]) => request.url === `/v1/${signal}`)?.[0]
    appendFileSync(join(folder, `out/collected.${format}`), `${body}\n`)
    response.setHeader("content-type", "application/json").end("{}")
  })
  const [to, from] = [await listening(sink), await freePort()]
  const otlp = { endpoint: `http://127.0.0.1:${to}`, encoding: "json", compression: "none" }
  const alone = { sending_queue: { enabled: false }, retry_on_failure: { enabled: false } }
  const pipeline = { receivers: ["otlp"], exporters: ["otlp_http"] }
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${from}` } } } },
    exporters: { otlp_http: { ...otlp, ...alone } },
    service: {
      telemetry: { metrics: { level: "none" } },
      pipelines: { traces: pipeline, logs: pipeline, metrics: pipeline },
    },
  }
  writeFileSync(join(folder, "collector.json"), JSON.stringify(config))
  const collector = spawn(program, ["--config", join(folder, "collector.json")], { stdio: "ignore" })
  try {
    await ready(from, collector)
    for (const [format, signal] of Object.entries(signals))
      for (const body of readFileSync(join(folder, `out/x.${format}`), "utf8")
        .trim()
        .split("\n")) {
        const headers = { "content-type": "application/json" }
        const response = await fetch(`http://127.0.0.1:${from}/v1/${signal}`, { method: "POST", headers, body })
        if (!response.ok) throw new Error(`the collector refuses a line of x.${format}: ${await response.text()}`)
      }
  } finally {
    collector.kill()
    sink.close()
  }
}

/** The program; null where it cannot be built. */
function built(): string | null {
  const folder = join(peersFolder, "v/collector")
  const program = join(folder, "dist/collector")
  if (existsSync(program)) return program
  if (spawnSync("go", ["version"]).status !== 0) return null
  console.error(`An OpenTelemetry collector ${version} in ${folder}`)
  mkdirSync(folder, { recursive: true })
  const module = (name: string) => ({ gomod: `go.opentelemetry.io/collector/${name} v${version}` })
  const parts = { receivers: [module("receiver/otlpreceiver")], exporters: [module("exporter/otlphttpexporter")] }
  const manifest = { dist: { name: "collector", output_path: join(folder, "dist"), version }, ...parts }
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest))
  const env = { ...process.env, GOPATH: join(folder, "go"), GOFLAGS: "-modcacherw" }
  try {
    execFileSync("go", ["install", `go.opentelemetry.io/collector/cmd/builder@v${version}`], { env, stdio: "ignore" })
    execFileSync(join(folder, "go/bin/builder"), ["--config", "manifest.json"], { cwd: folder, env, stdio: "ignore" })
    return program
  } catch {
    return null
  }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return (server.address() as AddressInfo).port
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listening(server)
  await new Promise((done) => server.close(done))
  return port
}

/** Waits for an answer, half a minute at most. */
async function ready(port: number, collector: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 150 && collector.exitCode === null; tries++) {
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await new Promise((done) => setTimeout(done, 200))
  }
  throw new Error("the collector did not start")
}
