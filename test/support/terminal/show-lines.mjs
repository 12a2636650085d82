// Runs command lines (the second argument, as JSON, each with its folder) by the built `bin.js` (the first), one after the other in this
// process and on its terminal. The test says that it looks by a file that it writes down into; a file says to it that a line has ended.
import { existsSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runLine } from "../one-process/run-line.mjs"

const [, , program, lines] = process.argv
const folder = process.env.SHOWN_IN

for (const [place, { args, cwd }] of JSON.parse(lines).entries()) {
  while (!existsSync(join(folder, `raw.${place}`))) await new Promise((resume) => setTimeout(resume, 50))
  process.chdir(cwd)
  const code = await runLine(program, args)
  const end = join(folder, `end.${place}`)
  writeFileSync(`${end}.new`, String(code))
  renameSync(`${end}.new`, end)
}
// What the last line left open keeps nobody waiting.
process.reallyExit(0)
