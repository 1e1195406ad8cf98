import * as z from 'zod'
import { Id } from '../formats.ts'
import {
  CompleteRecovery,
  InitiateRecovery,
  RecoveredShares,
  RecoveryProcess,
  VerifyRecovery,
} from '../recovery.ts'
import type { Route } from '../route.ts'

const RecoveryParams = z.strictObject({ recovery_process_id: Id })

/** Emails a recovery code. */
export const initiateRecovery = {
  id: 'recovery.initiate',
  method: 'POST',
  path: '/v1/wallets/me/recovery/initiate',
  lane: 'wallet',
  limit: 'recovery-start',
  summary: 'Start a recovery',
  description:
    'Client mode only. Emails a code that is valid for fifteen minutes, as long as the process, and for five attempts; starting again cancels the wallet’s previous one. At most ten a day per wallet.',
  body: InitiateRecovery,
  status: 200,
  data: z.strictObject({ recovery_process_id: Id }).meta({ id: 'RecoveryStart' }),
  errors: ['signing_mode_mismatch', 'invalid_curve', 'no_email', 'wallet_not_found', 'wallet_archived'],
} as const satisfies Route

/** Trades the recovery code for both shares. */
export const verifyRecovery = {
  id: 'recovery.verify',
  method: 'POST',
  path: '/v1/wallets/me/recovery/{recovery_process_id}/verify',
  lane: 'wallet',
  summary: 'Exchange a recovery code for the shares',
  description:
    'Returns the shares once per process; start a new one to get them again. The fifth wrong code locks the process. If the recovery share cannot be fetched, code and process stay usable. If the organization has a delay, the right code from a device that is new to the user answers 409 `recovery_delayed` until `details.ready_at`; the same call succeeds in the 24 hours after that. Only the device that started the recovery (`X-Service-Device`) can use it.',
  params: RecoveryParams,
  body: VerifyRecovery,
  status: 200,
  data: RecoveredShares,
  errors: [
    'signing_mode_mismatch',
    'invalid_code',
    'wallet_not_found',
    'wallet_archived',
    'process_state',
    'expired',
    'recovery_delayed',
    'rate_limited',
    'recovery_webhook_failed',
  ],
  bearsCredential: true,
  // The customer's webhook has 15 s.
  answerLimitMs: 20_000,
} as const satisfies Route

/** Puts the shares of a fresh polynomial into force. */
export const completeRecovery = {
  id: 'recovery.complete',
  method: 'POST',
  path: '/v1/wallets/me/recovery/{recovery_process_id}/complete',
  lane: 'wallet',
  summary: 'Finish a recovery with new shares',
  description:
    'Switches the shares atomically: the old ones stay in force until this returns, and you can repeat the call after a failure. `polynomial_version` can rise by more than one if an earlier attempt failed halfway.',
  params: RecoveryParams,
  body: CompleteRecovery,
  status: 204,
  errors: [
    'signing_mode_mismatch',
    'invalid_share',
    'wallet_not_found',
    'wallet_archived',
    'process_state',
    'expired',
    'recovery_webhook_failed',
  ],
  // The webhook's 15 s, after those of an attempt that was under way.
  answerLimitMs: 45_000,
} as const satisfies Route

/** Returns the state of a recovery. */
export const getRecovery = {
  id: 'recovery.get',
  method: 'GET',
  path: '/v1/wallets/me/recovery/{recovery_process_id}',
  lane: 'wallet',
  summary: 'Read the state of a recovery',
  params: RecoveryParams,
  status: 200,
  data: RecoveryProcess,
  errors: ['signing_mode_mismatch', 'wallet_not_found'],
} as const satisfies Route
