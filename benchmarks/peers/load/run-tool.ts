import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { environment, peersFolder } from "../environment.ts"
import type { Tool } from "./tools.ts"

/** Where the tools run. */
export const runs = join(peersFolder, "runs/load")

/** An empty folder for a tool, and its programs, with the tokenizer of words beside it. @throws where a package cannot be installed */
export function prepare(name: string, tool: Tool): { readonly folder: string; readonly bin: string } {
  const own = name.replaceAll(" ", "-")
  const folder = join(runs, own)
  const bin = tool.packages.length === 0 ? "" : environment(own, tool.packages, tool)
  if (bin && !existsSync(join(runs, "tokenizer"))) {
    const script = `import sys; sys.path.insert(0, "${join(import.meta.dirname, "../logs/tools")}"); from words import save_words; save_words("tokenizer")`
    execFileSync(join(bin, "python"), ["-c", script], { cwd: runs })
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  return { folder, bin }
}

/** Runs a tool's command in its folder, 4 minutes at most; its processor time in seconds. */
export function runTool(tool: Tool, command: readonly string[], folder: string): number {
  const [out, times] = [openSync(join(folder, "stdout"), "w"), openSync(join(folder, "stderr"), "w")]
  const env = { ...process.env, PYTHONUNBUFFERED: "1", TIMEFORMAT: "CPU %U %S", ...tool.environment }
  const timed = ["-c", 'time "$@"', "bash", ...command]
  spawnSync("bash", timed, { cwd: folder, env, stdio: ["ignore", out, times], timeout: 240_000 })
  const [, user, system] = /CPU (\S+) (\S+)\s*$/.exec(readFileSync(join(folder, "stderr"), "utf8")) ?? []
  return Number(user ?? Number.NaN) + Number(system ?? Number.NaN)
}
