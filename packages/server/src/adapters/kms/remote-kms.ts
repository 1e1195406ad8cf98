import { setTimeout as sleep } from 'node:timers/promises'
import { wipe } from '@symbolon/crypto'
import {
  contextBytes,
  type EnvelopeContext,
  EnvelopeError,
  type KeyPurpose,
  type WrappedKey,
} from '@symbolon/crypto/node'
import { type Kms, KmsError } from '../../ports/kms.ts'
import { type ApiPurpose, apiPurposes, type KeyRow, type KeyService } from './key-service.ts'

const boundMs = 3_000
// A service that fails over is back within a second; more would only add load while it is down.
const pausesMs: readonly number[] = [100, 300]
const dataKeyLength = 32
const pingLifetimeMs = 5_000

/**
 * A `Kms` over a key service that may be slow, away or wrong. Each call answers or rejects within 3 s, up to two repetitions of what was
 * unavailable included; a rotation is never repeated. A key of another purpose, id or row is refused before the service is asked. For 5 s
 * after a successful ping the next ones ask nothing, since `/v1/ready` is open to everybody and some services charge for each call.
 */
export function remoteKms(service: KeyService): Kms {
  let pingedAt = Number.NEGATIVE_INFINITY

  const call = async <result>(attempt: Attempt<result>, pauses: readonly number[] = pausesMs) => {
    try {
      return await bounded(attempt, pauses)
    } catch (error) {
      const failure = asKmsError(error)
      if (failure.code === 'unavailable') pingedAt = Number.NEGATIVE_INFINITY
      throw failure
    }
  }

  return {
    generateDataKey: (purpose, context) =>
      call(async (signal) => {
        const row = rowOf(purpose, context)
        const { dataKey, keyVersion, wrapped } = await service.generate(row, signal)
        if (dataKey.length !== dataKeyLength || signal.aborted) {
          wipe(dataKey)
          throw new KmsError(
            'unavailable',
            new Error('The key service made no data key of 32 bytes in time.'),
          )
        }
        return { dataKey, wrappedKey: { purpose, keyId: service.keyId(row.purpose), keyVersion, wrapped } }
      }),
    unwrap: (wrappedKey, context) =>
      call(async (signal) => {
        const dataKey = await service.unwrap(rowOfKey(service, wrappedKey, context), wrappedKey, signal)
        if (dataKey.length === dataKeyLength && !signal.aborted) return dataKey
        wipe(dataKey)
        throw new KmsError(signal.aborted ? 'unavailable' : 'unauthenticated')
      }),
    rewrap: (wrappedKey, context) =>
      call(async (signal) => {
        const row = rowOfKey(service, wrappedKey, context)
        const { keyVersion, wrapped } = await service.rewrap(row, wrappedKey, signal)
        return { purpose: row.purpose, keyId: service.keyId(row.purpose), keyVersion, wrapped }
      }),
    rotate: (purpose) =>
      call(async (signal) => {
        const known = apiPurpose(purpose)
        return { keyId: service.keyId(known), version: await service.rotate(known, signal) }
      }, []),
    currentVersion: (purpose) => call((signal) => service.currentVersion(apiPurpose(purpose), signal)),
    async keyId(purpose) {
      return service.keyId(apiPurpose(purpose))
    },
    async ping() {
      if (performance.now() - pingedAt < pingLifetimeMs) return
      await call((signal) => Promise.all(apiPurposes.map((purpose) => service.check(purpose, signal))), [])
      pingedAt = performance.now()
    },
  }
}

type Attempt<result> = (signal: AbortSignal) => Promise<result>

/** Rejects when the time is up, even where the attempt does not listen to its signal. */
async function bounded<result>(attempt: Attempt<result>, pauses: readonly number[]): Promise<result> {
  const signal = AbortSignal.timeout(boundMs)
  const late = Promise.withResolvers<never>()
  const expire = () => late.reject(new KmsError('unavailable', signal.reason))
  signal.addEventListener('abort', expire, { once: true })
  try {
    return await Promise.race([repeated(attempt, pauses, signal), late.promise])
  } finally {
    signal.removeEventListener('abort', expire)
  }
}

async function repeated<result>(
  attempt: Attempt<result>,
  pauses: readonly number[],
  signal: AbortSignal,
): Promise<result> {
  for (const pauseMs of pauses) {
    try {
      return await attempt(signal)
    } catch (error) {
      if (signal.aborted || asKmsError(error).code !== 'unavailable') throw error
      await sleep(pauseMs, undefined, { signal })
    }
  }
  return attempt(signal)
}

function asKmsError(error: unknown): KmsError {
  if (error instanceof KmsError) return error
  return new KmsError(error instanceof EnvelopeError ? 'invalid_request' : 'unavailable', error)
}

function apiPurpose(purpose: KeyPurpose): ApiPurpose {
  const known = apiPurposes.find((one) => one === purpose)
  if (known === undefined) throw new KmsError('unknown_key')
  return known
}

/** The row of a context; throws unless the context is canonical and of this purpose. */
function rowOf(purpose: KeyPurpose, context: EnvelopeContext): KeyRow {
  const known = apiPurpose(purpose)
  if (context.purpose !== known) throw new KmsError('invalid_request')
  contextBytes(context)
  return { ...context, purpose: known }
}

function rowOfKey(
  service: KeyService,
  { purpose, keyId, wrapped }: WrappedKey,
  context: EnvelopeContext,
): KeyRow {
  const row = rowOf(purpose, context)
  if (keyId !== service.keyId(row.purpose)) throw new KmsError('unknown_key')
  if (wrapped.length === 0) throw new KmsError('invalid_request')
  return row
}
