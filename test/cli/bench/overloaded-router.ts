import { type Loopback, serveLoopback, streamChat } from "../../support/loopback.ts"

/** What happened on the two endpoints, in order: a request of the service or a judge's, and who was in flight then. */
export interface Arrival {
  readonly kind: "service" | "judge"
  /** Requests of the other kind that were in flight. */
  readonly others: number
  /** Whether the service answered it rightly; null for a judge. */
  readonly right: boolean | null
}

/** A service that gets worse under load, and a judge of its answers. */
export interface OverloadedRouter {
  readonly serviceUrl: string
  readonly judgeUrl: string
  readonly arrivals: Arrival[]
  close(): Promise<void>
}

/**
 * A router with `places` places on a good model: what arrives while they are taken goes to a bad one, whose answers are
 * wrong. Beside it a judge as OpenAI's API answers: "yes" to right answers and "no" to wrong ones, with its usage.
 */
export async function startOverloadedRouter(places: number): Promise<OverloadedRouter> {
  const arrivals: Arrival[] = []
  const inFlight = { service: 0, judge: 0 }
  let taken = 0
  let answers = 0
  const service = await listen(async (body, send) => {
    const isMeasured = !body.includes("warm-up")
    const right = taken < places
    if (isMeasured) arrivals.push({ kind: "service", others: inFlight.judge, right })
    inFlight.service++
    if (right) taken++
    await new Promise((resolve) => setTimeout(resolve, 40))
    inFlight.service--
    if (right) taken--
    send(`${right ? "surely Paris" : "perhaps Rome"}, answer ${answers++}`, 10, 4)
  })
  const judge = await listen(async (body, send) => {
    arrivals.push({ kind: "judge", others: inFlight.service, right: null })
    inFlight.judge++
    await new Promise((resolve) => setTimeout(resolve, 2))
    inFlight.judge--
    const verdict = body.includes("surely Paris") ? "yes" : "no"
    send(JSON.stringify({ reason: "compared with the reference", verdict }), 100, 10)
  })
  return {
    serviceUrl: service.url,
    judgeUrl: judge.url,
    arrivals,
    close: async () => {
      await Promise.all([service.close(), judge.close()])
    },
  }
}

type Answerer = (body: string, send: (text: string, prompt: number, completion: number) => void) => Promise<void>

/** A chat endpoint that streams one chunk and its usage. */
function listen(answer: Answerer): Promise<Loopback> {
  return serveLoopback((request, response, body) => {
    if (request.method === "GET") return response.end('{"object":"list","data":[{"id":"m"}]}')
    return answer(body, (text, prompt, completion) => streamChat(response, text, prompt, completion))
  })
}
