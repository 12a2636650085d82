/** `evalkit serve`, asked by others' clients: see README.md. */
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { peersFolder, pythonWith } from "../environment.ts"
import { askByNpmClients } from "./npm-clients.ts"

const here = import.meta.dirname
const root = resolve(here, "../../..")
const folder = join(peersFolder, "runs/clients")
const modules = ["openai", "litellm", "langchain_openai", "lm_eval"]
const python = pythonWith("clients", join(here, "requirements.txt"), modules)
mkdirSync(folder, { recursive: true })
const model = join(root, "models/tiny/tiny-m-f16.gguf")
const server = spawn(process.execPath, [join(root, "dist/src/cli/bin.js"), "serve", model, "--port", "0", "--json"], {
  stdio: ["ignore", "pipe", "inherit"],
})
try {
  const ready = await new Promise<string>((done, fail) => {
    server.stdout.once("data", (line) => done(String(line)))
    server.once("exit", (code) => fail(new Error(`evalkit serve ended with ${code}; is it built?`)))
  })
  const { baseUrl, model: name } = JSON.parse(ready) as { baseUrl: string; model: string }
  console.log("| client | version | what | result |\n| --- | --- | --- | --- |")
  const asked = spawnSync(python, [join(here, "clients.py"), baseUrl, name, folder], {
    ...{ stdio: ["ignore", "inherit", "ignore"], timeout: 600_000 },
  })
  process.exitCode = (await askByNpmClients(baseUrl, name, folder)) > 0 ? 1 : (asked.status ?? 1)
} finally {
  server.kill()
}
