import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { cliPath } from "../cli.ts"

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

interface Options {
  readonly cwd: string
  readonly environment?: Readonly<Record<string, string>>
}

/** Runs a command line in a terminal of this width, with these variables, at most for a minute. */
export async function showIn(columns: number, line: readonly string[], options: Options): Promise<Shown> {
  const terminal = openTerminal(columns, line, options)
  try {
    return await terminal.shown(0, "end")
  } finally {
    terminal.close()
  }
}

const oneProcess = fileURLToPath(new URL("show-lines.mjs", import.meta.url))

/**
 * Runs command lines of evalkit in a terminal of this width, one after the other on an empty screen, each in its folder. One process runs
 * them all, for the price of one start: what is said of a process's end needs `showIn`.
 */
export async function showEachIn(
  columns: number,
  lines: readonly { readonly args: readonly string[]; readonly cwd: string }[],
): Promise<readonly Shown[]> {
  const line = [process.execPath, oneProcess, cliPath, JSON.stringify(lines)]
  const terminal = openTerminal(columns, line, { cwd: tmpdir() })
  try {
    const shown: Shown[] = []
    for (const index of lines.keys()) shown.push(await terminal.shown(index, `end.${index}`))
    return shown
  } finally {
    terminal.close()
  }
}

/** A terminal in which a command line runs. The line starts when what it writes is written down, in `raw.0` of the terminal's folder. */
function openTerminal(columns: number, line: readonly string[], options: Options) {
  const folder = mkdtempSync(join(tmpdir(), "evalkit-tmux-"))
  const tmux = (...args: readonly string[]) =>
    execFileSync(tmuxPath as string, ["-u", "-f", "/dev/null", "-S", join(folder, "socket"), ...args], {
      encoding: "utf8",
      env: { PATH: process.env.PATH ?? "", HOME: folder, LANG: "C.UTF-8", TERM: "xterm-256color" },
    })
  const end = join(folder, "end")
  const variables = Object.entries({ LANG: "C.UTF-8", SHOWN_IN: folder, ...options.environment }).map(
    ([name, value]) => `${name}=${value}`,
  )
  const script = join(folder, "line.sh")
  // CI and NO_COLOR of whoever runs the tests are not those of the terminal.
  const command = ["env", "-u", "CI", "-u", "NO_COLOR", "-u", "FORCE_COLOR", ...variables, ...line]
    .map(quoted)
    .join(" ")
  writeFileSync(
    script,
    `cd ${quoted(options.cwd)}\nuntil [ -e ${quoted(join(folder, "raw.0"))} ]; do sleep 0.05; done\n${command}\necho $? > ${quoted(`${end}.new`)}\nmv ${quoted(`${end}.new`)} ${quoted(end)}\nsleep 600\n`,
  )
  const size = ["-x", String(columns), "-y", "50"]
  tmux("new-session", "-d", ...size, `sh ${quoted(script)}`, ";", "set", "history-limit", "5000")
  return {
    /** What is shown from now on until a file of the folder says that the command, whose place in its process this is, has ended. */
    async shown(index: number, until: string): Promise<Shown> {
      const [raw, ended] = [join(folder, `raw.${index}`), join(folder, until)]
      if (index > 0) tmux("send-keys", "-R", ";", "clear-history")
      tmux("pipe-pane", `cat > ${quoted(raw)}`)
      for (let waited = 0; !existsSync(ended); waited += 100) {
        const isOver = existsSync(end) && !existsSync(ended)
        if (waited > 60_000 || isOver)
          throw new Error(
            `${isOver ? "ended before its last line" : "not done in a minute"}: ${line.join(" ")}\n${tmux("capture-pane", "-p", "-S", "-")}`,
          )
        await new Promise((resume) => setTimeout(resume, 100))
      }
      await new Promise((resume) => setTimeout(resume, 100))
      const seen = linesOf(tmux("capture-pane", "-p", "-S", "-"))
      const joined = new Set(linesOf(tmux("capture-pane", "-p", "-J", "-S", "-")))
      return {
        code: Number(readFileSync(ended, "utf8")),
        lines: seen,
        wrapped: [...joined].filter((text) => !seen.includes(text)),
        raw: readFileSync(raw, "utf8"),
      }
    },
    close(): void {
      spawnSync(tmuxPath as string, ["-S", join(folder, "socket"), "kill-server"])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trimEnd())
  while (lines.at(-1) === "") lines.pop()
  return lines
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
