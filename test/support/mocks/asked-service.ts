import { afterAll, beforeAll } from "vitest"
import type { ChatMessage } from "../../../src/core/message.ts"
import type { GenerationParameters, Provider } from "../../../src/core/provider.ts"
import { askProvider } from "../ask-provider.ts"
import type { Mock } from "./frame.ts"

/** A service with an interface of its own, and how it is asked. */
interface AskedService<Options> {
  readonly key: string
  /** Environment variable that the provider reads the key from. */
  readonly variable: string
  readonly model: string
  start(key: string): Promise<Mock>
  create(options: Options): Provider
}

/** What a test asks with, over the service's usual options. */
type Asking<Options> = Partial<Options> & {
  readonly parameters?: GenerationParameters
  readonly messages?: readonly ChatMessage[]
  readonly key?: string
  readonly times?: number
}

/** A mock that lives as long as the tests of a file; `ask` asks it through its provider. */
export function askedService<Options extends { readonly model: string; readonly baseUrl?: string }>(
  service: AskedService<Options>,
) {
  const mock: { current?: Mock } = {}
  const started = (): Mock => {
    if (!mock.current) throw new Error("the mock starts before the first test")
    return mock.current
  }
  beforeAll(async () => {
    mock.current = await service.start(service.key)
  })
  afterAll(() => mock.current?.close())
  return {
    mock: started,
    ask(
      text: string,
      { parameters = {}, messages, key, times = 1, ...options }: Asking<Options> = {} as Asking<Options>,
    ) {
      const input = { model: service.model, baseUrl: started().baseUrl, ...options } as unknown as Options
      return askProvider(service.create(input), {
        messages: messages ?? [{ role: "user", content: text }],
        parameters,
        times,
        environment: { [service.variable]: key ?? service.key },
      })
    },
  }
}
