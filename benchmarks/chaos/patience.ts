import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runMeasured } from "../../test/support/chaos/measured-command.ts"

/** How long `evalkit run` takes where a server says once to wait for 3,000 years. */
let requests = 0
const server = createServer((request, response) => {
  request.resume()
  request.on("end", () => {
    if (request.method === "GET") return void response.end("{}")
    if (++requests === 1)
      return void response.writeHead(429, { "retry-after": "99999999999" }).end('{"error":{"message":"slow down"}}')
    response.writeHead(200, { "content-type": "application/json" })
    response.end('{"choices":[{"index":0,"message":{"role":"assistant","content":"0"},"finish_reason":"stop"}]}')
  })
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const folder = mkdtempSync(join(tmpdir(), "evalkit-patience-"))
writeFileSync(
  join(folder, "data.jsonl"),
  '{"id":"0","input":"0","reference":"0"}\n{"id":"1","input":"1","reference":"0"}\n',
)
writeFileSync(
  join(folder, "eval.config.ts"),
  `import { dataset, defineConfig, exactMatch, openai } from "evalkit"
const provider = openai({ model: "m", baseUrl: "http://127.0.0.1:${(server.address() as AddressInfo).port}/v1", apiKeyVariable: null })
export default defineConfig({ dataset: dataset("data.jsonl"), variants: [{ name: "a", provider }], metrics: [exactMatch()] })
`,
)
const started = performance.now()
const ended = await runMeasured(["run", "--no-html"], { cwd: folder })
const seconds = (performance.now() - started) / 1000
console.log(`exit ${ended.code}, ${requests} requests, ${seconds.toFixed(1)} s`)
server.close()
rmSync(folder, { recursive: true, force: true })
process.exit(ended.code === 0 && requests === 2 && seconds < 30 ? 0 : 1)
