import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { DatabaseUrlError, readDatabaseUrl, type TlsDemand } from './database-url.ts'

/**
 * What `node:tls` takes for a demand; `host` is checked against the certificate by `verify-full` alone. Throws `DatabaseUrlError` for a
 * file that cannot be read.
 */
export function tlsOptions(demand: TlsDemand): ConnectionOptions | undefined {
  if (demand.mode === 'disable') return undefined
  const { mode, rootFile, client } = demand
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: mode !== 'require',
    ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
    ...(rootFile !== undefined && { ca: read('sslrootcert', rootFile) }),
    ...(client !== undefined && {
      cert: read('sslcert', client.certificateFile),
      key: read('sslkey', client.keyFile),
    }),
  }
}

function read(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException
    throw new DatabaseUrlError(`${parameter} names ${file}, which cannot be read (${code})`)
  }
}

/** What is wrong with a database URL, its files included; undefined when nothing is. Holds no password. */
export function databaseUrlComplaint(text: string): string | undefined {
  try {
    tlsOptions(readDatabaseUrl(text).tls)
    return undefined
  } catch (error) {
    if (error instanceof DatabaseUrlError) return error.message
    throw error
  }
}
