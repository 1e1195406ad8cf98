/** Where a database is, who connects to it and how. */
export type DatabaseAddress = {
  /** In the order of the URL; see `chooseHost`. */
  hosts: readonly Host[]
  user: string | undefined
  password: string | undefined
  database: string | undefined
  /** What the database lists the connections as. */
  applicationName: string
  tls: TlsDemand
  sessions: SessionDemand
}

/** A host that begins with a slash is the folder of a unix socket. */
export type Host = { host: string; port: number }

/** What TLS has to prove (libpq's `sslmode` and friends); files are read when a connection is opened. */
export type TlsDemand =
  | { mode: 'disable' }
  | {
      mode: 'require' | 'verify-ca' | 'verify-full'
      /** A file of certificates; undefined: the roots that Node brings along. */
      rootFile: string | undefined
      client: { certificateFile: string; keyFile: string } | undefined
      negotiation: 'postgres' | 'direct'
    }

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const
const sessionDemands = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const

/** Which server a session may be on (libpq's `target_session_attrs`). */
export type SessionDemand = (typeof sessionDemands)[number]

const parameters = [
  'application_name',
  'dbname',
  'host',
  'password',
  'port',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslnegotiation',
  'sslrootcert',
  'target_session_attrs',
  'user',
] as const

type Parameter = (typeof parameters)[number]
type Given = Partial<Record<Parameter, string>>

/** The URL is not one that we take; the message says why, without the URL. */
export class DatabaseUrlError extends Error {}

/**
 * Reads libpq's URL form: `postgres://user:password@host:port,host:port/database?parameter=value`, percent-encoded; `host` and `port` may
 * be parameters, also for a unix socket (`?host=/folder`). Throws `DatabaseUrlError` for what it does not know: a setting of TLS that
 * is passed over would be a promise that nobody keeps.
 */
export function readDatabaseUrl(text: string): DatabaseAddress {
  const match = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^/?#]*))?(?:\?([^#]*))?$/.exec(text)
  if (match === null) throw new DatabaseUrlError('it must be a postgres:// URL')
  const [, login = '', authority = '', path = '', query = ''] = match
  const given = readParameters(query)
  const [user = '', password = ''] = login.split(/:(.*)/s).map(decoded)
  return {
    hosts: readHosts(authority, given),
    user: user || given.user,
    password: password || given.password,
    database: decoded(path) || given.dbname,
    applicationName: given.application_name ?? 'symbolon',
    tls: readTls(given),
    sessions: oneOf(sessionDemands, given.target_session_attrs ?? 'any', 'target_session_attrs'),
  }
}

function readParameters(query: string): Given {
  const given: Given = {}
  for (const [name, value] of new URLSearchParams(query)) {
    const known = oneOf(parameters, name, 'parameters')
    if (given[known] !== undefined) throw new DatabaseUrlError(`it names ${known} twice`)
    given[known] = value
  }
  return given
}

function readHosts(authority: string, given: Given): Host[] {
  const places = authority === '' ? (given.host ?? 'localhost').split(',') : authority.split(',')
  const ports = given.port?.split(',') ?? []
  if (ports.length > 1 && ports.length !== places.length)
    throw new DatabaseUrlError('it must have one port per host, or one for all')
  return places.map((place, i) => {
    const [, bracketed, plain = '', port] =
      /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?$/.exec(decoded(place)) ?? unknownHost()
    return {
      host: (bracketed ?? plain) || 'localhost',
      port: readPort(port || (ports.length > 1 ? ports[i] : ports[0]) || '5432'),
    }
  })
}

function unknownHost(): never {
  throw new DatabaseUrlError('each host must be a name, an address, or an IPv6 address in brackets')
}

function readPort(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new DatabaseUrlError('ports must be from 1 to 65535')
}

function readTls(given: Given): TlsDemand {
  const mode = oneOf(sslModes, given.sslmode ?? 'disable', 'sslmode')
  const { sslcert, sslkey, sslrootcert } = given
  const negotiation = oneOf(
    ['postgres', 'direct'] as const,
    given.sslnegotiation ?? 'postgres',
    'sslnegotiation',
  )
  if (mode === 'disable') {
    const useless = (['sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation'] as const).find(
      (name) => name in given,
    )
    if (useless !== undefined) throw new DatabaseUrlError(`${useless} needs sslmode=verify-full`)
    return { mode }
  }
  if ((sslcert === undefined) !== (sslkey === undefined))
    throw new DatabaseUrlError('sslcert and sslkey go together')
  if (mode === 'verify-ca' && sslrootcert === undefined)
    throw new DatabaseUrlError(
      'sslmode=verify-ca needs sslrootcert: any host can get a certificate of a public root',
    )
  if (sslrootcert === 'system' && mode !== 'verify-full')
    throw new DatabaseUrlError('sslrootcert=system needs sslmode=verify-full')
  return {
    // As libpq has it: a root that is named is checked.
    mode: mode === 'require' && sslrootcert !== undefined ? 'verify-ca' : mode,
    rootFile: sslrootcert === 'system' ? undefined : sslrootcert,
    client: sslcert && sslkey ? { certificateFile: sslcert, keyFile: sslkey } : undefined,
    negotiation,
  }
}

/** The message does not repeat what was given: a password that is not encoded ends up in strange places. */
function oneOf<word extends string>(words: readonly word[], given: string, what: string): word {
  const known = words.find((word) => word === given)
  if (known !== undefined) return known
  throw new DatabaseUrlError(`${what} can be ${words.join(', ')} and nothing else`)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new DatabaseUrlError('user and password must be percent-encoded (% is written %25)')
  }
}
