import { metricCalled } from "../../../src/words/metric.ts"
import { plainText } from "../../../src/words/text.ts"
import { usePage } from "../context.tsx"
import { Choice } from "../parts.tsx"
import { setHash, useHashState } from "../state.ts"
import { type Chip, decidingName, type Narrowing, noNarrowing, orders } from "./filter.ts"
import type { RowStore } from "./rows.ts"

/** Which samples the list shows, and in which order. Everything is kept in the address. */
export function SampleControls({ store, chips }: { store: RowStore; chips: readonly Chip[] }) {
  const { report } = usePage()
  const [chip, setChip] = useHashState("chip", "")
  const [of, setOf] = useHashState("of", "")
  const [versus] = useHashState("versus", "")
  const [group, setGroup] = useHashState("group", "")
  const [order, setOrder] = useHashState("order", "")
  const [query, setQuery] = useHashState("q", "")
  const usual = report.variants.find((variant) => variant.baseline)?.name ?? ""
  const candidates = report.variants
    .filter(({ name }) => name !== (versus || usual))
    .map(({ name }) => ({ value: name, title: plainText(name, 40) }))
  return (
    <>
      <div class="controls" role="group" aria-label="Filters">
        <div class="chips">
          {chips.map((entry) => (
            <button
              key={entry.id}
              type="button"
              class="chip"
              aria-pressed={chip === entry.id}
              title={entry.explain}
              onClick={() => setChip(entry.id)}
            >
              {entry.title}
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
          <Choice label="group" value={group} options={namesAfter("all", store.index.groups)} onChange={setGroup} />
        )}
        <Choice label="order" value={order} options={orders} onChange={setOrder} />
        <label class="choice">
          <span>search</span>
          <input type="search" value={query} onInput={(event) => setQuery(event.currentTarget.value)} />
        </label>
      </div>
      <MoreFilters store={store} />
    </>
  )
}

/** Conditions on one answer: whose it is, how it ended, its value, its length. */
function MoreFilters({ store }: { store: RowStore }) {
  const { report } = usePage()
  const { index } = store
  const narrowing = useNarrowing()
  const asked = Object.values(narrowing).filter((value) => value !== "").length
  const deciding = decidingName(report)
  const set = (key: keyof Narrowing) => (value: string) => setHash({ [key]: value === "" ? null : value })
  return (
    <details class="more-filters">
      <summary>{asked === 0 ? "more filters" : `more filters (${asked} set)`}</summary>
      <div class="controls" role="group" aria-label="Samples that have an answer with all of these">
        <Choice
          label="answer of"
          value={narrowing.by}
          options={namesAfter("any variant", index.variants)}
          onChange={set("by")}
        />
        <Choice
          label="ended"
          value={narrowing.ended}
          options={namesAfter("in any way", index.outcomes)}
          onChange={set("ended")}
        />
        <Choice
          label="value of"
          value={narrowing.metric || deciding}
          options={index.metrics.map((name) => ({ value: name, title: metricCalled(report.metrics, name) }))}
          onChange={set("metric")}
        />
        <Limit label="from" value={narrowing.from} onChange={set("from")} />
        <Limit label="to" value={narrowing.to} onChange={set("to")} />
        <Limit label="tokens from" value={narrowing.minTokens} onChange={set("minTokens")} />
        <Limit label="tokens to" value={narrowing.maxTokens} onChange={set("maxTokens")} />
        {asked > 0 && (
          <button
            type="button"
            class="plain"
            onClick={() => setHash(Object.fromEntries(Object.keys(noNarrowing).map((key) => [key, null])))}
          >
            clear
          </button>
        )}
      </div>
    </details>
  )
}

/** The conditions that the address holds. */
export function useNarrowing(): Narrowing {
  const [by] = useHashState("by", noNarrowing.by)
  const [ended] = useHashState("ended", noNarrowing.ended)
  const [metric] = useHashState("metric", noNarrowing.metric)
  const [from] = useHashState("from", noNarrowing.from)
  const [to] = useHashState("to", noNarrowing.to)
  const [minTokens] = useHashState("minTokens", noNarrowing.minTokens)
  const [maxTokens] = useHashState("maxTokens", noNarrowing.maxTokens)
  return { by, ended, metric, from, to, minTokens, maxTokens }
}

function Limit(props: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <label class="choice limit">
      <span>{props.label}</span>
      <input
        type="number"
        step="any"
        value={props.value}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
    </label>
  )
}

function namesAfter(first: string, names: readonly string[]) {
  return [{ value: "", title: first }, ...names.map((name) => ({ value: name, title: plainText(name, 40) }))]
}
