import { EvalkitError } from "../../src/core/errors.ts"

/** The codes that docs/recipes/terminal.md names; 1 is a fault of evalkit, which no input may bring about. */
const goodCodes = new Set([0, 2, 3, 4, 5, 130])

const stackLine = /^\s+at .+:\d+:\d+/m

/** What the language's own errors say, which tells a reader nothing about the file at fault. */
const rawWords =
  /Cannot (read|set|convert|destructure)|is not a function|is not iterable|Maximum call stack|Invalid (array|string|typed array) length|\[object \w+\]|of undefined|of null\b|ERR_[A-Z_]+|SQLITE_|^evalkit: \s*$/m

/** Everything that a terminal obeys, but for line feeds and tabs. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

/** How a command ended. */
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** What is wrong with how a command ended; null when nothing is. */
export function faultOfCommand({ code, out, err }: Ended): string | null {
  if (code === null || !goodCodes.has(code)) return `exit ${code}: ${excerpt(err || out)}`
  if (code !== 0 && (err + out).trim() === "") return `exit ${code} without a word`
  if (stackLine.test(err) || stackLine.test(out)) return `a stack: ${excerpt(err || out)}`
  const raw = rawWords.exec(err)
  if (raw) return `a raw message (${raw[0]}): ${excerpt(err)}`
  const control = controls.exec(err)
  if (control) return `a control character ${JSON.stringify(control[0])}: ${excerpt(err)}`
  return polluted()
}

/** What is wrong with an error that a public function threw; null when it says what, where and what to do. */
export function faultOfError(error: unknown): string | null {
  if (!(error instanceof EvalkitError))
    return `a raw error: ${error instanceof Error ? `${error.name}: ${excerpt(error.message)}\n${ownFrames(error)}` : excerpt(String(error))}`
  if (error.what.trim() === "") return "an error without a message"
  if (rawWords.test(error.what)) return `a raw message: ${excerpt(error.message)}`
  return polluted()
}

/** Calls a function of the library: what is wrong with what it threw, or null. */
export async function faultOf(call: () => unknown): Promise<string | null> {
  try {
    await call()
    return polluted()
  } catch (error) {
    return faultOfError(error)
  }
}

const count = Reflect.ownKeys(Object.prototype).length

/** An input must not change what every object has. */
function polluted(): string | null {
  const extra = Reflect.ownKeys(Object.prototype).slice(count)
  for (const key of extra) Reflect.deleteProperty(Object.prototype, key)
  return extra.length === 0 ? null : `Object.prototype has got ${extra.map(String).join(", ")}`
}

function ownFrames({ stack = "" }: Error): string {
  return stack
    .split("\n")
    .filter((line) => /\/(src|datasets|judges|metrics|reports)\//.test(line))
    .slice(0, 3)
    .join("\n")
}

function excerpt(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}…` : text
}
