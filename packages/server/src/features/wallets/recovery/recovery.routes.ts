import { completeRecovery, getRecovery, initiateRecovery, verifyRecovery } from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import type { Recovery } from './recovery.ts'

/** The routes of recovery. */
export const recoveryRoutes = (recovery: Recovery) => [
  on(initiateRecovery, ({ caller, body, fail, rate }) =>
    recovery.initiate(caller, body?.curve ?? 'secp256k1', fail, rate),
  ),

  on(verifyRecovery, ({ caller, params, body, fail, rate, request }) =>
    recovery.verify(
      caller,
      { processId: params.recovery_process_id, code: body.code, address: request.address },
      fail,
      rate,
    ),
  ),

  on(completeRecovery, async ({ caller, params, body, fail }) => {
    await recovery.complete(
      caller,
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

  on(getRecovery, ({ caller, params, fail }) => recovery.read(caller, params.recovery_process_id, fail)),
]
