import { readFileSync } from "node:fs"
import { join } from "node:path"
import { vi } from "vitest"
import { callCli } from "../call-cli.ts"

const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"))

/**
 * What a command line prints, with the line and its exit code. Its clocks stand still: what it measures itself takes no time.
 *
 * @param line as a shell takes it: `NAME=value` before the command is set for it, `AT` as the moment that it runs at; `cd FOLDER; ` goes
 * into a folder of the project
 * @param project the project's folder
 */
export async function frozenOutput(line: string, project: string): Promise<string> {
  const [, folder = ".", rest = line] = /^cd (\w+); (.*)$/.exec(line) ?? []
  const words = (rest.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""))
  const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word))
  const set = Object.fromEntries(words.slice(0, first).map((word) => word.split("=")))
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(`2026-${set.AT ?? "02-02T10:00"}:00.000Z`) })
  const now = vi.spyOn(performance, "now").mockReturnValue(1000)
  try {
    const environment = { TZ: "UTC", EVALKIT_CACHE_DIR: join(project, "cache"), ...set }
    const { code, stdout, stderr } = await callCli(words.slice(first), { cwd: join(project, folder), environment })
    const errors = stderr === "" ? "" : `[stderr]\n${stderr}`
    return withoutMachine(`$ ${line}\n[exit code ${code}]\n${readable(stdout)}${errors}`, project)
  } finally {
    now.mockRestore()
    vi.useRealTimers()
  }
}

/** JSON on one line, spread over lines: nothing but its white space is changed, and a difference can be read. */
function readable(printed: string): string {
  return /^[[{].*[\]}]\n$/.test(printed) ? `${JSON.stringify(JSON.parse(printed), null, 1)}\n` : printed
}

/** Puts names in the place of what differs from machine to machine, or with the next release, and is no figure of the evaluation. */
function withoutMachine(text: string, project: string): string {
  return text
    .replaceAll(project, "PROJECT")
    .replaceAll(process.versions.node, "NODE-VERSION")
    .replaceAll(`${process.platform}-${process.arch}`, "PLATFORM")
    .replaceAll(version, "EVALKIT-VERSION")
    .replace(/(?<=disk: )[\d.,]+ \wi?B/g, "SOME SPACE")
    .replace(/(?<=kept as bench )(\w+)(.* show )\1/g, "ID$2ID")
}

/** What a page says before a script has run: its words, one element a line. */
export function pageText(page: string): string {
  const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " }
  return page
    .replace(/<(script|style)\b.*?<\/\1>/gs, "")
    .replace(/<\/?(?:a|abbr|b|code|em|i|small|span|strong|sub|sup|tspan)\b[^>]*>/g, "")
    .replace(/<[^>]*>/g, "\n")
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (whole, name) => named[name] ?? whole)
    .replace(/\s*\n\s*/g, "\n")
}
