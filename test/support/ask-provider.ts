import { systemClock } from "../../src/core/clock.ts"
import type { Answer } from "../../src/core/generation.ts"
import type { ChatMessage } from "../../src/core/message.ts"
import type { GenerationParameters, Provider } from "../../src/core/provider.ts"
import { testContext, testTimeouts } from "./ask.ts"

/** What is asked of a provider, and with which key. */
export interface Asking {
  readonly parameters?: GenerationParameters
  readonly messages: readonly ChatMessage[]
  readonly environment: Readonly<Record<string, string>>
  readonly times?: number
}

/** Opens a provider, asks it the same some times, one after the other, and closes it. */
export async function askProvider(
  provider: Provider,
  { parameters = {}, messages, environment, times = 1 }: Asking,
): Promise<{ readonly answer: Answer; readonly answers: readonly Answer[]; readonly notes: readonly string[] }> {
  const session = await provider.open(testContext(environment))
  try {
    const answers: Answer[] = []
    for (let i = 0; i < times; i++) {
      const now = systemClock.now()
      const moment = { clock: systemClock, originMs: now, scheduledMs: now, timeouts: testTimeouts }
      answers.push(await session.request({ messages, parameters }, { ...moment, signal: new AbortController().signal }))
    }
    return { answer: answers.at(-1) as Answer, answers, notes: session.notes() }
  } finally {
    await session.close()
  }
}
