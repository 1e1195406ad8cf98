/** Where a database is and who connects to it. A host that begins with a slash is the folder of a unix socket. */
export type DatabaseAddress = {
  host: string
  port: number
  user?: string
  password?: string
  database?: string
  /** What the database lists the connection as. */
  application_name: string
}

/** Reads libpq's URL forms, also `?host=/folder` for a unix socket. */
export function readDatabaseUrl(text: string): DatabaseAddress {
  const url = new URL(text)
  const parameter = (name: string) => url.searchParams.get(name) ?? undefined
  const user = decodeURIComponent(url.username) || parameter('user')
  const password = decodeURIComponent(url.password) || parameter('password')
  const database = decodeURIComponent(url.pathname.slice(1)) || parameter('dbname')
  return {
    host: url.hostname.replace(/^\[|\]$/g, '') || (parameter('host') ?? 'localhost'),
    port: Number(url.port || (parameter('port') ?? 5432)),
    application_name: parameter('application_name') ?? 'symbolon',
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
  }
}
