import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"

/** A command's page: what its help prints. */
export interface CommandPage {
  readonly name: string
  readonly describe: string
  readonly text: string
}

/** The pages of all commands, from the built command line's own help. */
export async function commandPages(root: string): Promise<CommandPage[]> {
  const run = async (...args: string[]) => {
    const program = join(root, "dist/src/cli/bin.js")
    const environment = { ...process.env, NO_COLOR: "1", COLUMNS: "100" }
    return (await promisify(execFile)(process.execPath, [program, ...args], { env: environment, cwd: root })).stdout
  }
  const names = Array.from(
    (await run("--help")).matchAll(/^ {2}([a-z]+)(?: [<[][^ ]*)* {2,}(.+)$/gm),
    ([, name = "", describe = ""]) => ({
      name,
      describe,
    }),
  ).filter(({ name }) => name !== "completion")
  const pages: CommandPage[] = []
  for (let at = 0; at < names.length; at += 2)
    pages.push(
      ...(await Promise.all(
        names.slice(at, at + 2).map(async ({ name, describe }) => {
          const help = await run(name, "--help")
          return { name, describe, text: `# evalkit ${name}\n\n${describe}.\n\n\`\`\`text\n${help.trim()}\n\`\`\`\n` }
        }),
      )),
    )
  return pages
}
