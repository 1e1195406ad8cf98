import { randomBytes, randomUUID } from 'node:crypto'
import { agentTokenKey } from '@symbolon/crypto/node'
import type { AgentSigningRequest, Enclave } from '@symbolon/server/testing/ports'
import type { TeeWallet } from './tee-wallet.ts'

/** A session's layers as on the wire. Without it, organization and agent have no layer, and the session one that limits nothing. */
export type TestLayers = { organization?: object; agent?: object; session?: object }

/** A grant of a session, and all that a signing request needs beside its intent. */
export type TestGrant = Omit<AgentSigningRequest, 'intent' | 'operation' | 'explain'> & {
  effective: string
  clipped: string[]
}

/** When the signing requests of tests are made, unless a test says otherwise. */
export const requestsAtMs: number = Date.now() + 24 * 60 * 60 * 1000

/** Mints a session for a wallet in the enclave: a random token, policy version 1, nothing changed since. */
export async function makeGrant(
  enclave: Enclave,
  wallet: TeeWallet,
  { organization, agent, session }: TestLayers = {},
): Promise<TestGrant> {
  const { organizationId, walletId, polynomialVersion, curve, publicKey, shareA, shareB, dataKeyB } = wallet
  const fields = { organizationId, walletId, polynomialVersion, curve, publicKey }
  const bound = {
    ...fields,
    sessionId: randomUUID(),
    policyVersion: 1,
    tokenKey: agentTokenKey(`as_live_${randomBytes(32).toString('hex')}`),
  }
  const layers = JSON.stringify({
    organization: organization ?? null,
    agent: agent ?? null,
    session: session ?? {},
  })
  const made = await enclave.grant({ ...bound, shareA, shareB, dataKeyB, layers })
  const current = JSON.stringify({ organization: organization ?? null, agent: agent ?? null })
  return { ...bound, ...made, current, versions: { rules: 0, agentId: null, agent: 0 }, nowMs: requestsAtMs }
}
