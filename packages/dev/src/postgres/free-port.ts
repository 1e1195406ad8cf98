import { randomInt } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'

type PortRange = { from: number; to: number }

/** Below the usual range of ephemeral ports of every system. */
const usual: PortRange = { from: 20_000, to: 32_000 }
const fewest = 2_000

/**
 * Outside the system's ephemeral ports, so that no outgoing connection takes a port while its server restarts. `ephemeral` is what Linux
 * has in `/proc/sys/net/ipv4/ip_local_port_range`: administrators and sandboxes widen it. Where it leaves no room, the usual range.
 */
export function serverPorts(ephemeral: string | undefined): PortRange {
  const [low, high] = (ephemeral ?? '').trim().split(/\s+/).map(Number)
  if (low === undefined || high === undefined || !(low <= high) || low > usual.to || high < usual.from)
    return usual
  if (low - usual.from >= fewest) return { from: usual.from, to: low }
  if (low - 10_000 >= fewest) return { from: Math.max(10_000, low - 12_000), to: low }
  return 65_536 - (high + 1) >= fewest ? { from: high + 1, to: 65_536 } : usual
}

function ephemeralPorts(): string | undefined {
  try {
    return readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')
  } catch {
    return undefined
  }
}

/** A port is often bound seconds after it was chosen, as those of the local chain: until then nobody else gets it. */
const reservedForMs = 120_000
const reservations = path.join(tmpdir(), `symbolon-ports-${userInfo().uid}`)

/**
 * A loopback TCP port that nobody listens on right now, and that no process of this user gets here for two minutes.
 * Throws when 50 random ones are all taken.
 */
export async function freePort(): Promise<number> {
  const { from, to } = serverPorts(ephemeralPorts())
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = randomInt(from, to)
    if (reserve(port) && (await isFree(port))) return port
  }
  throw new Error('No free loopback port found')
}

/** Whether nobody had reserved the port; one file a port, whose age tells since when. */
function reserve(port: number, folder = reservations): boolean {
  const file = path.join(folder, String(port))
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    closeSync(openSync(file, 'wx', 0o600))
    return true
  } catch (error) {
    // Where nothing can be written, the port is chosen as without a reservation.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return true
    return renew(file)
  }
}

function renew(file: string): boolean {
  const now = Date.now()
  if (now - statSync(file).mtimeMs < reservedForMs) return false
  utimesSync(file, now / 1000, now / 1000)
  return true
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
