import { headline } from "../../../reports/bench/words/verdict.ts"
import type { ListedRun, RunDigest, RunFacts, RunFilter, RunList, RunState } from "../../../reports/view/listed-run.ts"
import { readBench } from "../../bench/stored-bench.ts"
import { isOpen } from "../../core/batch/batch-record.ts"
import type { RunStore, RunState as StoredState } from "../../core/run/run-store.ts"
import { shardSizes } from "../../run/planned/started-part.ts"
import { annotationsOf } from "../../store/run-tags.ts"
import { localTime } from "../history/local-time.ts"
import { statusOf, workersOf } from "../history/run-status.ts"
import { digestOf, factsOf } from "./run-digest.ts"

/** Runs of one page. */
const pageSize = 25
/** Tags that are offered, and digests that are kept in memory. */
const maxTags = 20
const maxDigests = 1000
/** Reports that one look at the list may read to tell which runs failed; the next look reads on. */
const maxReads = 200
/** So many unknown runs are read one by one; more, all at once. */
const fewRuns = 20

/** Reads the list of runs again and again. What does not change is read once. */
export interface RunLister {
  list(store: RunStore, filter: RunFilter): RunList
}

/** A {@link RunLister}; times are those of the environment's zone. */
export function createRunLister(environment: Readonly<Record<string, string | undefined>>): RunLister {
  const cache = new Map<string, RunFacts>()
  const digests = new Map<string, RunDigest | null>()
  const headlines = new Map<string, string>()

  const readFacts = (store: RunStore, states: readonly StoredState[]): void => {
    const unknown = states.filter(({ id }) => !cache.has(id))
    if (unknown.length === 0) return
    const records = unknown.length > fewRuns ? store.runs("all") : unknown.flatMap(({ id }) => store.run(id) ?? [])
    const sizes = shardSizes(store, records)
    for (const record of records) cache.set(record.id, factsOf(record, sizes.get(record.id)))
  }
  // A report may be made anew, by `score` or `report`: what is kept is that of a run as it ended.
  const keyOf = ({ id, status, finishedAt }: StoredState): string => `${id} ${status} ${finishedAt}`
  const digest = (store: RunStore, state: StoredState): RunDigest | null => {
    const { id, status } = state
    const key = keyOf(state)
    const cached = digests.get(key)
    if (cached !== undefined) return cached
    const report = store.report(id)
    const made = report === null ? null : digestOf(report)
    if (status !== "running" && report !== null) {
      const oldest = digests.keys().next()
      if (digests.size >= maxDigests && !oldest.done) digests.delete(oldest.value)
      digests.set(key, made)
    }
    return made
  }

  const headlineOf = (store: RunStore, state: StoredState): string | null => {
    const key = keyOf(state)
    const bench = headlines.has(key) ? null : readBench(store, state)
    if (bench) headlines.set(key, headline(bench))
    return headlines.get(key) ?? null
  }

  /** Whether a run is in the state that a filter names, which is the one that its line shows: only its report says that it failed. */
  const stateFilter = (store: RunStore, filter: string) => {
    let reads = 0
    return (state: StoredState, coarse: CoarseState["state"] | undefined): boolean => {
      if (filter === "") return true
      const mayFail = coarse !== "running" && (filter === "failed" || filter === coarse)
      if (!mayFail) return filter === coarse
      const isKnown = digests.has(keyOf(state)) || reads++ < maxReads
      return (isKnown && digest(store, state)?.failure != null ? "failed" : coarse) === filter
    }
  }

  return {
    list(store, filter) {
      const states = store.runStates()
      readFacts(store, states)
      const annotations = annotationsOf(store)
      const runs = states.flatMap((state) => {
        const facts = cache.get(state.id)
        return facts ? [{ state, facts, ...(annotations.get(state.id) ?? noAnnotations) }] : []
      })
      const status = new Map(runs.map(({ state }) => [state.id, stateOf(store, state)]))
      const words = filter.search.toLowerCase().split(/\s+/u).filter(Boolean)
      const isInState = stateFilter(store, filter.state)
      const matches = runs.filter(
        ({ state, facts, tags, notes }) =>
          filter.tags.every((tag) => tags.includes(tag)) &&
          isFound(words, [facts.id, facts.name, facts.dataset, ...facts.variants, ...tags, ...notes.map(textOf)]) &&
          isInState(state, status.get(facts.id)?.state),
      )
      const pages = Math.max(1, Math.ceil(matches.length / pageSize))
      const page = Math.min(filter.page, pages)
      const shown = matches.slice((page - 1) * pageSize, page * pageSize)
      const counts = new Map<string, number>()
      for (const { tags } of runs) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
      return {
        runs: shown.map(({ state, facts, tags, notes }): ListedRun => {
          const own = digest(store, state)
          const at = runs.findIndex((run) => run.facts.id === facts.id)
          const older = own && runs.slice(at + 1).find((run) => run.facts.name === facts.name)
          return {
            facts,
            ...worded(store, facts, status.get(facts.id) as CoarseState, own),
            started: localTime(facts.startedAt, environment),
            tags,
            lastNote: notes.at(-1)?.text ?? null,
            digest: own,
            headline: facts.isBench ? headlineOf(store, state) : null,
            before: older ? digest(store, older.state) : null,
          }
        }),
        filter: { ...filter, page },
        found: matches.length,
        total: runs.length,
        pages,
        tags: offered(counts, filter.tags),
        isAnyRunning: [...status.values()].some(({ state }) => state === "running"),
      }
    },
  }
}

const noAnnotations = { tags: [], notes: [] } as const

/** The most used tags with the number of their runs, and those that are asked for, used or not: they can be taken away again. */
function offered(counts: ReadonlyMap<string, number>, asked: readonly string[]): (readonly [string, number])[] {
  const max = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, maxTags)
  const rest = [...new Set(asked)].filter((tag) => !max.some(([name]) => name === tag))
  return [...max, ...rest.map((tag) => [tag, counts.get(tag) ?? 0] as const)]
}

function textOf({ text }: { readonly text: string }): string {
  return text
}

function isFound(words: readonly string[], texts: readonly string[]): boolean {
  if (words.length === 0) return true
  const all = texts.join("\n").toLowerCase()
  return words.every((word) => all.includes(word))
}

/** The state of a run without its report. */
interface CoarseState {
  readonly state: Exclude<RunState, "failed">
  readonly words: string
}

function stateOf(store: RunStore, run: StoredState): CoarseState {
  if (run.status === "finished") return { state: "done", words: "done" }
  const workers = workersOf(store, run)
  const words = statusOf(run, store.batches(run.id).filter(isOpen).length, workers)
  if (run.status === "running" || workers > 0) return { state: "running", words }
  return { state: run.status === "incomplete" ? "incomplete" : "stopped", words }
}

function worded(
  store: RunStore,
  { id, planned }: RunFacts,
  { state, words }: CoarseState,
  digest: RunDigest | null,
): Pick<ListedRun, "state" | "stateWords" | "finished"> {
  if (state === "running") {
    const finished = [...store.countFinished(id).values()].reduce((sum, count) => sum + count, 0)
    const share = planned === 0 ? 0 : Math.floor((100 * finished) / planned)
    return { state, stateWords: words.replace("running", `running, ${Math.min(100, share)} %`), finished }
  }
  if (digest?.failure != null) return { state: "failed", stateWords: "failed", finished: null }
  return { state, stateWords: words, finished: null }
}
