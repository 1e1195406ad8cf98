import { completeRecovery, getRecovery, initiateRecovery, verifyRecovery } from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import type { Recovery } from './recovery.ts'

/** The routes of recovery. */
export const recoveryRoutes = (recovery: Recovery) => [
  on(initiateRecovery, ({ principal, body, fail, rate }) =>
    recovery.initiate(principal, body?.curve ?? 'secp256k1', fail, rate),
  ),

  on(verifyRecovery, ({ principal, params, body, fail, rate, request }) =>
    recovery.verify(
      principal,
      { processId: params.recovery_process_id, code: body.code, address: request.address },
      fail,
      rate,
    ),
  ),

  on(completeRecovery, async ({ principal, params, body, fail }) => {
    await recovery.complete(
      principal,
      {
        processId: params.recovery_process_id,
        provider: body.new_provider_share,
        providerIndex: body.new_provider_share_index,
        recovery: body.new_recovery_share,
        recoveryIndex: body.new_recovery_share_index,
      },
      fail,
    )
    return undefined
  }),

  on(getRecovery, ({ principal, params, fail }) =>
    recovery.read(principal, params.recovery_process_id, fail),
  ),
]
