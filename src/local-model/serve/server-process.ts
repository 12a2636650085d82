import { parseArgs } from "node:util"
import { messageOf } from "../../core/errors.ts"
import { startServer } from "./start-server.ts"

/**
 * The process that `local(...)` starts. It prints one line of JSON on stdout, `{"ready":…}` or `{"error":…}`, serves
 * until SIGTERM or SIGINT, and ends when its parent has gone.
 */
const { values } = parseArgs({
  options: {
    model: { type: "string" },
    name: { type: "string" },
    port: { type: "string", default: "0" },
    threads: { type: "string", default: "1" },
    parallel: { type: "string", default: "4" },
    queue: { type: "string", default: "512" },
    "context-size": { type: "string" },
    gpu: { type: "boolean", default: false },
  },
})

try {
  const contextSize = values["context-size"]
  const server = await startServer({
    modelPath: values.model ?? "",
    host: "127.0.0.1",
    port: Number(values.port),
    threads: Number(values.threads),
    parallel: Number(values.parallel),
    queue: Number(values.queue),
    gpu: values.gpu,
    ownProcess: true,
    ...(values.name !== undefined && { name: values.name }),
    ...(contextSize !== undefined && { contextSize: Number(contextSize) }),
  })
  const { stop, ...facts } = server
  const end = () => void stop().then(() => process.exit(0))
  process.once("SIGTERM", end)
  process.once("SIGINT", end)
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && end(), 1000).unref()
  process.stdout.write(`${JSON.stringify({ ready: facts })}\n`)
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: messageOf(error) })}\n`)
  process.exit(1)
}
