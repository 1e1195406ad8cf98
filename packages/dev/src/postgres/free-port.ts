import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below every system's range of ephemeral ports, so that no outgoing connection takes it while the server restarts. */
const range = { from: 20_000, to: 32_000 }

/** A loopback TCP port that nobody listens on right now. Throws when 50 random ones are all taken. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = randomInt(range.from, range.to)
    if (await isFree(port)) return port
  }
  throw new Error('No free loopback port found')
}

/** Whether a port can be listened on; a loopback one, unless `host` names another address. */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await listenFault(port, host)) === undefined
}

/** Why a port cannot be listened on, by Node's code (`EADDRINUSE`, `EADDRNOTAVAIL`, `EACCES` …); undefined where it can. */
export function listenFault(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    probe.listen(port, host, () => probe.close(() => resolve(undefined)))
  })
}
