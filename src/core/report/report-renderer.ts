import type { ReportInput } from "./report.ts"

/** Where a renderer puts what it made, piece by piece; a promise is waited for (back-pressure). @public */
export type WriteChunk = (chunk: string | Uint8Array) => void | Promise<void>

/** Who reads a report: the one who decides, whoever looks into every figure, or the reviewers of a change. @public */
export type Audience = (typeof audiences)[number]

export const audiences = ["boss", "engineer", "pr"] as const

/** What a report is shown on; in a file: 100 columns, no colour. @public */
export interface ReportScreen {
  readonly columns: number
  readonly color: boolean
  /** Whether Unicode is shown; else ASCII is drawn. */
  readonly unicode: boolean
  /** Name of the chart that is asked for, for renderers that draw one. */
  readonly chart?: string
  /** For whom it is written, where that was said. */
  readonly audience?: Audience
  /** false leaves prompts and answers out. */
  readonly samples?: boolean
  /** Tables give every text as it came, also one that a spreadsheet would run as a formula. */
  readonly exact?: boolean
}

/**
 * One way to write a run: `renderers.html()`, `renderers.junit()`, or an object of your own. A value that a config names in `reports`; heavy code
 * is loaded in `render`, not before.
 *
 * @example
 * const slack: ReportRenderer = {
 *   name: "slack",
 *   extension: "slack.txt",
 *   binary: false,
 *   render: async ({ report }, write) => write(report.comparisons.map(({ sentence }) => sentence).join("\n")),
 * }
 * @public
 */
export interface ReportRenderer {
  /** What `evalkit report --format` calls it: lower-case letters, digits and `-`. */
  readonly name: string
  /** Ending of its file without the first point: `html`, `answers.csv`. */
  readonly extension: string
  /** Whether it writes bytes that a terminal cannot show. */
  readonly binary: boolean
  /** Writes the run. Only reads it: a report is a function of a run. */
  render(input: ReportInput, write: WriteChunk, screen: ReportScreen): Promise<void>
}
