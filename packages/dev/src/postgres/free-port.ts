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

/** Whether a loopback port can be listened on. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.on('error', () => resolve(false))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })
}
