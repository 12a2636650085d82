import { briefing } from "../../wording/briefing.ts"
import { usePage } from "../context.tsx"
import { Said } from "../parts.tsx"
import { useRequests, VolumeField } from "./cost/volume.tsx"

/** What the one who decides asks after the answer; what else changes stands above, with it. */
export function Briefing() {
  const { report } = usePage()
  const [, , volume] = useRequests()
  const parts = briefing(report, volume).filter(({ id }) => id !== "shifts")
  if (parts.length === 0) return null
  return (
    <section id="briefing" class="briefing" aria-label="What to know before deciding">
      {parts.map(({ id, title, sentences }) => (
        <div key={id}>
          <h2>{title}</h2>
          {id === "money" && <VolumeField />}
          <ul>
            {sentences.map((sentence) => (
              <li key={sentence}>
                <Said text={sentence} limit={600} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
