import type { JSONWebKeySet } from 'jose'
import type { Clock } from '../ports/clock.ts'
import { IssuerError, type IssuerKeys } from '../ports/issuer-keys.ts'
import type { Outbound } from '../ports/outbound.ts'
import { lruMap } from '../runtime/lru-map.ts'
import { readDiscovery, readKeySet } from './oidc-documents.ts'

const issuersMax = 1_000
const ageMaxMs = 10 * 60_000
const staleMaxMs = 60 * 60_000
const refreshPauseMs = 30_000
// While there is nothing to serve, an issuer that is back should be seen sooner.
const retryPauseMs = 2_000
const timeoutMs = 4_000

type Entry = {
  keys: JSONWebKeySet | undefined
  fetchedAtMs: number
  triedAtMs: number
  failure: unknown
  running: Promise<void> | undefined
}

/**
 * Reads issuers' keys by discovery (OpenID Connect Discovery 1.0 section 4) through the outbound guard and remembers them:
 * for 10 min, for an hour when the issuer is out of reach; asked again for an unknown key at most once in 30 s.
 */
export function oidcIssuer({ outbound, clock }: { outbound: Outbound; clock: Clock }): IssuerKeys {
  const entries = lruMap<string, Entry>(issuersMax)

  async function fetchKeys(issuer: string): Promise<JSONWebKeySet> {
    const discovery = await read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
    const { jwksUri } = readDiscovery(discovery, issuer)
    return readKeySet(await read(jwksUri))
  }

  async function read(url: string): Promise<Uint8Array> {
    const { status, body } = await outbound({ url, timeoutMs, headers: { accept: 'application/json' } })
    if (status !== 200) throw new IssuerError('unavailable')
    return body
  }

  async function refresh(issuer: string, entry: Entry): Promise<void> {
    entry.triedAtMs = clock.nowMs()
    try {
      entry.keys = await fetchKeys(issuer)
      entry.fetchedAtMs = clock.nowMs()
      entry.failure = undefined
    } catch (error) {
      entry.failure = error
    } finally {
      entry.running = undefined
    }
  }

  return async (issuer, options = { refresh: false }) => {
    let entry = entries.get(issuer)
    if (entry === undefined) {
      entry = {
        keys: undefined,
        fetchedAtMs: Number.NEGATIVE_INFINITY,
        triedAtMs: Number.NEGATIVE_INFINITY,
        failure: undefined,
        running: undefined,
      }
      entries.set(issuer, entry)
    }
    const ageMs = clock.nowMs() - entry.fetchedAtMs
    const isServable = entry.keys !== undefined && ageMs < staleMaxMs
    const pauseMs = isServable ? refreshPauseMs : retryPauseMs
    if ((options.refresh || ageMs >= ageMaxMs) && clock.nowMs() - entry.triedAtMs >= pauseMs) {
      entry.running ??= refresh(issuer, entry)
    }
    // After a failure, the old keys are served at once while the issuer is asked again: a hanging issuer delays nobody twice.
    const isWorthWaiting =
      !isServable || options.refresh || (ageMs >= ageMaxMs && entry.failure === undefined)
    if (entry.running !== undefined && isWorthWaiting) await entry.running
    if (entry.keys === undefined || clock.nowMs() - entry.fetchedAtMs >= staleMaxMs) {
      if (entry.failure instanceof IssuerError) throw entry.failure
      throw new IssuerError('unavailable', entry.failure)
    }
    return entry.keys
  }
}
