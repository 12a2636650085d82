import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { main } from "../../src/cli/main.ts"
import type { Ended } from "./faults.ts"

/** A project with two finished runs, in which commands are tried. */
export interface Room {
  readonly cwd: string
  /** Ids of the runs in its store, newest first. */
  readonly runs: readonly string[]
  /** The newest run as an archive, a line each. */
  readonly archive: readonly string[]
  /** Runs a command line in this process; what waits for a signal is interrupted after `ms`. */
  command(args: readonly string[], ms?: number): Promise<Ended>
  /** Writes a file and returns its path. */
  file(name: string, content: string | Uint8Array): string
  /** Puts the store and the project's files back as they were. */
  reset(): void
  close(): void
}

const samples = Array.from({ length: 6 }, (_, i) => ({
  id: `s${i}`,
  question: `How many are ${i} and ${i}?`,
  answer: String(i + i),
  group: i % 2 ? "odd" : "even",
}))

const answers = (wrong: number) =>
  samples.map(({ id, answer }, i) => ({
    id,
    text: i === wrong ? "I do not know." : answer,
    ttftMs: 20 + i,
    e2eMs: 60 + 5 * i,
    usage: { promptTokens: 10, completionTokens: 3 },
  }))

const configText = `import { custom, defineConfig, exactMatch, recorded, tokenF1, variant } from "evalkit"
const price = { kind: "tokens", inputPerMillion: 1, cachedInputPerMillion: null, outputPerMillion: 2, source: "list", date: "2026-01-01" }
const even = custom({ name: "even", measure: (_sample, { text }) => Number(text.length % 2 === 0) })
export default defineConfig({
  dataset: "data.jsonl",
  variants: [
    variant({ name: "old", provider: recorded(new URL("old.jsonl", import.meta.url)), price }),
    variant({ name: "new", provider: recorded(new URL("new.jsonl", import.meta.url)), price }),
  ],
  metrics: [exactMatch(), tokenF1(), even],
  gate: [{ figure: "exactMatch", min: 0.1 }],
  constraints: ["exactMatch > 0.1"],
})
`

/** Makes a room; it takes about a second. */
export async function openRoom(): Promise<Room> {
  const top = mkdtempSync(join(tmpdir(), "evalkit-fuzz-"))
  // A path that leads upwards ends inside of the room, too.
  const cwd = join(top, "a", "b", "c", "d", "project")
  const kept = join(top, "kept")
  mkdirSync(kept, { recursive: true })
  const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("")
  writeFileSync(join(kept, "data.jsonl"), lines(samples))
  writeFileSync(join(kept, "old.jsonl"), lines(answers(-1)))
  writeFileSync(join(kept, "new.jsonl"), lines(answers(2)))
  writeFileSync(join(kept, "outputs.csv"), "id,output,references,correct\ns0,0,0,1\ns1,3,2,0\n")
  writeFileSync(join(kept, "eval.config.ts"), configText)

  const environment = { HOME: top, XDG_CACHE_HOME: join(top, "cache"), PATH: process.env.PATH }
  const command: Room["command"] = async (args, ms = 1500) => {
    let out = ""
    let err = ""
    const code = await main(args, {
      out: (text) => {
        out += typeof text === "string" ? text : ""
      },
      takesBytes: true,
      err: (text) => {
        err += text
      },
      environment,
      cwd,
      interactive: false,
      color: false,
      unicode: true,
      columns: 100,
      signal: AbortSignal.timeout(ms),
    })
    return { code, out, err }
  }
  const reset = () => {
    rmSync(cwd, { recursive: true, force: true })
    cpSync(kept, cwd, { recursive: true })
  }

  reset()
  for (const seed of ["1", "2"]) {
    const { code, err } = await command(["run", "--seed", seed, "--no-html"], 150_000)
    if (code !== 0) throw new Error(`the room cannot be made: ${err}`)
  }
  const { out } = await command(["runs", "--json"])
  const runs = (JSON.parse(out) as { id: string }[]).map(({ id }) => id)
  const archive = (await command(["export", runs[0]!, "--format", "archive"])).out.trimEnd().split("\n")
  writeFileSync(join(cwd, "run.evalkit.jsonl"), `${archive.join("\n")}\n`)
  writeFileSync(join(cwd, "report.json"), (await command(["report", runs[0]!, "--format", "json"])).out)
  rmSync(kept, { recursive: true })
  cpSync(cwd, kept, { recursive: true })
  return {
    cwd,
    runs,
    archive,
    command,
    file: (name, content) => {
      const path = join(cwd, name)
      writeFileSync(path, content)
      return path
    },
    reset,
    close: () => rmSync(top, { recursive: true, force: true }),
  }
}

/** A file of the repository. */
export function ownFile(path: string): Buffer {
  return readFileSync(new URL(`../../${path}`, import.meta.url))
}
