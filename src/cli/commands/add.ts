import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { type AddOnName, addOns } from "../../core/add-on.ts"
import { EvalkitError, ExitCode } from "../../core/errors.ts"
import { packageFolder } from "../../platform/version.ts"
import { flag, oneOf } from "../arguments/options.ts"
import type { Command, CommandIo } from "../command.ts"

/** `evalkit add NAME`: runs npm to install the packages of an add-on beside evalkit, and prints the line that it runs. */
export const command: Command = {
  positionals: { what: oneOf(Object.keys(addOns), describeAddOns(), { demandOption: true }) },
  options: {
    "dry-run": flag("print the line, install nothing"),
    json: flag("the command and the packages as JSON"),
  },
  examples: {
    "$0 add semantic": "for embeddingSimilarity(), bertScore(), classifier()",
    "$0 add local --dry-run": "the line that makes local() work",
  },

  async run(args, io) {
    const { packages } = addOns[String(args.what) as AddOnName]
    const parameters = ["install", ...(isGlobal(packageFolder()) ? ["--global"] : []), ...packages]
    const line = `npm ${parameters.join(" ")}`
    io.out(args.json ? `${JSON.stringify({ command: line, packages })}\n` : `${line}\n`)
    if (!args.dryRun) await runNpm(parameters, line, io)
    return ExitCode.ok
  },
}

function describeAddOns(): string {
  return Object.entries(addOns)
    .map(([name, { purpose }]) => `${name}: ${purpose}`)
    .join("; ")
}

/** Whether evalkit was installed with --global: what holds its node_modules is then no project. */
function isGlobal(folder: string): boolean {
  const modules = dirname(folder)
  return modules.endsWith("node_modules") && !existsSync(join(dirname(modules), "package.json"))
}

/** npm's own output goes to stderr: stdout has the line alone. */
async function runNpm(parameters: readonly string[], line: string, io: CommandIo): Promise<void> {
  const ending = await new Promise<string | null>((resolve) => {
    // The parameters are evalkit's own words: nothing that a user typed reaches the shell, which Windows needs for npm.cmd.
    const npm = spawn("npm", parameters, {
      cwd: io.cwd,
      env: { ...io.environment },
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
      signal: io.signal,
    })
    for (const stream of [npm.stdout, npm.stderr]) stream.setEncoding("utf8").on("data", (text: string) => io.err(text))
    npm.on("error", (error) => resolve(error.message))
    npm.on("close", (code, signal) => resolve(code === 0 ? null : `it ended with ${signal ?? `code ${code}`}`))
  })
  if (ending !== null)
    throw new EvalkitError(`npm did not install the packages: ${ending}`, {
      code: "install_failed",
      where: line,
      hint: "see npm's own message above; the line can be run by hand",
    })
}
