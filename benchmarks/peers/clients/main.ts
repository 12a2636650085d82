/** `evalkit serve`, asked by others' clients: see README.md. */
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const here = import.meta.dirname
const root = resolve(here, "../../..")
const peers = process.env.PEERS ?? join(tmpdir(), "evalkit-peers")
const [folder, requirements] = [join(peers, "runs/clients"), join(here, "requirements.txt")]
const at = process.argv.indexOf("--python")
const python = at > 0 ? (process.argv[at + 1] ?? "python3") : venv()
if (spawnSync(python, ["-c", "import openai, litellm, langchain_openai, lm_eval"]).status !== 0) {
  console.error(`SKIPPED: ${python} has not all packages of ${requirements}`)
  process.exit(0)
}
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
  process.exitCode = asked.status ?? 1
} finally {
  server.kill()
}

/** Python of an environment with the pinned packages, which is made where it is not there. */
function venv(): string {
  const bin = join(peers, "v/clients/bin")
  if (!existsSync(bin)) spawnSync("python3", ["-m", "venv", join(bin, "..")], { stdio: "inherit" })
  console.error(`Packages of ${requirements} in ${bin}, about 1,250 MB`)
  spawnSync(join(bin, "pip"), ["install", "-q", "-r", requirements], { stdio: "inherit" })
  return join(bin, "python")
}
