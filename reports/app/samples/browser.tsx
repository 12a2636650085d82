import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { count, counted } from "../../../src/words/number.ts"
import { inAddress } from "../address.ts"
import { usePage } from "../context.tsx"
import { Section } from "../parts.tsx"
import { setHash, useHashState } from "../state.ts"
import { SampleControls, useNarrowing } from "./controls.tsx"
import { chipsOf, matching } from "./filter.ts"
import { ListedChoice } from "./listed-choice.tsx"
import { openRows } from "./row-store.ts"
import type { RowStore } from "./rows.ts"
import { SamplePane } from "./sample-pane.tsx"
import { SampleTable } from "./sample-table.tsx"
import { useSearch } from "./search.ts"
import { useSteps } from "./use-steps.ts"

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
      ? ` This file holds a seeded sample of ${counted(facts.embeddedSamples, "sample")} out of ${count(facts.samples)}; every figure above is computed from all of them.`
      : ""
  return (
    <Section
      id="samples"
      title="Samples"
      lead={`${counted(facts.embeddedSamples, "sample")}, ${counted(facts.embeddedAnswers, "answer")}.${share}`}
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

function Loaded({ store }: { store: RowStore }) {
  const { report } = usePage()
  const [chip] = useHashState("chip", "")
  const [of] = useHashState("of", "")
  const [versus] = useHashState("versus", "")
  const [group] = useHashState("group", "")
  const [order] = useHashState("order", "")
  const [query] = useHashState("q", "")
  const [chosen] = useHashState("sample", "")
  const narrowing = useNarrowing()
  const desk = useRef<HTMLDivElement>(null)
  const chips = useMemo(() => chipsOf(report, store), [report, store])
  const filtered = useMemo(
    () => matching(report, store, { chip, of, versus, group, order, ...narrowing }),
    [report, store, chip, of, versus, group, order, ...Object.values(narrowing)],
  )
  const search = useSearch(store, query)
  const shown = search.hits ? filtered.filter((sample) => search.hits?.has(sample)) : filtered
  const position = chosen === "" ? -1 : store.index.sampleIds.findIndex((id) => inAddress(id) === chosen)
  const choose = (sample: number | null) =>
    setHash({ sample: sample === null ? null : (store.index.sampleIds[sample] ?? null) })
  const close = () => {
    // Who has the focus in what goes away finds it in the list again; who has it nowhere is not moved.
    const isInside = document.activeElement !== document.body
    choose(null)
    if (isInside) desk.current?.querySelector<HTMLElement>(".sample-frame")?.focus()
  }
  const steps = useSteps(shown, position, choose, close)
  /** The sample whose pane takes the focus when its texts are there. */
  const opened = useRef<number | null>(null)
  const openPane = (sample: number) => {
    if (opened.current !== sample) return
    const pane = desk.current?.querySelector<HTMLElement>(".pane")
    pane?.focus({ preventScroll: true })
    pane?.scrollIntoView({ block: "nearest" })
    opened.current = null
  }
  return (
    <>
      <SampleControls store={store} chips={chips} />
      <ListedChoice variants={store.index.variants} />
      <p class="note" role="status">
        {`${counted(shown.length, "sample")} of ${count(store.index.sampleIds.length)}`}
        {search.progress < 1 && `, searching: ${Math.floor(search.progress * 100)} %`}
        {position < 0 && shown.length > 0 && ". Choose one to read its answers."}
      </p>
      <div class={`sample-desk ${position >= 0 ? "open" : ""}`} ref={desk}>
        <SampleTable
          store={store}
          shown={shown}
          chosen={position}
          onChoose={choose}
          onOpen={(sample) => {
            opened.current = sample
            choose(sample)
            if (sample === position) openPane(sample)
          }}
        />
        {position >= 0 && (
          <SamplePane
            store={store}
            sample={position}
            steps={steps}
            onShown={() => openPane(position)}
            onClose={close}
          />
        )}
      </div>
    </>
  )
}
