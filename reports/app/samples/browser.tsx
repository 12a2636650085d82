import { useEffect, useMemo, useState } from "preact/hooks"
import { count, plural } from "../../format/number.ts"
import { plainText } from "../../format/text.ts"
import { usePage } from "../context.tsx"
import { Choice, Section } from "../parts.tsx"
import { setHash, useHashState } from "../state.ts"
import { chipsOf, matching } from "./filter.ts"
import { openRows } from "./row-store.ts"
import type { RowStore } from "./rows.ts"
import { SamplePane } from "./sample-pane.tsx"
import { SampleTable } from "./sample-table.tsx"
import { useSearch } from "./search.ts"

/** Every figure leads down to the samples that made it: filter, search, compare outputs word by word. */
export function SampleBrowser() {
  const { facts } = usePage()
  const [store, setStore] = useState<RowStore | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    openRows().then(setStore, (error: unknown) => setProblem(String(error)))
  }, [])
  const share =
    facts.embeddedAnswers < facts.answers
      ? ` This file holds a seeded sample of ${plural(facts.embeddedSamples, "sample")} out of ${count(facts.samples)}; every figure above is computed from all of them.`
      : ""
  return (
    <Section
      id="samples"
      title="Samples"
      lead={`${plural(facts.embeddedSamples, "sample")}, ${count(facts.embeddedAnswers)} answers.${share}`}
    >
      {store ? (
        <Loaded store={store} />
      ) : (
        <p class="note">
          {problem
            ? `The samples cannot be read: ${problem}`
            : "The samples are inside this file, compressed; a browser with JavaScript shows them here."}
        </p>
      )}
    </Section>
  )
}

/** An id as it comes back from the address, where lone surrogates cannot be. */
function inAddress(id: string): string {
  return id.replace(/\p{Surrogate}/gu, "\ufffd")
}

function Loaded({ store }: { store: RowStore }) {
  const { report } = usePage()
  const [chip, setChip] = useHashState("chip", "")
  const [of, setOf] = useHashState("of", "")
  const [versus] = useHashState("versus", "")
  const [group, setGroup] = useHashState("group", "")
  const [order, setOrder] = useHashState("order", "")
  const [query, setQuery] = useHashState("q", "")
  const [chosen] = useHashState("sample", "")
  const chips = useMemo(() => chipsOf(report, store), [report, store])
  const filtered = useMemo(
    () => matching(report, store, { chip, of, versus, group, order }),
    [report, store, chip, of, versus, group, order],
  )
  const search = useSearch(store, query)
  const shown = search.hits ? filtered.filter((sample) => search.hits?.has(sample)) : filtered
  const usual = report.variants.find((one) => one.baseline)?.name ?? ""
  const candidates = report.variants
    .filter(({ name }) => name !== (versus || usual))
    .map(({ name }) => ({ value: name, title: plainText(name, 40) }))
  const position = chosen === "" ? -1 : store.index.sampleIds.findIndex((id) => inAddress(id) === chosen)
  return (
    <>
      <div class="controls" role="group" aria-label="Filters">
        <div class="chips">
          {chips.map((one) => (
            <button
              key={one.id}
              type="button"
              class="chip"
              aria-pressed={chip === one.id}
              title={one.explain}
              onClick={() => setChip(one.id)}
            >
              {one.title}
            </button>
          ))}
        </div>
        {chip === "flipped" && (
          <Choice
            label={versus && versus !== usual ? `against ${plainText(versus, 30)}` : "of"}
            value={of}
            options={[{ value: "", title: "any variant" }, ...candidates]}
            onChange={setOf}
          />
        )}
        {store.index.groups.length > 1 && (
          <Choice
            label="group"
            value={group}
            options={[
              { value: "", title: "all" },
              ...store.index.groups.map((one) => ({ value: one, title: plainText(one, 40) })),
            ]}
            onChange={setGroup}
          />
        )}
        <Choice
          label="order"
          value={order}
          options={[
            { value: "", title: "as planned" },
            { value: "low", title: "lowest value first" },
            { value: "spread", title: "most disputed first" },
            { value: "slow", title: "slowest first" },
          ]}
          onChange={setOrder}
        />
        <label class="choice">
          <span>search</span>
          <input type="search" value={query} onInput={(event) => setQuery(event.currentTarget.value)} />
        </label>
      </div>
      <p class="note" role="status">
        {`${plural(shown.length, "sample")} of ${count(store.index.sampleIds.length)}`}
        {search.progress < 1 && `, searching: ${Math.floor(search.progress * 100)} %`}
      </p>
      <SampleTable
        store={store}
        shown={shown}
        chosen={position}
        onChoose={(sample) => setHash({ sample: store.index.sampleIds[sample] ?? null })}
      />
      {position >= 0 && (
        <SamplePane key={position} store={store} sample={position} onClose={() => setHash({ sample: null })} />
      )}
    </>
  )
}
