import { useEffect } from "preact/hooks"
import type { RunReport } from "../../src/core/report/report.ts"
import type { PageFacts } from "../page/payload.ts"
import type { FindWord } from "../page/words.ts"
import { otherSections, quantizations, slicings, sweptLevels } from "../view-model/sections.ts"
import { wholeFailure } from "../wording/whole-failure.ts"
import { themes } from "./address.ts"
import { PageProvider, pageContext } from "./context.tsx"
import { SampleBrowser } from "./samples/browser.tsx"
import { Answer } from "./sections/answer.tsx"
import { Briefing } from "./sections/briefing.tsx"
import { HeadToHead } from "./sections/comparison/head-to-head.tsx"
import { Cost } from "./sections/cost/cost.tsx"
import { Frontier } from "./sections/frontier/frontier.tsx"
import { Levels } from "./sections/levels.tsx"
import { Method } from "./sections/method.tsx"
import { Quantization } from "./sections/quantization.tsx"
import { Slices } from "./sections/slices.tsx"
import { Speed } from "./sections/speed.tsx"
import { Tasks } from "./sections/tasks.tsx"
import { Trust } from "./sections/trust/trust.tsx"
import { Variants } from "./sections/variants.tsx"
import { WholeFailureNotice } from "./sections/whole-failure.tsx"
import { useHashState } from "./state.ts"
import { detailsId, unfold } from "./unfold.ts"
import { UnknownNotice } from "./unknown-notice.tsx"
import { WordsProvider } from "./words.tsx"

/** The whole page, in the order in which a reader decides: answer, evidence, samples, method. */
export function Page(props: { report: RunReport; facts: PageFacts; words: FindWord }) {
  const { facts } = props
  const failure = wholeFailure(props.report)
  const hasFigures = failure?.hasFigures ?? true
  return (
    <WordsProvider value={props.words}>
      <PageProvider value={pageContext(props.report, facts)}>
        <Top links={facts.audience === "boss" ? [] : linksOf(props.report, hasFigures)} hasFigures={hasFigures} />
        <main>
          <UnknownNotice />
          {failure ? <WholeFailureNotice failure={failure} /> : <Answer />}
          {hasFigures && <Briefing />}
          {facts.audience !== "boss" && (
            <details id={detailsId} class="engineers" open={failure !== null || facts.audience === "engineer"}>
              <summary>Every figure, chart and sample</summary>
              {hasFigures && (
                <>
                  <Variants />
                  <Frontier />
                  <HeadToHead />
                  <Slices />
                  <Levels />
                  <Quantization />
                  <Speed />
                  <Cost />
                  <Trust />
                </>
              )}
              {facts.embeddedSamples > 0 && <SampleBrowser />}
              <Method />
            </details>
          )}
        </main>
        <footer>
          {`evalkit ${props.report.run.versions.evalkit ?? ""} \u00b7 run ${props.report.run.id.slice(0, 32)} \u00b7 this file works offline and makes no network requests`}
        </footer>
      </PageProvider>
    </WordsProvider>
  )
}

/** Moves to a part without touching the view that the address holds. */
function jump(event: MouseEvent, id: string): void {
  const target = document.getElementById(id)
  if (!target) return
  event.preventDefault()
  unfold(target)
  target.scrollIntoView()
}

function linksOf(report: RunReport, hasFigures: boolean): readonly (readonly string[])[] {
  const ends = [
    ["samples", "Samples"],
    ["method", "Method"],
  ]
  if (!hasFigures) return [["answer", "What happened"], ...ends]
  return [
    ["answer", "Answer"],
    ["variants", "Variants"],
    ["frontier", "Frontier"],
    ...(report.comparisons.length > 0 ? [["pair", "Head to head"]] : []),
    ...(slicings(report).length > 0 ? [["slices", "Slices"]] : []),
    ...(sweptLevels(report).length > 0 ? [["levels", "Levels"]] : []),
    ...(quantizations(report).length > 0 ? [["quantization", "Quantization"]] : []),
    ["speed", "Speed"],
    ["cost", "Cost"],
    ...(otherSections(report).length > 0 ? [["trust", "Trust"]] : []),
    ...ends,
  ]
}

function Top({ links, hasFigures }: { links: readonly (readonly string[])[]; hasFigures: boolean }) {
  return (
    <header class="top">
      {hasFigures && <Tasks skip />}
      <nav aria-label="Parts of the report">
        {links.map(([id, title]) => (
          <a key={id} href={`#${id}`} onClick={(event) => jump(event, id ?? "")}>
            {title}
          </a>
        ))}
      </nav>
      <ThemeSwitch />
    </header>
  )
}

/** Switches between the reader's own theme, light and dark. */
function ThemeSwitch() {
  const [asked, setTheme] = useHashState("theme", "auto")
  const theme = themes.find((name) => name === asked) ?? "auto"
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }, [theme])
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "auto"
  return (
    <button type="button" class="plain theme" onClick={() => setTheme(next)} title={`switch to ${next}`}>
      {`theme: ${theme}`}
    </button>
  )
}
