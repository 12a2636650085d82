import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const places = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"]

/** Where tmux is installed; undefined on machines without it, where tests that need a real terminal say so and skip. */
export const tmuxPath = places.find((path) => existsSync(path))

/** Says aloud that tests are skipped for want of tmux. */
export function warnWithoutTmux(): void {
  if (!tmuxPath) console.warn("SKIPPED: no tmux on this machine, nothing is shown in a real terminal")
}

/** What a terminal showed of a command. */
export interface Shown {
  readonly code: number
  /** Lines of the screen and above it, as they are seen, without spaces at their ends. */
  readonly lines: readonly string[]
  /** Lines that the terminal itself had to wrap, because they were longer than it is wide. */
  readonly wrapped: readonly string[]
  /** All bytes that the command wrote, escape codes too. */
  readonly raw: string
}

/** Runs a command line in a terminal of this width, with these variables, at most for a minute. */
export async function showIn(
  columns: number,
  line: readonly string[],
  options: { readonly cwd: string; readonly environment?: Readonly<Record<string, string>> },
): Promise<Shown> {
  const folder = mkdtempSync(join(tmpdir(), "evalkit-tmux-"))
  const tmux = (...args: readonly string[]) =>
    execFileSync(tmuxPath as string, ["-u", "-f", "/dev/null", "-S", join(folder, "socket"), ...args], {
      encoding: "utf8",
      env: { PATH: process.env.PATH ?? "", HOME: folder, LANG: "C.UTF-8", TERM: "xterm-256color" },
    })
  const [end, raw] = [join(folder, "end"), join(folder, "raw")]
  const variables = Object.entries({ LANG: "C.UTF-8", ...options.environment }).map(
    ([name, value]) => `${name}=${value}`,
  )
  const script = join(folder, "line.sh")
  // CI and NO_COLOR of whoever runs the tests are not those of the terminal.
  const command = ["env", "-u", "CI", "-u", "NO_COLOR", "-u", "FORCE_COLOR", ...variables, ...line]
    .map(quoted)
    .join(" ")
  writeFileSync(
    script,
    `cd ${quoted(options.cwd)}\nuntil [ -e ${quoted(raw)} ]; do sleep 0.05; done\n${command}\necho $? > ${quoted(`${end}.new`)}\nmv ${quoted(`${end}.new`)} ${quoted(end)}\nsleep 600\n`,
  )
  try {
    tmux(
      "new-session",
      "-d",
      "-x",
      String(columns),
      "-y",
      "50",
      `sh ${quoted(script)}`,
      ";",
      "set",
      "history-limit",
      "5000",
    )
    tmux("pipe-pane", "-o", `cat > ${quoted(raw)}`)
    for (let waited = 0; !existsSync(end); waited += 100) {
      if (waited > 60_000)
        throw new Error(`not done in a minute: ${line.join(" ")}\n${tmux("capture-pane", "-p", "-S", "-")}`)
      await new Promise((resume) => setTimeout(resume, 100))
    }
    await new Promise((resume) => setTimeout(resume, 100))
    const seen = linesOf(tmux("capture-pane", "-p", "-S", "-"))
    const joined = new Set(linesOf(tmux("capture-pane", "-p", "-J", "-S", "-")))
    return {
      code: Number(readFileSync(end, "utf8")),
      lines: seen,
      wrapped: [...joined].filter((one) => !seen.includes(one)),
      raw: readFileSync(raw, "utf8"),
    }
  } finally {
    spawnSync(tmuxPath as string, ["-S", join(folder, "socket"), "kill-server"])
    rmSync(folder, { recursive: true, force: true })
  }
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((one) => one.trimEnd())
  while (lines.at(-1) === "") lines.pop()
  return lines
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
