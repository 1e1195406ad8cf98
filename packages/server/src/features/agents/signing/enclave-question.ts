import { encodeIntent, networks } from '@symbolon/networks'
import type { SigningPayload, SigningRequest } from './signing-request.ts'
import type { SigningSession } from './signing-sessions.store.ts'

/** The question that `evaluate` and `agentSign` share. */
export type EnclaveQuestion = ReturnType<typeof enclaveQuestion>

/** Makes the enclave's question of a request, under the session's grant. */
export function enclaveQuestion(
  request: SigningRequest,
  payload: SigningPayload,
  session: SigningSession,
  grant: Uint8Array,
) {
  const { wallet, intent, operation } = payload
  const { tokenKey, nowMs } = request.actor.session
  return {
    organizationId: wallet.organizationId,
    walletId: wallet.id,
    polynomialVersion: wallet.polynomialVersion,
    curve: wallet.curve,
    publicKey: wallet.publicKey,
    sessionId: session.id,
    policyVersion: session.policyVersion,
    tokenKey,
    grant,
    current: session.current,
    versions: {
      rules: Number(session.rulesVersion),
      agentId: session.agentId,
      agent: Number(session.agentVersion ?? 0),
    },
    nowMs,
    intent: encodeIntent(networks, intent),
    ...(operation !== undefined && { operation }),
  }
}
