import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { messageOf, UsageError } from "../core/errors.ts"

/**
 * Lets a server listen.
 *
 * @param port 0: any that is free
 * @returns its origin, `http://host:port`
 * @throws UsageError where it cannot listen there
 */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const words = error.code === "EADDRINUSE" ? "another program listens there" : messageOf(error)
      reject(
        new UsageError(`the server cannot listen: ${words}`, {
          where: `${host}:${port}`,
          hint: "choose another --port, or 0 for any free one",
          cause: error,
        }),
      )
    })
    server.listen(port, host, resolve)
  })
  return `http://${host.includes(":") ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`
}
