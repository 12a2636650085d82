// A step of action.yml: runs the evaluation, and keeps report, JUnit and the text of the comment in .evalkit/ci. Whether the job fails
// is decided by its last step, so that a failed gate is reported, too.
import { spawnSync } from "node:child_process"
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const folder = join(".evalkit", "ci")
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

const config = process.env.EVALKIT_CONFIG ?? ""
const more = (process.env.EVALKIT_ARGUMENTS ?? "").split(/\r?\n/).map((line) => line.trim())
const run = evalkit("run", "--json", ...more.filter((line) => line !== ""), ...(config === "" ? [] : ["--", config]))
// Killed, or not started at all: a fault, not a verdict.
const code = run.status ?? 1
const report = reportOf(run.stdout)
if (report) {
  writeFileSync(join(folder, "report.json"), run.stdout)
  for (const [format, file] of [
    ["markdown", "report.md"],
    ["junit", "junit.xml"],
    ["html", "report.html"],
  ])
    evalkit("report", report.run.id, "--format", format, "--output", join(folder, file))
  summarise(readFileSync(join(folder, "report.md"), "utf8"))
}
output("exit-code", String(code))
output("run", report?.run.id ?? "")
output("verdict", report?.decision?.verdict ?? "")

/** The evalkit of the project, without a shell between: no argument is read as a command. */
function evalkit(...parameters) {
  const program = join("node_modules", "evalkit", "dist", "src", "cli", "bin.js")
  const ended = spawnSync(process.execPath, [program, ...parameters], {
    encoding: "utf8",
    maxBuffer: 1024 * 1024 * 1024,
    stdio: ["ignore", "pipe", "inherit"],
  })
  if (ended.error)
    console.error(`evalkit could not be run: ${ended.error.message}; install it with npm ci before this step`)
  return ended
}

function reportOf(text) {
  try {
    const parsed = JSON.parse(text)
    return typeof parsed?.run?.id === "string" ? parsed : null
  } catch {
    return null
  }
}

/** GitHub takes a megabyte. */
function summarise(text) {
  const path = process.env.GITHUB_STEP_SUMMARY
  if (path) appendFileSync(path, text.slice(0, 900_000))
}

function output(name, value) {
  const path = process.env.GITHUB_OUTPUT
  if (path) appendFileSync(path, `${name}=${value.replaceAll(/[\r\n]/g, " ")}\n`)
}
