import {
  completeRecovery as completeRoute,
  getRecovery,
  initiateRecovery as initiateRoute,
  verifyRecovery as verifyRoute,
} from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import { mapResult } from '../../../runtime/failure.ts'
import { completeRecovery } from './complete-recovery.ts'
import { initiateRecovery } from './initiate-recovery.ts'
import { ownedProcess, type RecoveryCtx } from './recovery-process.ts'
import { verifyRecovery } from './verify-recovery.ts'

/** The recovery of client wallets: an emailed code opens both shares on the server's side, and new ones replace them. */
export const recoveryRoutes = (ctx: RecoveryCtx) => [
  on(initiateRoute, async ({ principal, body, rate, request: { device } }) =>
    mapResult(
      await initiateRecovery(ctx, principal, { curve: body?.curve ?? 'secp256k1', device }, rate),
      (id) => ({ recovery_process_id: id }),
    ),
  ),

  on(verifyRoute, ({ principal, params, body, rate, request }) =>
    verifyRecovery(
      ctx,
      principal,
      {
        processId: params.recovery_process_id,
        code: body.code,
        address: request.address,
        device: request.device,
      },
      rate,
    ),
  ),

  on(completeRoute, ({ principal, params, body, request: { device } }) =>
    completeRecovery(ctx, principal, {
      processId: params.recovery_process_id,
      device,
      provider: body.new_provider_share,
      providerIndex: body.new_provider_share_index,
      recovery: body.new_recovery_share,
      recoveryIndex: body.new_recovery_share_index,
    }),
  ),

  on(getRecovery, async ({ principal, params }) =>
    mapResult(
      await ownedProcess(ctx.shares.sql, principal, params.recovery_process_id),
      ({ id, walletId, state, readyAt, expiresAt }) => ({
        recovery_process_id: id,
        wallet_id: walletId,
        state,
        ready_at: readyAt?.toISOString() ?? null,
        expires_at: expiresAt.toISOString(),
      }),
    ),
  ),
]
