import { count } from "../../../../src/words/number.ts"
import { defaultVolume } from "../../../wording/briefing.ts"
import { useHashState } from "../../state.ts"

const maxRequests = 1e12

/** Requests a month as the reader types them, how to change them, and the number that counts. */
export function useRequests(): readonly [typed: string, set: (typed: string) => void, volume: number] {
  const [requests, setRequests] = useHashState("requests", String(defaultVolume))
  return [requests, setRequests, Math.max(0, Math.min(maxRequests, Number(requests) || 0))]
}

/** Where the reader sets the volume that bills are of. */
export function VolumeField() {
  const [requests, setRequests, volume] = useRequests()
  const isMeant = requests.trim() !== "" && Number(requests) === volume
  return (
    <div class="controls">
      <label class="choice">
        <span>requests a month</span>
        <input
          type="number"
          min="0"
          step="1000"
          value={requests}
          onInput={(event) => setRequests(event.currentTarget.value)}
        />
      </label>
      <span class="note" role="status">
        {isMeant
          ? ""
          : `The bills are those of ${count(volume)} requests: type a number from 0 to ${count(maxRequests)}.`}
      </span>
    </div>
  )
}
