import { KeyFileError } from '@symbolon/crypto/node'
import { AssetError } from '../adapters/built-assets.ts'
import { PackageMissingError } from '../adapters/kms/installed.ts'
import { SecretsFileError } from '../adapters/secrets-file.ts'
import { ConfigError } from '../config.ts'
import { isDatabaseUnavailable } from '../db/is-database-unavailable.ts'
import { PoolerError } from '../db/pooler.ts'
import { SchemaError } from '../db/schema-error.ts'
import { MetricsPortError } from './metrics-server.ts'

const listening = new Set(['listen', 'bind', 'getaddrinfo'])

/**
 * Why a process could not start, in a line for the operator; undefined: a bug, whose stack is needed. Trying again does not help where
 * `isLasting`. Only a database out of reach is waited for.
 */
export function startFailure(error: unknown): { message: string; isLasting: boolean } | undefined {
  if (!(error instanceof Error)) return undefined
  const { message } = error
  if (
    [AssetError, ConfigError, MetricsPortError, PackageMissingError, PoolerError].some(
      (type) => error instanceof type,
    )
  )
    return { message, isLasting: true }
  if (error instanceof SchemaError) return { message: `DATABASE_URL: ${message}`, isLasting: true }
  if (error instanceof SecretsFileError) return { message: `SECRETS_FILE: ${message}`, isLasting: true }
  if (error instanceof KeyFileError) return { message: `KMS: ${error.path}: ${message}`, isLasting: true }
  if (isDatabaseUnavailable(error))
    return { message: `The database at DATABASE_URL is out of reach (${message}).`, isLasting: false }
  // What the database itself says carries no part of the URL but the names of its user and database.
  if ('severity' in error)
    return { message: `The database at DATABASE_URL refuses the service (${message}).`, isLasting: true }
  const { code, syscall, path } = error as NodeJS.ErrnoException
  if (syscall === undefined) return undefined
  if (listening.has(syscall))
    return { message: `HOST and PORT cannot be listened on (${message}).`, isLasting: true }
  if (path !== undefined) return { message: `${path} cannot be read or written (${code}).`, isLasting: true }
  return undefined
}
