const root = 'packages/server/src/'

/** Features in the order they are built on each other: each may enter those before it, by their `index.ts`. */
export const featureOrder: readonly string[] = [
  'processes',
  'jwks',
  'audit',
  'outbox',
  'mailed-codes',
  'mailed-links',
  'devices',
  'members',
  'orgs',
  'api-keys',
  'webhooks',
  'auth',
  'end-users',
  'chains',
  'custody',
  'attestation',
  'receipts',
  'frame',
  'health',
  'retention',
  'spending',
  'usage',
  'wallets',
  'signing',
  'transactions',
  'evm',
  'smart-accounts',
  'userops',
  'agents',
  'protocols',
  'portal',
]

/** What a room may import; `type:` allows types only. `.` is what stands at the root. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  runtime: [],
  db: ['runtime'],
  ports: ['type:db'],
  adapters: ['ports', 'runtime'],
  http: ['db', 'ports', 'runtime'],
  features: ['db', 'ports', 'runtime', 'type:http', 'features'],
  wiring: ['db', 'ports', 'runtime', 'http', 'features', 'type:adapters'],
  process: ['adapters', 'ports', 'db', 'runtime', 'http', 'features', 'wiring', '.'],
  '.': ['adapters', 'ports', 'db', 'runtime', 'http', 'features', 'wiring', 'process'],
}

/** Why a file of the server must not import another one of it; both are paths of the repository. Undefined: it may. */
export function serverViolation(
  from: string,
  to: string | undefined,
  isTypeOnly: boolean,
): string | undefined {
  if (to === undefined || !to.startsWith(root)) return undefined
  const [room, target] = [roomOf(from), roomOf(to)]
  if (room !== target) {
    const list = rooms[room]
    if (list === undefined) return `the server has no room ${room}; see scripts/checks/server-rules.ts`
    const isRoute = room === 'features' && target === 'http' && from.endsWith('.routes.ts')
    const mayType = isTypeOnly && list.includes(`type:${target}`)
    if (!isRoute && !mayType && !list.includes(target)) return reasonOf(room, target, list)
  }
  return room === 'features' && target === 'features' ? featureViolation(from, to) : undefined
}

function featureViolation(from: string, to: string): string | undefined {
  const [own, other] = [featureOf(from), featureOf(to)]
  if (own === other) return undefined
  const [place, otherPlace] = [featureOrder.indexOf(own), featureOrder.indexOf(other)]
  if (place < 0 || otherPlace < 0)
    return `${place < 0 ? own : other} has no place in the order of features; see scripts/checks/server-rules.ts`
  if (to !== `${root}features/${other}/index.ts`) return 'another feature is entered by its index.ts'
  if (otherPlace > place) return `${other} is built on ${own}, not the other way round; pass it from wiring/`
  return undefined
}

function reasonOf(room: string, target: string, list: readonly string[]): string {
  if (room === 'features' && target === 'http') return 'only a .routes.ts file knows HTTP'
  if (room === 'features' && target === 'adapters') return 'a feature knows ports, never adapters'
  if (list.includes(`type:${target}`)) return `${room} takes only types from ${target}`
  return `${room === '.' ? 'the root' : room} must not import ${target === '.' ? 'the root' : target}`
}

const roomOf = (file: string): string => {
  const [first = '', ...rest] = file.slice(root.length).split('/')
  return rest.length === 0 ? '.' : first
}

const featureOf = (file: string): string => file.slice(`${root}features/`.length).split('/')[0] ?? ''
