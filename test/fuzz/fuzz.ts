import fc from "fast-check"
import type { Room } from "./room.ts"
import type { Surface } from "./surface.ts"
import type { Watch } from "./watch.ts"

/** What a surface did with its inputs. */
export interface Tried {
  readonly surface: string
  readonly cases: number
  readonly faults: readonly Found[]
  readonly slowestMs: number
}

/** A fault, how often it came, and the shortest input that brought it about. */
export interface Found {
  readonly fault: string
  times: number
  /** With the seed, the way to make it again. */
  readonly first: number
  input: string
}

/** No input may take longer. */
const longestMs = 10_000

/** Inputs of a seed and a surface, one after the other; each batch has a seed of its own, so that memory is bounded. */
function* inputsOf(surface: Surface, room: Room, seed: number, cases: number): Generator<unknown> {
  const arbitrary = surface.inputs(room)
  const batch = 100
  for (let done = 0; done < cases; done += batch)
    yield* fc.sample(arbitrary, { seed: seed + done, numRuns: Math.min(batch, cases - done) })
}

/** Gives a surface a number of inputs. */
export async function tryOut(surface: Surface, room: Room, seed: number, cases: number, watch: Watch): Promise<Tried> {
  const result = new Map<string, Found>()
  let slowestMs = 0
  let number = 0
  room.reset()
  for (const input of inputsOf(surface, room, seed, cases)) {
    watch.begin(`${surface.name} --seed ${seed}, case ${number}: ${shown(input)}`)
    const started = performance.now()
    const fault = (await inTime(surface, input, room)) ?? watch.unhandled()
    const tookMs = performance.now() - started
    slowestMs = Math.max(slowestMs, tookMs)
    const said = fault ?? (tookMs > longestMs ? `took ${Math.round(tookMs / 1000)} s` : null)
    if (said !== null) note(result, said, shown(input), number)
    number++
  }
  watch.end()
  return { surface: surface.name, cases: number, faults: [...result.values()], slowestMs }
}

async function inTime(surface: Surface, input: unknown, room: Room): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`a hang: no end after ${longestMs / 1000} s`), longestMs)
  })
  try {
    return await Promise.race([surface.attempt(input, room), late])
  } catch (error) {
    return `the attempt itself failed: ${error instanceof Error ? error.stack : String(error)}`
  } finally {
    clearTimeout(timer)
  }
}

/** Faults that differ in names and numbers only are one. */
function note(result: Map<string, Found>, fault: string, input: string, number: number): void {
  const key = fault
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/[0-9a-f]{6,}|\d+/g, "0")
    .slice(0, 160)
  const entry = result.get(key)
  if (!entry) result.set(key, { fault, times: 1, first: number, input })
  else {
    entry.times++
    if (input.length < entry.input.length) entry.input = input
  }
}

function shown(input: unknown): string {
  try {
    const text = fc.stringify(withTexts(input))
    return text.length > 1000 ? `${text.slice(0, 1000)}…` : text
  } catch {
    return "a value that cannot be shown"
  }
}

/** Bytes as Latin-1 text, which is shorter and can be read. */
function withTexts(input: unknown, depth = 0): unknown {
  if (Buffer.isBuffer(input)) return `bytes: ${input.toString("latin1")}`
  if (typeof input !== "object" || input === null || depth > 3) return input
  if (Array.isArray(input)) return input.map((entry) => withTexts(entry, depth + 1))
  if (![null, Object.prototype].includes(Object.getPrototypeOf(input))) return input
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, withTexts(value, depth + 1)]))
}

/** How many cases each surface gets of a total. */
export function sharesOf(surfaces: readonly Surface[], total: number): readonly number[] {
  const sum = surfaces.reduce((all, { share }) => all + share, 0)
  return surfaces.map(({ share }) => Math.max(1, Math.round((total * share) / sum)))
}
