import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { main } from "../../../src/cli/main.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { scratchDirectory } from "../../support/scratch.ts"

/** A command line in a folder. */
export async function evalkit(cwd: string, ...argv: readonly string[]) {
  const io = fakeIo({ cwd })
  const code = await main(argv, io)
  return { code, out: io.stdout(), err: io.stderr() }
}

/** How a run is recorded. */
export interface RecordedRunOptions {
  readonly samples: number
  readonly repeats?: number
  /** Names of the two variants. */
  readonly names?: readonly [string, string]
  readonly ids?: (i: number) => string
  readonly text?: (i: number) => string
  /** Code of the metrics, and what they are imported as. */
  readonly metrics: string
  readonly imports: string
  readonly wrong: (variant: number, i: number, repeat: number) => boolean
  readonly failed: (variant: number, i: number) => boolean
  readonly clusters?: number
}

/** A stored run of two recorded variants, in a folder of its own. */
export async function recordedRun(
  options: RecordedRunOptions,
): Promise<{ readonly cwd: string; readonly run: string }> {
  const cwd = scratchDirectory()
  const {
    samples,
    repeats = 1,
    names = ["a", "b"],
    ids = (i) => `s${i}`,
    text = (i) => `it is ${i}`,
    clusters,
  } = options
  const rows = Array.from({ length: samples }, (_, i) => ({
    ...{ id: ids(i), input: `what is ${i}?`, references: [text(i)], group: i % 2 ? "odd" : "even" },
    ...(clusters && { cluster: `c${i % clusters}` }),
  }))
  const lines = (list: readonly object[]) => list.map((row) => JSON.stringify(row)).join("\n")
  writeFileSync(join(cwd, "data.jsonl"), lines(rows))
  for (const variant of [0, 1])
    writeFileSync(
      join(cwd, `answers${variant}.jsonl`),
      lines(
        rows.flatMap(({ id }, i) =>
          Array.from({ length: repeats }, (_, repeat) =>
            options.failed(variant, i)
              ? { id, repeat, text: "", outcome: "http_5xx", failure: { message: "HTTP 500" } }
              : {
                  ...{ id, repeat, text: options.wrong(variant, i, repeat) ? `no, it is ${i + 1}` : text(i) },
                  ...{ ttftMs: 100 + ((i * 37) % 61) / 7, e2eMs: 300 + ((i * 53) % 97) / 3 + variant * 5 },
                  usage: { promptTokens: 9 + (i % 5), completionTokens: 4 + variant },
                },
          ),
        ),
      ),
    )
  writeFileSync(
    join(cwd, "eval.config.ts"),
    `import { dataset, defineConfig, recorded, variant, ${options.imports} } from "evalkit"
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 2, source: "test", date: "2026-01-01" }
export default defineConfig({
  dataset: dataset("data.jsonl"),
  variants: ${JSON.stringify(names)}.map((name, i) => variant({ name, provider: recorded(new URL("answers" + i + ".jsonl", import.meta.url)), price })),
  metrics: [${options.metrics}],
  repeats: ${repeats},
  gate: [{ figure: "availability", min: 0.5 }],
  reports: [],
})`,
  )
  const { err, code, out } = await evalkit(cwd, "run", "--json")
  if (![0, 3, 4].includes(code)) throw new Error(err)
  return { cwd, run: (JSON.parse(out) as { run: { id: string } }).run.id }
}
